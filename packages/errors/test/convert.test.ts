import { describe, expect, it } from '@jest/globals';
import { convert, NotFound } from '../src/index.ts';

describe('convert', () => {
  it('gives an instance of the class that the name names, with further properties', () => {
    const error = convert({
      name: 'NotFound',
      message: 'gone',
      code: 404,
      className: 'not-found',
      data: { id: 1 },
      errors: { a: 1 },
      expando: 'x',
    });
    expect(error).toBeInstanceOf(NotFound);
    expect(error).toMatchObject({ message: 'gone', data: { id: 1 }, errors: { a: 1 }, expando: 'x' });
  });

  it('gives a plain error for a name outside the catalogue', () => {
    const error = convert({ name: 'Strange', message: 'm' });
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(NotFound);
    expect(error.message).toBe('m');
  });

  it('gives falsy input back and makes an error of a text', () => {
    expect(convert(null)).toBeNull();
    expect(convert(undefined)).toBeUndefined();
    expect(convert('text').message).toBe('text');
  });

  it('S8 takes neither a prototype nor a property of that name from its input', () => {
    const error = convert(JSON.parse('{"name":"NotFound","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(error).toBeInstanceOf(NotFound);
    expect(Object.hasOwn(error as object, '__proto__')).toBe(false);
    expect(Object.hasOwn(error as object, 'constructor')).toBe(true);
  });

  it('takes a name and a message of other types as none', () => {
    expect(convert({ name: 404, message: 5 })).not.toBeInstanceOf(NotFound);
    expect(convert({ name: {}, code: 404 }).message).toBe('Error');
    expect(convert({ name: 'Strange' }).message).toBe('Error');
  });

  it('gives the message to the constructor, so that it is in the stack', () => {
    expect(convert({ name: 'NotFound', message: 'gone' }).stack).toContain('gone');
    expect(convert({ message: 'plainly gone' }).stack).toContain('plainly gone');
  });

  it('makes properties that can be written, listed and taken away, as those of any object', () => {
    const error = convert({ name: 'NotFound', message: 'gone', expando: 'x' });
    expect(Object.getOwnPropertyDescriptor(error, 'expando')).toEqual({ value: 'x', writable: true, enumerable: true, configurable: true });
  });
});
