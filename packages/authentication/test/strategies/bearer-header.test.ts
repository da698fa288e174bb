import { describe, expect, it } from '@jest/globals';
import { tokenFromHeader } from '../../src/strategies/bearer-header.ts';

const read = (authorization: unknown): string | null =>
  tokenFromHeader({ headers: { authorization: authorization as string } }, 'Authorization', ['Bearer', 'Own']);

describe('the token of a header', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['OWN abc', 'abc'],
    ['Bearer   abc  ', 'abc'],
    ['abc', 'abc'],
    [' abc', 'abc'],
    [' Bearer abc ', 'abc'],
    ['  ', null],
    ['Bearer a b', null],
    ['Bearer  ', null],
    ['', null],
    [undefined, null],
    [['Bearer abc'], null],
  ])('of %j is %j', (header, token) => {
    expect(read(header)).toBe(token);
  });

  it('is read up to 16,384 characters of a header, and no further', () => {
    const longest = `Bearer ${'a'.repeat(16_384 - 'Bearer '.length)}`;
    expect(read(longest)).toBe(longest.slice('Bearer '.length));
    expect(read(`${longest}a`)).toBeNull();
    expect(read('a'.repeat(16_385))).toBeNull();
  });

  it('is missing from a request without headers', () => {
    expect(tokenFromHeader({}, 'Authorization', ['Bearer'])).toBeNull();
  });
});
