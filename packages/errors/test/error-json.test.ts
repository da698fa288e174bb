import { describe, expect, it } from '@jest/globals';
import { BadRequest, FrameworkError, GeneralError, NotFound } from '../src/index.ts';

const UNEXPECTED = 'An unexpected error occurred on the server';
const nested = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : { a: nested(depth - 1, inner) });
/** The value so many steps below. */
const below = (depth: number, value: unknown): unknown => (depth === 0 ? value : below(depth - 1, (value as { a: unknown }).a));

describe('data and errors of the JSON form', () => {
  it('are each there when the other is not', () => {
    expect(new BadRequest('m', { a: 1 }).toJSON()).toStrictEqual({
      name: 'BadRequest',
      message: 'm',
      code: 400,
      className: 'bad-request',
      data: { a: 1 },
    });
    const error = new BadRequest('m');
    error.errors = [1];
    expect(error.toJSON()).toStrictEqual({ name: 'BadRequest', message: 'm', code: 400, className: 'bad-request', errors: [1] });
    error.errors = null;
    expect(error.toJSON()).toStrictEqual({ name: 'BadRequest', message: 'm', code: 400, className: 'bad-request', errors: null });
  });

  it('are the values themselves where nothing in them is held back', () => {
    const data = { list: [1, { b: 2 }], date: new Date(0), none: null, bare: Object.assign(Object.create(null) as object, { c: 3 }) };
    const error = new BadRequest('m');
    error.data = data;
    expect(error.toJSON().data).toBe(data);
  });

  it('S40 show errors in lists and objects by their fixed text, and leave what is around them', () => {
    const error = new BadRequest('m', { list: [1, new Error('s3cret'), 3], kept: { x: 1 }, inner: new NotFound('gone', { id: 5 }) });
    expect(error.toJSON().data).toStrictEqual({
      list: [1, { message: UNEXPECTED }, 3],
      kept: { x: 1 },
      inner: { name: 'NotFound', message: 'gone', code: 404, className: 'not-found', data: { id: 5 } },
    });
    const copy = error.toJSON().data as object;
    expect(Object.getOwnPropertyDescriptor(copy, 'list')).toMatchObject({ writable: true, enumerable: true, configurable: true });
    expect((error.data as { list: unknown[] }).list[1]).toBeInstanceOf(Error);
  });

  it('S40 look for errors in objects without a prototype, and not in those that have a form of their own', () => {
    const bare = Object.assign(Object.create(null) as object, { error: new Error('s3cret') });
    expect(new BadRequest('m', { bare }).toJSON().data).toEqual({ bare: { error: { message: UNEXPECTED } } });
    const own = { toJSON: () => 'an id' };
    Object.setPrototypeOf(own, class Id {}.prototype as object);
    expect(new BadRequest('m', { own }).toJSON().data).toEqual({ own });
  });

  it('end where something contains itself, fifty levels down, and where a getter throws', () => {
    const circle: Record<string, unknown> = { x: 1 };
    circle.self = circle;
    expect(new BadRequest('m', { circle }).toJSON().data).toEqual({ circle: { x: 1, self: undefined } });
    const itself = new BadRequest('m');
    itself.data = { itself };
    expect(itself.toJSON().data).toEqual({ itself: undefined });
    // The error and its data are two of the levels.
    const deep = new GeneralError('m');
    deep.data = nested(60, 'bottom');
    expect(below(49, deep.toJSON().data)).toEqual({ a: undefined });
    deep.data = nested(50, 'bottom');
    expect(below(50, deep.toJSON().data)).toBe('bottom');
    const thrower = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('s3cret');
      },
    });
    expect(new BadRequest('m', { thrower, b: 1 }).toJSON().data).toEqual({ thrower: undefined, b: 1 });
  });
});

describe('the status of an error, for error handlers of others', () => {
  it.each(['status', 'statusCode'] as const)('%s is its code, is not sent, and can be written', (name) => {
    const error = new FrameworkError('m', 'Teapot', 418, 'teapot');
    expect([error[name], Object.keys(error).includes(name)]).toEqual([418, false]);
    error[name] = 500;
    expect([error[name], error.code, JSON.stringify(error).includes('500')]).toEqual([500, 418, false]);
    expect(Object.getOwnPropertyDescriptor(error, name)).toEqual({ value: 500, writable: true, enumerable: false, configurable: true });
    error[name] = 501;
    expect(error[name]).toBe(501);
  });
});
