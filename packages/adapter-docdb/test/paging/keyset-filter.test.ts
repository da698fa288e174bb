import type { SortDirection, SortKey } from '@framework/query';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'mongodb';
import { behind } from '../../src/paging/keyset-filter.ts';
import { startHarness, type ServiceHarness } from '../harness.ts';

/** Values of all types, some of which are equal to others. */
const VALUES: readonly unknown[] = [
  new MinKey(),
  null,
  undefined,
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  -1,
  new Int32(0),
  0,
  new Double(0.5),
  Long.fromString('9007199254740993'),
  Decimal128.fromString('9007199254740993'),
  Number.POSITIVE_INFINITY,
  '',
  'a',
  new BSONSymbol('b'),
  'b',
  {},
  { a: 1 },
  new DBRef('c', new ObjectId('0123456789abcdef01234567')),
  new Binary(Buffer.from('x')),
  new ObjectId('0123456789abcdef01234567'),
  false,
  true,
  new Date(0),
  new Date(5),
  new Timestamp({ t: 1, i: 2 }),
  new Code('a'),
  new Code('a', { b: 1 }),
  new MaxKey(),
];

interface Row {
  readonly _id: number;
  readonly k?: unknown;
}

let harness: ServiceHarness;
const rows = () => harness.database.db.collection<Row>('keys');
beforeAll(async () => {
  harness = await startHarness();
  await rows().insertMany(VALUES.map((k, _id) => (k === undefined ? { _id } : { _id, k })));
});
afterAll(() => harness.database.close());

const idsOf = async (found: { toArray(): Promise<Row[]> }): Promise<number[]> => (await found.toArray()).map(({ _id }) => _id);

describe.each<[SortDirection, SortDirection]>([
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
])('the records behind one, in the order %i and %i', (first, second) => {
  it.each([false, true])('are those that the order has there, of whatever type; the record itself: %p', async (included) => {
    const keys: readonly SortKey[] = [
      ['k', first],
      ['_id', second],
    ];
    const order = await idsOf(rows().find().sort(Object.fromEntries(keys)));
    expect(order).toHaveLength(VALUES.length);
    for (const [place, id] of order.entries()) {
      const found = await idsOf(
        rows()
          .find(behind(keys, [VALUES[id], id], included))
          .sort(Object.fromEntries(keys)),
      );
      expect([id, found]).toEqual([id, order.slice(included ? place : place + 1)]);
    }
  });
});

it.each<[string, unknown, SortDirection]>([
  ['the last', VALUES.at(-1), 1],
  ['the first', VALUES[0], -1],
])('%s of all values has nothing behind it, and itself where it is meant', async (_title, value, direction) => {
  const find = (included: boolean): Promise<number[]> => idsOf(rows().find(behind([['k', direction]], [value], included)));
  expect([await find(false), await find(true)]).toEqual([[], [VALUES.indexOf(value)]]);
});

it('what is missing is found as null also behind an empty list on the way', async () => {
  const paths = harness.database.db.collection<{ _id: number }>('paths');
  await paths.insertMany([{ _id: 0 }, { _id: 1, a: [] }, { _id: 2, a: { b: null } }, { _id: 3, a: { b: 1 } }, { _id: 4, a: 5 }] as never[]);
  const found = await paths.find(behind([['a.b', -1]], [1])).toArray();
  expect(found.map(({ _id }) => _id).sort()).toEqual([0, 1, 2, 4]);
});

it.each<[string, unknown]>([
  ['a list', [1]],
  ['a pattern', /a/],
  ['a pattern of the database', new BSONRegExp('a')],
  ['a value of a type that nobody knows', { _bsontype: 'Unknown' }],
])('a record with %s in a sort key has no place: 400 with the cure', (_title, value) => {
  expect(() => behind([['k', 1]], [value])).toThrow(
    'Records with a value of this type in a sort key can not be paged by cursors: page with $skip',
  );
});

it('numbers may be of any kind: a bigint is one', async () => {
  const found = await idsOf(rows().find(behind([['k', 1]], [0n])));
  expect(found).not.toContain(VALUES.indexOf(0));
  expect(found).toContain(VALUES.indexOf(Number.POSITIVE_INFINITY));
});
