import { runInNewContext } from 'node:vm';
import { errors as feathersErrors } from '@feathersjs/errors';
import createError from 'http-errors';
import { describe, expect, it } from '@jest/globals';
import {
  BadRequest,
  Conflict,
  FrameworkError,
  GeneralError,
  isError,
  isFrameworkError,
  NotFound,
  PayloadTooLarge,
  toFrameworkError,
} from '../src/index.ts';

const FIXED = 'An unexpected error occurred on the server';
const SECRET = 'sk-live-1234';

/** All that a caller could get of an error. */
const sentOf = (thrown: unknown): string => JSON.stringify(toFrameworkError(thrown));

describe('an error of this family', () => {
  it('comes back as it is', () => {
    const error = new Conflict();
    expect(toFrameworkError(error)).toBe(error);
  });

  it('also comes back when another copy of the package made it', () => {
    const other = Object.defineProperty(new Error('gone'), Symbol.for('@framework/error'), { value: true });
    expect(toFrameworkError(other)).toBe(other);
  });
});

describe('S40 anything that nobody meant for the caller', () => {
  class AccessError extends Error {
    constructor(options: object) {
      super(`denied for ${SECRET}`);
      Object.assign(this, options);
    }
  }
  it.each([
    ['an error', new Error(SECRET)],
    ['a text', SECRET],
    ['undefined', undefined],
    ['null', null],
    ['a number', 42],
    ['a frozen object', Object.freeze({ message: SECRET })],
    ['an object that looks like an exposed error', { message: SECRET, status: 400, expose: true }],
    [
      "the answer of another service, that a client's library throws",
      { name: 'NotFound', message: SECRET, code: 404, className: 'not-found' },
    ],
    [
      'an error of an SDK with a client status',
      Object.assign(new Error(`Invalid key ${SECRET}`), { status: 401, code: 'invalid_api_key' }),
    ],
    ['one with the other name of the status', Object.assign(new Error(SECRET), { statusCode: 403 })],
    ['one that is told not to show itself', new AccessError({ status: 404, expose: false })],
    ['a status outside the client range', new AccessError({ status: 503 })],
    ['an exposed error of the server', createError(503, SECRET, { expose: true })],
    ['an exposed status that is no status', new AccessError({ status: 400.5, expose: true })],
    ['an exposed text for a status', new AccessError({ status: '400', expose: true })],
    ['a truthy expose', new AccessError({ status: 400, expose: 'yes' })],
    [
      'the shape of our errors without their mark',
      new AccessError({ name: 'Conflict', code: 409, className: 'conflict', data: { SECRET } }),
    ],
    ['the form of the incumbent without a class name', new AccessError({ type: 'FeathersError', name: 'Strange', code: 409 })],
    ['the form of the incumbent with a status that is none', new AccessError({ type: 'FeathersError', className: 'x', code: 399 })],
    ['the form of the incumbent with a text for a status', new AccessError({ type: 'FeathersError', className: 'x', code: '409' })],
    ['an error of a path with another status', new AccessError({ name: 'URIError', status: 500 })],
    ['a missing file with another status', new AccessError({ expose: false, status: 500, code: 'ENOENT' })],
    ['a file that is there and can not be read', new AccessError({ expose: false, status: 404, code: 'EACCES' })],
    ['a missing file without a word on who may see it', new AccessError({ status: 404, code: 'ENOENT' })],
    ['a missing file that the server itself wanted', Object.assign(new Error(`ENOENT ${SECRET}`), { code: 'ENOENT', errno: -2 })],
  ])('%s becomes 500 with the fixed text, and is kept as the cause', (_what, thrown) => {
    const error = toFrameworkError(thrown);
    expect(error).toBeInstanceOf(GeneralError);
    expect(error.message).toBe(FIXED);
    expect(Object.getOwnPropertyDescriptor(error, 'cause')).toEqual({
      value: thrown,
      writable: true,
      enumerable: false,
      configurable: true,
    });
    expect(Object.keys(error.toJSON())).toEqual(['name', 'message', 'code', 'className']);
    expect(sentOf(thrown)).not.toContain(SECRET);
  });

  it('S47 survives getters and proxies that throw', () => {
    const throwing = (): never => {
      throw new Error('no');
    };
    const getter = Object.defineProperty(new Error('x'), 'expose', { get: throwing });
    const proxy = new Proxy(new Error('x'), { get: throwing, getPrototypeOf: throwing });
    for (const hostile of [getter, proxy]) expect(toFrameworkError(hostile)).toMatchObject({ code: 500, message: FIXED });
    expect([isError(getter), isError(proxy), isFrameworkError(proxy)]).toEqual([true, false, false]);
  });
});

describe('S39 a client error of http-errors', () => {
  it.each([
    [400, 'BadRequest', 'bad-request'],
    [407, 'ProxyAuthenticationRequired', 'proxy-authentication-required'],
    [413, 'PayloadTooLarge', 'payload-too-large'],
    [414, 'UriTooLong', 'uri-too-long'],
    [416, 'RangeNotSatisfiable', 'range-not-satisfiable'],
    [417, 'ExpectationFailed', 'expectation-failed'],
    [418, 'ImATeapot', 'im-a-teapot'],
    [421, 'MisdirectedRequest', 'misdirected-request'],
    [423, 'Locked', 'locked'],
    [424, 'FailedDependency', 'failed-dependency'],
    [425, 'TooEarly', 'too-early'],
    [426, 'UpgradeRequired', 'upgrade-required'],
    [428, 'PreconditionRequired', 'precondition-required'],
    [431, 'RequestHeaderFieldsTooLarge', 'request-header-fields-too-large'],
    [451, 'UnavailableForLegalReasons', 'unavailable-for-legal-reasons'],
    [499, 'ClientError', 'client-error'],
  ])('%i keeps its status and text, and nothing else of it is sent', (status, name, className) => {
    const thrown = createError(status, 'said to the caller', { body: SECRET, headers: { authorization: SECRET } });
    expect(toFrameworkError(thrown).toJSON()).toEqual({ name, message: 'said to the caller', code: status, className });
    expect(toFrameworkError(thrown).cause).toBe(thrown);
  });

  it('is of the class of its status', () => {
    expect(toFrameworkError(createError(413))).toBeInstanceOf(PayloadTooLarge);
    expect(toFrameworkError(Object.assign(new Error('x'), { statusCode: 400, expose: true }))).toBeInstanceOf(BadRequest);
  });

  it('may come from another realm', () => {
    const thrown: unknown = runInNewContext("Object.assign(new Error('odd'), { status: 422, expose: true })");
    expect(thrown).not.toBeInstanceOf(Error);
    expect(toFrameworkError(thrown)).toMatchObject({ code: 422, message: 'odd' });
  });
});

describe('S39 errors of Express about the request', () => {
  it('malformed percent-encoding of a path is 400', () => {
    const thrown = Object.assign(new URIError("Failed to decode param '%E0'"), { status: 400, statusCode: 400 });
    expect(toFrameworkError(thrown)).toMatchObject({ name: 'BadRequest', message: 'The path has malformed percent-encoding' });
  });

  it('a file that is not there is 404, without its path on the server', () => {
    const missing = Object.assign(new Error(`ENOENT: no such file or directory, stat '/srv/${SECRET}'`), { code: 'ENOENT' });
    const error = toFrameworkError(createError(404, missing, { expose: false }));
    expect(error).toBeInstanceOf(NotFound);
    expect(error.message).toBe('Not found');
  });
});

describe('an error of FeathersJS', () => {
  it('becomes the class of its name, with its data and errors', () => {
    const thrown = new feathersErrors.Conflict('taken', { a: 1, errors: { b: 1 } });
    const error = toFrameworkError(thrown);
    expect(error).toBeInstanceOf(Conflict);
    expect(error).toMatchObject({ message: 'taken', data: { a: 1 }, errors: { b: 1 }, cause: thrown });
  });

  it.each([['BadRequest'], ['Gone'], ['TooManyRequests'], ['GeneralError'], ['Unavailable']])(
    '%s has the JSON form that it has there',
    (name) => {
      const Class = (feathersErrors as Record<string, any>)[name] ?? feathersErrors[410];
      const thrown = new Class('said', { why: 1 });
      expect(toFrameworkError(thrown).toJSON()).toEqual(JSON.parse(JSON.stringify(thrown)));
    },
  );

  it('keeps a name and status of its own', () => {
    const thrown = new feathersErrors.FeathersError('hot', 'Teapot', 418, 'teapot', {});
    expect(toFrameworkError(thrown)).toBeInstanceOf(FrameworkError);
    expect(toFrameworkError(thrown)).toMatchObject({ name: 'Teapot', code: 418, className: 'teapot', message: 'hot' });
  });

  it('with a status that is none is 500', () => {
    const thrown = new feathersErrors.FeathersError(SECRET, 'Odd', 200, 'odd', {});
    expect(sentOf(thrown)).toContain(FIXED);
    expect(sentOf(thrown)).not.toContain(SECRET);
  });
});
