import { describe, expect, it } from '@jest/globals';
import * as exported from '../src/index.ts';
import {
  BadRequest,
  Conflict,
  errors,
  FrameworkError,
  GeneralError,
  givenData,
  isFrameworkError,
  NotAuthenticated,
  NotFound,
} from '../src/index.ts';

const catalogue: [string, number, string][] = [
  ['BadRequest', 400, 'bad-request'],
  ['NotAuthenticated', 401, 'not-authenticated'],
  ['PaymentError', 402, 'payment-error'],
  ['Forbidden', 403, 'forbidden'],
  ['NotFound', 404, 'not-found'],
  ['MethodNotAllowed', 405, 'method-not-allowed'],
  ['NotAcceptable', 406, 'not-acceptable'],
  ['Timeout', 408, 'timeout'],
  ['Conflict', 409, 'conflict'],
  ['Gone', 410, 'gone'],
  ['LengthRequired', 411, 'length-required'],
  ['PreconditionFailed', 412, 'precondition-failed'],
  ['PayloadTooLarge', 413, 'payload-too-large'],
  ['UnsupportedMediaType', 415, 'unsupported-media-type'],
  ['Unprocessable', 422, 'unprocessable'],
  ['TooManyRequests', 429, 'too-many-requests'],
  ['GeneralError', 500, 'general-error'],
  ['NotImplemented', 501, 'not-implemented'],
  ['BadGateway', 502, 'bad-gateway'],
  ['Unavailable', 503, 'unavailable'],
];

describe('the catalogue of errors', () => {
  it.each(catalogue)('%s has status %i and class name %s', (name, code, className) => {
    const ErrorClass = errors[name as 'NotFound'];
    const error = new ErrorClass('what happened');
    expect(error).toMatchObject({ name, code, className, message: 'what happened', type: 'FrameworkError' });
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(FrameworkError);
    expect(error.constructor.name).toBe(name);
    expect(error.stack).toMatch(/what happened/);
    expect(errors[code as 404]).toBe(ErrorClass);
    expect((exported as Record<string, unknown>)[name]).toBe(ErrorClass);
    expect([errors.NotFound.status, (ErrorClass as { status: number }).status]).toEqual([404, code]);
  });

  it('has these classes and no others, by name and by status', () => {
    expect(Object.keys(errors).sort()).toEqual(catalogue.flatMap(([name, code]) => [name, String(code)]).sort());
    expect(Object.isFrozen(errors)).toBe(true);
  });

  it('keeps the name of the class in a subclass', () => {
    class NoSuchUser extends NotFound {}
    expect(new NoSuchUser('x').toJSON()).toMatchObject({ name: 'NotFound', code: 404, className: 'not-found' });
  });
});

describe('the JSON form', () => {
  it('has its keys in the order of the wire format', () => {
    const error = new BadRequest('Wrong', { field: 'a', errors: [{ path: 'a' }] });
    expect(JSON.stringify(error)).toBe(
      '{"name":"BadRequest","message":"Wrong","code":400,"className":"bad-request","data":{"field":"a"},"errors":[{"path":"a"}]}',
    );
  });

  it('leaves out data and errors that were not given, and the stack and cause always', () => {
    for (const error of [new GeneralError(new Error('inner')), new NotFound('x')])
      expect(Object.keys(error.toJSON())).toEqual(['name', 'message', 'code', 'className']);
  });
});

describe('what a constructor takes', () => {
  it('takes nothing', () => {
    expect(new BadRequest()).toMatchObject({ message: 'Error' });
    expect(new BadRequest()).not.toHaveProperty('data');
  });

  it('takes null as a message and as data', () => {
    expect(new BadRequest(null).message).toBe('Error');
    expect(new BadRequest('m', null)).not.toHaveProperty('data');
  });

  it('splits errors off the data, and lets a message in the data win', () => {
    const error = new BadRequest('old', { message: 'new', errors: { a: 1 }, rest: true });
    expect(error).toMatchObject({ message: 'new', errors: { a: 1 }, data: { rest: true } });
  });

  it('takes an object with message, errors and data', () => {
    expect(new BadRequest({ message: 'm', errors: ['e'], other: 1 })).toMatchObject({ message: 'm', errors: ['e'], data: { other: 1 } });
  });

  it('takes an array as data', () => {
    expect(new BadRequest('m', ['a']).data).toEqual(['a']);
  });

  it('takes text and data from an error of the family', () => {
    const inner = new BadRequest('said', { a: 1, errors: [2] });
    expect(new Conflict(inner)).toMatchObject({ message: 'said', data: { a: 1 }, errors: [2], code: 409, cause: inner });
    expect(new Conflict(inner, { b: 2 })).toMatchObject({ message: 'said', data: { b: 2 } });
    expect(new Conflict(new BadRequest('said', ['x'])).data).toEqual(['x']);
  });

  it('leaves out what was not given: no cause, no data, no errors', () => {
    const error = new BadRequest('m', { a: 1 });
    expect([Object.hasOwn(error, 'cause'), Object.hasOwn(error, 'errors')]).toEqual([false, false]);
    expect(Object.hasOwn(new BadRequest('m', { errors: [] }), 'cause')).toBe(false);
  });

  it('takes a text of another type as none, and anything as data', () => {
    expect(new BadRequest({ message: 5, other: 1 } as never)).toMatchObject({ message: 'Error', data: { other: 1 } });
    expect(new BadRequest('m', 'text' as never).data).toBe('text');
    expect(new BadRequest('m', { message: 5, a: 1 })).toMatchObject({ message: 'm', data: { a: 1 } });
  });

  it('takes an error of the family whose data are a text, or none', () => {
    const inner = new BadRequest('said', 'text' as never);
    inner.errors = [1];
    const taken = new Conflict(inner);
    expect([taken.message, taken.data, taken.errors]).toStrictEqual(['said', {}, [1]]);
    const bare = new BadRequest('said');
    bare.errors = [2];
    bare.data = null;
    expect(new Conflict(bare)).toMatchObject({ data: {}, errors: [2] });
    expect(new Conflict(new BadRequest('said', { a: 1 }), null)).toMatchObject({ data: { a: 1 } });
  });

  it('does not change frozen data', () => {
    const data = Object.freeze({ errors: [1], a: 1 });
    expect(new BadRequest('m', data).data).toEqual({ a: 1 });
    expect(data).toEqual({ errors: [1], a: 1 });
  });
});

describe('S40 an error of somebody else', () => {
  const foreign = (): Error =>
    Object.assign(new Error('connect to db-7 failed'), { config: { headers: { authorization: 'Bearer s3cret' } } });

  it.each([
    ['as the message', (error: Error) => new GeneralError(error), 'An unexpected error occurred on the server'],
    ['as the message of a client error', (error: Error) => new NotAuthenticated(error), 'Not authenticated'],
    ['as the data', (error: Error) => new GeneralError('Could not save', error), 'Could not save'],
    ['as both', (error: Error) => new Conflict(error, new Error('s3cret')), 'Conflict'],
  ])('is kept as the cause and not sent when it is given %s', (_how, make, message) => {
    const cause = foreign();
    const error = make(cause);
    expect(error.message).toBe(message);
    expect(error).not.toHaveProperty('data');
    expect(error.cause === cause || (error.cause as Error).message === 's3cret').toBe(true);
    expect(JSON.stringify(error)).not.toMatch(/db-7|s3cret/);
  });

  it('is kept as the cause beside the text and data of the author', () => {
    const cause = foreign();
    const error = new GeneralError(cause, { message: 'Could not save', order: 7 });
    expect(error).toMatchObject({ message: 'Could not save', data: { order: 7 }, cause });
  });

  it.each([
    ['the data', (error: Error) => new GeneralError('Could not save', { order: 7, error })],
    ['a list in the data', (error: Error) => new GeneralError('Could not save', [{ deep: [error] }])],
    ['the errors', (error: Error) => new BadRequest('Wrong', { errors: { email: error } })],
    ['an error of the family in the data', (error: Error) => new BadRequest('Wrong', { inner: new Conflict('taken', { error }) })],
  ])('has only the fixed text as JSON when it lies in %s', (_where, make) => {
    const sent = JSON.stringify(make(foreign()));
    expect(sent).not.toMatch(/db-7|s3cret/);
    expect(sent).toContain('"message":"An unexpected error occurred on the server"');
  });

  it('leaves data without errors as they are', () => {
    const data = { when: new Date(0), list: [1, { a: null }], own: Object.create(null) as object };
    expect(new BadRequest('Wrong', { data }).toJSON().data).toEqual({ data });
    expect(JSON.stringify(new BadRequest('Wrong', data))).toContain('"when":"1970-01-01T00:00:00.000Z"');
  });

  it('S47 makes JSON of data with circles, getters that throw and great depth', () => {
    const circle: Record<string, unknown> = { a: 1 };
    circle.self = circle;
    circle.both = [circle, circle];
    const inside = new BadRequest('Wrong', { b: 1 });
    (inside.data as Record<string, unknown>).self = inside;
    const getter = {
      get no(): never {
        throw new Error('no');
      },
    };
    let deep: unknown = 'bottom';
    for (let n = 0; n < 100_000; n++) deep = { deep };
    expect(JSON.parse(JSON.stringify(new BadRequest('Wrong', circle))).data).toEqual({
      a: 1,
      self: { a: 1, both: [null, null] },
      both: expect.any(Array),
    });
    expect(JSON.parse(JSON.stringify(inside)).data).toEqual({ b: 1 });
    expect(JSON.parse(JSON.stringify(new BadRequest('Wrong', { ok: 1, getter }))).data).toEqual({ ok: 1 });
    expect(JSON.stringify(new BadRequest('Wrong', { deep }))).not.toContain('bottom');
  });
});

describe('the status', () => {
  it('stands where error handlers of others look, and is not sent', () => {
    const error = new NotFound('x');
    expect([error.status, error.statusCode]).toEqual([404, 404]);
    expect(Object.keys(error)).not.toContain('status');
    expect(Object.keys(error.toJSON())).toEqual(['name', 'message', 'code', 'className']);
    expect(new FrameworkError('x', 'Teapot', 418, 'teapot').status).toBe(418);
  });

  it('may be written by those handlers', () => {
    const error = new NotFound('x');
    error.status = 500;
    expect(error.toJSON().code).toBe(404);
  });
});

it('isFrameworkError tells errors of the family from all else', () => {
  expect(isFrameworkError(new NotFound())).toBe(true);
  for (const other of [new Error(), { name: 'NotFound', code: 404 }, null, undefined, 'NotFound'])
    expect(isFrameworkError(other)).toBe(false);
});

describe('what an error was made with', () => {
  it('is the object itself, of which its data is a copy, whether it came first or second', () => {
    const record = { id: 1, name: 'Ann' };
    for (const error of [new Conflict(record), new Conflict('Taken', record)]) {
      expect(givenData(error)).toBe(record);
      expect(error.data).toEqual(record);
      expect(error.data).not.toBe(record);
      expect(Object.keys(error)).toEqual(Object.keys(new Conflict('Taken', {})));
    }
  });

  it.each<[string, object]>([
    ['an error without data', new Conflict('Taken')],
    ['an error whose data are a list', new Conflict('Taken', [{ id: 1 }])],
    ['an error of somebody else', new Error('no')],
    ['an object of another copy that says nothing', { [Symbol.for('@framework/given-data')]: null }],
    ['an object of another copy that says no object', { [Symbol.for('@framework/given-data')]: 'text' }],
  ])('is not known of %s', (_title, error) => {
    expect(givenData(error)).toBeUndefined();
    expect(Object.getOwnPropertySymbols(new Conflict('Taken'))).not.toContain(Symbol.for('@framework/given-data'));
  });
});
