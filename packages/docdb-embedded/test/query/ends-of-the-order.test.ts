import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Decimal128, MaxKey, MinKey, type Document, type IndexDirection } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

it.each<[string, Record<string, IndexDirection> | undefined, boolean]>([
  ['without an index', undefined, false],
  ['by an index', { a: 1 }, false],
  ['beside a sparse index', { a: 1 }, true],
])('finds documents that miss the field between the ends of the order, %s', async (name, key, sparse) => {
  const items = harness.db.collection<Document & { _id: number }>(name);
  await items.insertMany([{ _id: 1 }, { _id: 2, a: null }, { _id: 3, a: new MinKey() }, { _id: 4, a: new MaxKey() }]);
  if (key) await items.createIndex(key, { sparse });
  const found = async (condition: Document): Promise<unknown> =>
    (await items.find({ a: condition }).toArray()).map(({ _id }) => _id as unknown).sort();
  expect(await found({ $gt: new MinKey() })).toEqual([1, 2, 4]);
  expect(await found({ $gte: new MinKey() })).toEqual([1, 2, 3, 4]);
  expect(await found({ $lt: new MaxKey() })).toEqual([1, 2, 3]);
  expect(await found({ $lte: new MaxKey() })).toEqual([1, 2, 3, 4]);
  expect(await found({ $lte: new MinKey() })).toEqual([3]);
  expect(await found({ $gt: new MaxKey() })).toEqual([]);
  expect(await found({ $lt: 5 })).toEqual([]);
});

it.each<[string, Record<string, IndexDirection> | undefined]>([
  ['without an index', undefined],
  ['by an index', { a: 1 }],
  ['by an index of all fields', { '$**': 1 }],
])('finds what is not a number between the ends of the order, %s', async (name, key) => {
  const items = harness.db.collection<Document & { _id: number }>(`nan ${name}`);
  await items.insertMany([
    { _id: 1, a: NaN },
    { _id: 2, a: Decimal128.fromString('NaN') },
    { _id: 3, a: 5 },
    { _id: 4, a: [NaN] },
  ]);
  if (key) await items.createIndex(key);
  for (const condition of [{ $gt: new MinKey() }, { $gte: new MinKey() }, { $lt: new MaxKey() }, { $lte: new MaxKey() }]) {
    expect(await items.countDocuments({ a: condition })).toBe(4);
    expect(await items.find({ a: condition }).toArray()).toHaveLength(4);
    expect(await items.find({ a: { $not: condition } }).toArray()).toEqual([]);
  }
  for (const condition of [{ $lt: new MinKey() }, { $lte: new MinKey() }, { $gt: new MaxKey() }, { $gte: new MaxKey() }])
    expect(await items.find({ a: condition }).toArray()).toEqual([]);
});

it('has nothing that is not a number within the bounds of a schema', async () => {
  const items = harness.db.collection<Document & { _id: number }>('numbers');
  await items.insertMany([
    { _id: 1, a: NaN },
    { _id: 2, a: 1 },
    { _id: 3, a: Decimal128.fromString('NaN') },
  ]);
  const found = async (schema: Document): Promise<unknown> =>
    (await items.find({ $jsonSchema: { properties: { a: schema } } }).toArray()).map(({ _id }) => _id as unknown);
  expect(await found({ maximum: 5 })).toEqual([2]);
  expect(await found({ maximum: 5, exclusiveMaximum: true })).toEqual([2]);
  expect(await found({ minimum: 0 })).toEqual([2]);
  expect(await found({ maximum: NaN })).toEqual([1, 3]);
});
