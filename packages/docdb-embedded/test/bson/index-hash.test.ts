import { describe, expect, it } from '@jest/globals';
import { Decimal128, Double, ObjectId } from 'bson';
import { indexHash } from '../../src/bson/index-hash.ts';
import type { Value } from '../../src/bson/values.ts';

describe('the hash that an index has of a value', () => {
  it.each([
    ['a whole number', 1, 5902408780260971510n],
    ['null', null, 2338878944348059895n],
    ['what is missing', undefined, 2338878944348059895n],
    ['a text', 'hello', 5347277839332858538n],
  ])('is that of MongoDB for %s', (_what, value, hash) => {
    expect(indexHash(value)).toBe(hash);
  });

  it('is the same for numbers with the same whole part, whatever their kind', () => {
    for (const one of [1n, new Double(1), 1.9, Decimal128.fromString('1.5')]) expect(indexHash(one)).toBe(5902408780260971510n);
    expect(indexHash(Number.NaN)).toBe(indexHash(0));
    expect(indexHash(1e300)).toBe(indexHash(2n ** 63n - 1n));
    expect(indexHash(-Infinity)).toBe(indexHash(-(2n ** 63n)));
  });

  it('differs for values that differ, and for names and places of their parts', () => {
    const values: Value[] = [
      '',
      'a',
      '1',
      true,
      false,
      {},
      [],
      { a: 1 },
      { b: 1 },
      { a: { b: 1 } },
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      [1],
      [1, 2],
      [[1]],
    ];
    values.push(new Date(1), new ObjectId('0123456789abcdef01234567'), { 0: 1 });
    expect(new Set(values.map(indexHash)).size).toBe(values.length);
  });
});
