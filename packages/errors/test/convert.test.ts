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

  it('S8 does not reach a prototype through its input', () => {
    convert(JSON.parse('{"name":"NotFound","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
