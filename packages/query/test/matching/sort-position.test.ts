import { describe, expect, it } from '@jest/globals';
import { BadRequest } from '@framework/errors';
import { compareSortPositions, firstSortValueOf, sortPositionOf, sortValueOf, type StoredRecord } from '../../src/index.ts';

type Keys = readonly (readonly [string, 1 | -1])[];

/** Places of the records in the order that the keys give. */
function order(records: readonly StoredRecord[], keys: Keys): number[] {
  const positionOf = sortPositionOf(keys);
  const rows = records.map((record, at) => ({ at, position: positionOf(record) }));
  rows.sort((a, b) => compareSortPositions(a.position, b.position, keys));
  return rows.map(({ at }) => at);
}

describe('the place of a record in an order of several keys', () => {
  // The least of each property alone would be 1 and 0 for both.
  const records = [
    {
      a: [
        { b: 1, c: 9 },
        { b: 2, c: 0 },
      ],
    },
    {
      a: [
        { b: 1, c: 5 },
        { b: 7, c: 0 },
      ],
    },
  ];

  it.each<[string, Keys, number[]]>([
    [
      'ascending',
      [
        ['a.b', 1],
        ['a.c', 1],
      ],
      [1, 0],
    ],
    [
      'of both directions',
      [
        ['a.b', -1],
        ['a.c', 1],
      ],
      [1, 0],
    ],
    [
      'of the other',
      [
        ['a.b', 1],
        ['a.c', -1],
      ],
      [0, 1],
    ],
  ])('takes the properties of one element together, %s', (_what, keys, wanted) => {
    expect(order(records, keys)).toEqual(wanted);
  });

  it('has an empty list before what is missing, and lists in lists as values', () => {
    expect(
      order(
        [{ a: [3, 1], b: 2 }, { b: 2 }, { a: [], b: 2 }, { a: [2], b: 1 }],
        [
          ['b', 1],
          ['a', 1],
        ],
      ),
    ).toEqual([3, 2, 1, 0]);
    expect(
      sortPositionOf([
        ['a', 1],
        ['b', 1],
      ])({ a: [[1, 2]], b: 0 }),
    ).toEqual([[1, 2], 0]);
  });

  it('is refused where two keys lie in different lists', () => {
    const positionOf = sortPositionOf([
      ['a', 1],
      ['b', 1],
    ]);
    expect(() => positionOf({ a: [1], b: [1] })).toThrow(BadRequest);
    expect(positionOf({ a: [1], b: 1 })).toEqual([1, 1]);
  });

  it('is refused too where only the first value of it is read', () => {
    const first = firstSortValueOf([
      ['a', 1],
      ['b', 1],
    ]);
    expect(() => first({ a: [1], b: [1] })).toThrow(BadRequest);
    expect([first({ a: [2, 1], b: 1 }), first({ a: 3, b: [1, 2] })]).toEqual([1, 3]);
    const ofThree = firstSortValueOf([
      ['a', 1],
      ['b', 1],
      ['c.d', 1],
    ]);
    expect(() => ofThree({ a: 1, b: [1], c: [{ d: 1 }] })).toThrow(BadRequest);
    expect(ofThree({ a: 1, b: [1], c: { d: 1 } })).toBe(1);
  });
});

describe('a number in a sort key', () => {
  it('is a place in a list', () => {
    const records = [{ a: [{ x: 2 }] }, { a: [{ x: 1 }, { x: 9 }] }, { a: [{ x: 3 }, { x: 0 }] }];
    expect(order(records, [['a.0.x', 1]])).toEqual([1, 0, 2]);
    expect(
      order(records, [
        ['a.0.x', 1],
        ['b', 1],
      ]),
    ).toEqual([1, 0, 2]);
    expect(sortValueOf('a.0', -1)({ a: { 0: 'property' } })).toBe('property');
  });

  it('is refused where it is a property of the elements too', () => {
    const record = { a: [{ 0: 1 }], b: [1] };
    for (const keys of [
      [['a.0', 1]],
      [
        ['a.0', 1],
        ['b', 1],
      ],
    ] as const)
      expect(() => sortPositionOf(keys)(record)).toThrow(BadRequest);
  });
});

it('a list at a place in a list is what is sorted by, and not its elements', () => {
  const records = [{ a: [[5, 1]] }, { a: [[2]] }, { a: [[]] }, { a: [3] }, { a: [] }];
  for (const others of [[], [['b', 1]]] as Keys[]) {
    expect(order(records, [['a.0', 1], ...others])).toEqual([4, 3, 2, 1, 0]);
    expect(order(records, [['a.0', -1], ...others])).toEqual([0, 1, 2, 3, 4]);
  }
});

it('the first value of a position is read as the position has it', () => {
  const records = [{ a: [{ b: 1 }, 2] }, { a: [null, { b: 3 }] }, { a: [] }, { a: [{ b: 2 }, { c: 1 }] }, { a: { b: 4 } }, {}];
  for (const name of ['a', 'a.b', 'a.0.b', 'c'])
    for (const direction of [1, -1] as const)
      for (const others of [[], [['c', 1]], [['a.c', -1]]] as Keys[]) {
        const keys: Keys = [[name, direction], ...others];
        const [first, position] = [firstSortValueOf(keys), sortPositionOf(keys)];
        for (const record of records) expect([keys, record, first(record)]).toEqual([keys, record, position(record)[0]]);
      }
});
