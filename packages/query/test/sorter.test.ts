import { describe, expect, it } from '@jest/globals';
import { compareSortValues, compareValues, isAfter, sorter, sortValueOf } from '../src/index.ts';

const date = (time: number): Date => new Date(time);

describe('compareValues', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing before numbers', null, -1],
    ['nothing before numbers, when it is missing', undefined, 0],
    ['numbers before texts', 1e9, ''],
    ['big numbers before texts', 10n, ''],
    ['texts before truth values', 'z', false],
    ['truth values before dates', true, date(0)],
    ['dates before lists', date(9), []],
    ['lists before objects', [9], {}],
    ['numbers by value', 2, 10],
    ['big numbers beside others', 2n, 3],
    ['texts by their characters', '10', '2'],
    ['truth values', false, true],
    ['dates', date(1), date(2)],
    ['not-a-number before all numbers', Number.NaN, -Infinity],
    ['not-a-number before big numbers', Number.NaN, -(2n ** 70n)],
    ['dates that are none before others', date(Number.NaN), date(-1)],
    ['lists by their first difference', [1, 9], [2, 1]],
    ['lists by a later difference', [1, 1, 9], [1, 2, 1]],
    ['a list before a longer one that begins with it', [1], [1, 0]],
    ['an empty list before others', [], [0]],
    ['lists in lists', [[1]], [[2]]],
    ['objects by their names', { a: 9 }, { b: 1 }],
    ['objects by their values', { a: 1 }, { a: 2 }],
    ['an object before a larger one', { a: 1 }, { a: 1, b: 0 }],
  ])('puts %s', (_what, before, after) => {
    expect([Math.sign(compareValues(before, after)), Math.sign(compareValues(after, before))]).toEqual([-1, 1]);
  });

  it.each<[unknown, unknown]>([
    [null, undefined],
    [undefined, null],
    [5, 5],
    [5n, 5],
    ['a', 'a'],
    [date(1), date(1)],
    [
      [1, 'a'],
      [1, 'a'],
    ],
    [{ a: [1] }, { a: [1] }],
    [Number.NaN, Number.NaN],
    [date(Number.NaN), date(Number.NaN)],
    ['NaN', 'NaN'],
  ])('takes %p and %p as equal', (a, b) => {
    expect(compareValues(a, b)).toBe(0);
  });
});

describe('isAfter', () => {
  const numbers = [Number.NaN, -Infinity, -1.5, -0, 0, 1, 2 ** 53, Infinity, 10n, -(2n ** 70n)];
  // Of the characters beyond the basic plane and those before them code units and code points differ in their order.
  const texts = ['', 'a', 'ab', 'b', 'é', '\ud7ff', '\ud800', '\ud83d\ude00', '\udfff', '\ue000', '\uffff', 'a\uffff', 'a\ud83d\ude00'];
  const emptyList = sortValueOf('list', 1)({ list: [] });
  const others = [null, undefined, true, false, date(0), date(1), [1], {}, { a: 1 }, /a/, new Uint8Array([1]), emptyList];
  const values = [...numbers, ...texts, ...others];

  it.each([1, -1])('says what a comparison says, of every two values (direction %d)', (direction) => {
    const [said, compared] = [isAfter, (limit: unknown) => (value: unknown) => compareSortValues(value, limit) * direction > 0].map(
      (prepare) => values.map((limit) => values.map(prepare(limit, direction))),
    );
    expect(said).toEqual(compared);
    expect(new Set(said?.flat())).toEqual(new Set([true, false]));
  });
});

describe('sorter', () => {
  it('reads paths, and takes a path through a value that is no object as missing', () => {
    const rows = [{ a: { b: 2 } }, { a: 'text' }, { a: null }, { a: { b: 1 } }, 'text', null];
    expect(rows.sort(sorter({ 'a.b': -1 })).slice(0, 2)).toEqual([{ a: { b: 2 } }, { a: { b: 1 } }]);
    expect(sorter({ 'a.length': 1 })({ a: 'text' }, { a: null })).toBe(0);
    expect(sorter({ 'a.toString': 1 })({ a: {} }, { a: { toString: 1 } })).toBe(-1);
  });

  it('goes on with the next key only where the first ones are equal', () => {
    expect(sorter({ a: -1, b: 1 })({ a: [1, 2], b: 1 }, { a: [1], b: 0 })).toBeLessThan(0);
    expect(sorter({ a: 1, b: -1 })({ a: 1, b: 1 }, { a: 1, b: 2 })).toBeGreaterThan(0);
    expect(sorter({})({ a: 1 }, { a: 2 })).toBe(0);
  });
});
