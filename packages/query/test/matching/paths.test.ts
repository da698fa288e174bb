import { describe, expect, it } from '@jest/globals';
import { compareSortValues, hasList, isAfter, ownValueOf, placeOf, sortValueOf, valuesAt } from '../../src/matching/paths.ts';

describe('the values at a path', () => {
  it.each<[string, unknown, unknown[]]>([
    ['a', { a: 1 }, [1]],
    ['a', {}, [undefined]],
    ['a.b', { a: { b: null } }, [null]],
    ['a.b', { a: 5 }, [undefined]],
    ['a.b', { a: null }, [undefined]],
    ['a.b', { a: [{ b: 1 }, { b: [2, 3] }, {}, 5, null] }, [1, [2, 3], undefined]],
    ['a.b', { a: [] }, []],
    ['a.b', { a: [[{ b: 1 }]] }, []],
    ['a.0.b', { a: [[{ b: 1 }]] }, [1]],
    ['a.0', { a: ['x', 'y'] }, ['x']],
    ['a.1', { a: ['x'] }, []],
    ['a.0', { a: [{ 0: 'in' }] }, [{ 0: 'in' }, 'in']],
    ['a.0.b', { a: [{ b: 1 }] }, [1, undefined]],
    ['a.01', { a: ['x', 'y'] }, []],
    ['a.b.c', { a: [{ b: [{ c: 1 }, { c: 2 }] }] }, [1, 2]],
    ['a.toString', { a: {} }, [undefined]],
    ['a.length', { a: [1, 2] }, []],
  ])('%s of %j', (path, root, expected) => {
    expect(valuesAt(root, path.split('.'))).toEqual(expected);
  });

  it.each([
    ['0', 0],
    ['12', 12],
    ['999999999', 999_999_999],
    ['1000000000', undefined],
    ['01', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['x1', undefined],
    ['1x', undefined],
    ['', undefined],
  ])('%p is a place in a list or not', (name, expected) => {
    expect(placeOf(name)).toBe(expected);
  });

  it('what a record inherits is not its own', () => {
    for (const name of ['toString', 'constructor', '__proto__']) expect(ownValueOf(name)({})).toBeUndefined();
    expect(ownValueOf('constructor')({ constructor: 5 })).toBe(5);
    expect(ownValueOf('name')({ name: 5 })).toBe(5);
  });

  it.each<[unknown, string, boolean]>([
    [{ a: [] }, 'a', true],
    [{ a: { b: [1] } }, 'a.b', true],
    [{ a: [{ b: 1 }] }, 'a.b', true],
    [{ a: { b: 1 }, c: [] }, 'a.b', false],
    [{ a: 1 }, 'a.b', false],
    [{}, 'toString', false],
  ])('%j has a list on %s: %p', (value, path, expected) => {
    expect(hasList(value, path.split('.'))).toBe(expected);
  });
});

describe('what a record is sorted by', () => {
  it.each<[unknown, unknown, unknown]>([
    [5, 5, 5],
    [undefined, undefined, undefined],
    [[3, 1, 2], 1, 3],
    [['b', 7], 7, 'b'],
    [[null, 1], null, 1],
    [[[2], 1], 1, [2]],
  ])('of %j the smallest ascending and the largest descending', (value, smallest, largest) => {
    for (const [name, record] of [
      ['a', { a: value }],
      ['b.a', { b: { a: value } }],
    ] as const) {
      expect(sortValueOf(name, 1)(record)).toEqual(smallest);
      expect(sortValueOf(name, -1)(record)).toEqual(largest);
    }
  });

  it('values of several places count together, and an empty list comes before everything', () => {
    expect(sortValueOf('b.a', 1)({ b: [{ a: 3 }, { a: [1, 2] }] })).toBe(1);
    expect(sortValueOf('b.a', -1)({ b: [{ a: 3 }, { a: [9, 2] }] })).toBe(9);
    const [empty, nothing, one] = [{ a: [] }, { a: null }, { a: 1 }].map(sortValueOf('a', 1));
    expect([compareSortValues(empty, nothing), compareSortValues(nothing, empty), compareSortValues(empty, empty)].map(Math.sign)).toEqual([
      -1, 1, 0,
    ]);
    expect(Math.sign(compareSortValues(one, empty))).toBe(1);
    expect(sortValueOf('a', -1)({ a: [[], 1] })).toEqual([]);
  });

  const values = [
    undefined,
    null,
    Number.NaN,
    -1,
    0,
    1,
    1n,
    2.5,
    '',
    'a',
    'b',
    '\ud7ff',
    '\ue000',
    '\ud83d\ude00',
    true,
    new Date(1),
    [],
    [1],
    {},
  ];
  it.each([1, -1])('isAfter says what the comparison says, for every pair: direction %p', (direction) => {
    const wrong: unknown[] = [];
    for (const limit of values)
      for (const value of values)
        if (isAfter(limit, direction)(value) !== compareSortValues(value, limit) * direction > 0) wrong.push([value, limit]);
    expect(wrong).toEqual([]);
  });
});
