import { describe, expect, it } from '@jest/globals';
import { Unavailable, unavailable } from '../src/index.ts';

describe('unavailable', () => {
  it('makes a 503 that says when to try again, and sends nothing of its cause', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.7');
    const error = unavailable('The store is down', cause, { error: 'down' });
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.cause).toBe(cause);
    expect(error.toJSON()).toEqual({
      name: 'Unavailable',
      message: 'The store is down',
      code: 503,
      className: 'unavailable',
      data: { error: 'down', retryAfter: 5 },
    });
    expect('cause' in unavailable('The server is full')).toBe(false);
  });
});
