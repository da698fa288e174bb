import { describe, expect, it } from '@jest/globals';
import { BadRequest, errors, FrameworkError, GeneralError, isFrameworkError, NotFound } from '../src/index.ts';

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
    const error = new GeneralError(new Error('inner'));
    expect(Object.keys(error.toJSON())).toEqual(['name', 'message', 'code', 'className', 'data']);
    expect(JSON.stringify(new NotFound('x'))).not.toContain('stack');
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

  it('keeps an error as the cause', () => {
    const cause = Object.assign(new Error('inner'), { detail: 1 });
    const error = new GeneralError(cause);
    expect(error).toMatchObject({ message: 'inner', data: { detail: 1 }, cause });
  });

  it('does not change frozen data', () => {
    const data = Object.freeze({ errors: [1], a: 1 });
    expect(new BadRequest('m', data).data).toEqual({ a: 1 });
    expect(data).toEqual({ errors: [1], a: 1 });
  });
});

it('isFrameworkError tells errors of the family from all else', () => {
  expect(isFrameworkError(new NotFound())).toBe(true);
  for (const other of [new Error(), { name: 'NotFound', code: 404 }, null, undefined, 'NotFound'])
    expect(isFrameworkError(other)).toBe(false);
});
