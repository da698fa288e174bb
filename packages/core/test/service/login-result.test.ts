import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { loginResult } from '../../src/index.ts';

describe('the result of a login', () => {
  it('is no error, also of another realm, as that of a test runner', () => {
    const error: unknown = runInNewContext("new Error('not today')");
    expect(error).not.toBeInstanceOf(Error);
    expect(() => loginResult({}, error)).toThrow('not today');
  });

  it('is any other object', () => {
    const result = { user: { id: 1 } };
    expect(loginResult({}, result)).toBe(result);
  });
});
