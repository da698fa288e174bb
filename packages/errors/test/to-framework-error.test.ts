import { describe, expect, it } from '@jest/globals';
import { BadRequest, Conflict, GeneralError, toFrameworkError } from '../src/index.ts';

describe('toFrameworkError', () => {
  it('gives errors of the family back', () => {
    const error = new Conflict();
    expect(toFrameworkError(error)).toBe(error);
  });

  it.each([
    ['an error', new Error('secret path /etc')],
    ['a text', 'secret path /etc'],
    ['undefined', undefined],
    ['null', null],
    ['a number', 42],
    ['a frozen object', Object.freeze({ message: 'secret path /etc' })],
    ['a status outside the client range', Object.assign(new Error('secret path /etc'), { status: 503 })],
  ])('S40 hides %s behind a fixed text and keeps it as the cause', (_what, thrown) => {
    const error = toFrameworkError(thrown);
    expect(error).toBeInstanceOf(GeneralError);
    expect(error.message).toBe('An unexpected error occurred on the server');
    expect(error.cause).toBe(thrown);
  });

  it('S39 keeps the status of client errors of HTTP libraries', () => {
    const error = toFrameworkError(Object.assign(new SyntaxError('Unexpected token'), { status: 400, expose: true }));
    expect(error).toBeInstanceOf(BadRequest);
    expect(error.message).toBe('Unexpected token');
    expect(toFrameworkError(Object.assign(new Error('too large'), { statusCode: 413 })).code).toBe(413);
  });

  it('takes errors of the same shape from another library', () => {
    const foreign = Object.assign(new Error('taken'), {
      name: 'Conflict',
      code: 409,
      className: 'conflict',
      data: { a: 1 },
      errors: { b: 1 },
    });
    const error = toFrameworkError(foreign);
    expect(error).toBeInstanceOf(Conflict);
    expect(error).toMatchObject({ message: 'taken', data: { a: 1 }, errors: { b: 1 } });
  });

  it('S47 survives getters that throw', () => {
    const hostile = {
      get name(): string {
        throw new Error('no');
      },
    };
    expect(toFrameworkError(hostile).code).toBe(500);
  });
});
