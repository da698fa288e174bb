import { describe, expect, it } from '@jest/globals';
import { compareValues, isObjectId, isRecord, plainRecord, rankOf } from '../../src/matching/values.ts';

const objectId = (hex: string) => ({ _bsontype: 'ObjectId', toHexString: () => hex });
const long = { _bsontype: 'Long', high: 1 };

/** Each before those behind it; values in one list are equal. */
const ORDER: readonly (readonly unknown[])[] = [
  [null, undefined],
  [Number.NaN, NaN],
  [-Infinity],
  [-5n, -5],
  [0, -0, 0n],
  [0.5],
  [1, 1n],
  [9_007_199_254_740_992n, 9_007_199_254_740_992],
  [9_007_199_254_740_993n],
  [9_007_199_254_740_994n],
  [Infinity],
  [''],
  ['B'],
  ['a', String('a')],
  ['a\u0000'],
  ['aa'],
  ['b'],
  ['\ud7ff'],
  ['\ue000'],
  ['\uffff'],
  ['\ud800\udc00'],
  ['\ud83d\ude00'],
  [{}, Object.create(null)],
  [{ b: 1 }, { b: 1n }],
  [{ b: 1, c: null }],
  [{ b: 2 }],
  [{ c: 1 }],
  [{ a: 'x' }],
  [[]],
  [[1], [1n]],
  [[1, 0]],
  [[2]],
  [['a']],
  [new Uint8Array([]), Buffer.from([])],
  [new Uint8Array([9]), new DataView(new Uint8Array([1, 9, 2]).buffer, 1, 1)],
  [new Uint8Array([1, 2])],
  [new Uint8Array([1, 3]), Buffer.from([1, 3])],
  [objectId('000000000000000000000001'), objectId('000000000000000000000001')],
  [objectId('000000000000000000000002')],
  [false],
  [true],
  [new Date(-1)],
  [new Date(0), new Date(0)],
  [new Date(5)],
  [/a/, /a/],
  [/b/],
  [/b/i],
  [long],
];

describe('the order of values', () => {
  it('is that of types first, and then of each type; every pair, both ways', () => {
    const wrong: unknown[] = [];
    ORDER.forEach((left, i) =>
      ORDER.forEach((right, j) => {
        for (const a of left) for (const b of right) if (Math.sign(compareValues(a, b)) !== Math.sign(i - j)) wrong.push([a, b]);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('is the same inside of lists and objects', () => {
    const wrong: unknown[] = [];
    ORDER.forEach((left, i) =>
      ORDER.forEach((right, j) => {
        const [a, b] = [left[0], right[0]];
        const orders = [compareValues([0, a], [0, b]), compareValues({ v: a }, { v: b }), compareValues([{ v: [a] }], [{ v: [b] }])];
        if (orders.some((order) => Math.sign(order) !== Math.sign(i - j))) wrong.push([a, b]);
      }),
    );
    expect(wrong).toEqual([]);
  });
});

it.each<[string, unknown, boolean]>([
  ['an object', {}, true],
  ['an object without a prototype', Object.create(null), true],
  ['an instance', new (class Person {})(), true],
  ['a list', [], false],
  ['nothing', null, false],
  ['a date', new Date(), false],
  ['a pattern', /a/, false],
  ['bytes', new Uint8Array(1), false],
  ['an object id', objectId('0'), false],
  ['another value of the driver', long, false],
  ['a function', () => 1, false],
  ['a text', 'x', false],
])('%s is a record or not', (_, value, expected) => {
  expect(isRecord(value)).toBe(expected);
});

it('what comes from outside is never an object id', () => {
  expect(isObjectId(objectId('0'))).toBe(true);
  for (const value of [
    null,
    undefined,
    'x',
    {},
    { _bsontype: 'ObjectId' },
    { _bsontype: 'ObjectId', toHexString: '0' },
    { _bsontype: 'Long', toHexString: () => '0' },
  ])
    expect(isObjectId(value)).toBe(false);
});

it('an object id of a driver whose bson package is older than 5 is one too, and sorts among others', () => {
  class ObjectID {
    readonly #hex: string;
    constructor(hex: string) {
      this.#hex = hex;
    }
    toHexString(): string {
      return this.#hex;
    }
  }
  Object.defineProperty(ObjectID.prototype, '_bsontype', { value: 'ObjectID' });
  const old = new ObjectID('1');
  expect(isObjectId(old)).toBe(true);
  const [first, last] = [objectId('0'), objectId('2')];
  expect([last, old, first].sort(compareValues)).toEqual([first, old, last]);
  for (const other of [{ _bsontype: 'ObjectID' }, { _bsontype: 'ObjectID', toHexString: () => '0' }, { toHexString: () => '0' }])
    expect(isObjectId(other)).toBe(false);
});

it('symbols and functions come last, and are of one rank', () => {
  expect(new Set([rankOf(Symbol('a')), rankOf(() => 1), rankOf(long)]).size).toBe(1);
  expect(rankOf(() => 1)).toBeGreaterThan(rankOf(/a/));
});

it('a plain record is taken as it is, an instance by what it has itself', () => {
  const plain = { a: 1 };
  expect(plainRecord(plain)).toBe(plain);
  class Person {
    name = 'Ann';
    get shout(): string {
      return 'ANN';
    }
  }
  expect(Object.getPrototypeOf(plainRecord(new Person() as never))).toBe(Object.prototype);
  expect(plainRecord(new Person() as never)).toEqual({ name: 'Ann' });
});
