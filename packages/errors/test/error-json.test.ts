import { runInNewContext } from 'node:vm';
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

  describe('S40 of instances', () => {
    class Failure {
      readonly at = new Date(0);
      readonly cause: unknown;
      constructor(cause: unknown) {
        this.cause = cause;
      }
      get hidden(): string {
        return 'not own';
      }
    }
    const sent = (data: unknown): unknown => {
      const error = new GeneralError('m');
      error.data = data;
      return error.toJSON().data;
    };
    const foreign = (): Error => Object.assign(new Error('s3cret'), { config: { headers: { authorization: 's3cret' } } });

    it('look for errors in what they have as own properties', () => {
      const data = { failure: new Failure([foreign()]), n: 1 };
      expect(sent(data)).toStrictEqual({ failure: { at: new Date(0), cause: [{ message: UNEXPECTED }] }, n: 1 });
      expect(JSON.stringify(sent(new Failure({ deep: new Failure(foreign()) })))).not.toContain('s3cret');
    });

    it('look for errors in the JSON that they make, as plain objects may, too', () => {
      class Made {
        readonly #cause = foreign();
        toJSON(): unknown {
          return { cause: this.#cause };
        }
      }
      const plain = { toJSON: () => new Made() };
      expect(sent({ made: new Made(), plain })).toStrictEqual({
        made: { cause: { message: UNEXPECTED } },
        plain: { cause: { message: UNEXPECTED } },
      });
    });

    it('look for errors in objects of another realm', () => {
      const other = runInNewContext('({ list: [{}] })') as { list: { error?: Error }[] };
      Object.assign(other.list[0]!, { error: foreign() });
      expect(sent(other)).toEqual({ list: [{ error: { message: UNEXPECTED } }] });
    });

    it('are themselves where nothing in them is held back', () => {
      const itself = new (class {
        readonly a = 1;
        toJSON(): unknown {
          return this;
        }
      })();
      const data = { failure: new Failure({ b: [2] }), itself, bytes: new Uint8Array(3), buffer: Buffer.from('x'), map: new Map([[1, 2]]) };
      expect(sent(data)).toBe(data);
    });

    it('are left out as a whole where something in them contains itself, or can not be read', () => {
      const circle = new Failure({});
      Object.assign(circle.cause as object, { circle });
      const around = new Failure({ headers: { authorization: 's3cret' }, plain: {} as Record<string, unknown> });
      const { plain } = around.cause as { plain: Record<string, unknown> };
      plain.plain = plain;
      const unreadable = new Failure({
        get a(): string {
          throw new Error('s3cret');
        },
      });
      expect(sent({ circle, around, unreadable, n: 1 })).toEqual({ circle: undefined, around: undefined, unreadable: undefined, n: 1 });
    });
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
