import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Collection, Document, Sort } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
let items: Collection;
beforeAll(async () => {
  harness = await start();
  items = harness.db.collection('lists');
});
afterAll(() => harness.stop());

async function ordered(documents: readonly Document[], sort: Sort): Promise<unknown[][]> {
  await items.deleteMany({});
  await items.insertMany(documents.map((document, at) => ({ ...document, _id: at as never })));
  const found = [items.find().sort(sort), items.find().sort(sort).limit(10), items.aggregate([{ $sort: sort }])];
  return Promise.all(found.map(async (cursor) => (await cursor.toArray()).map(({ _id }) => _id as unknown)));
}

const all = (ids: readonly number[]): (readonly number[])[] => [ids, ids, ids];

describe('a sort by several fields of the elements of an array', () => {
  // The least of each field alone would be 1 and 0 for both.
  const documents = [
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

  it('takes the values of one element together', async () => {
    expect(await ordered(documents, { 'a.b': 1, 'a.c': 1 })).toEqual(all([1, 0]));
    expect(await ordered(documents, { 'a.b': -1, 'a.c': 1 })).toEqual(all([1, 0]));
    expect(await ordered(documents, { 'a.b': 1, 'a.c': -1 })).toEqual(all([0, 1]));
  });

  it('gives the order that an index of these fields has', async () => {
    await items.createIndex({ 'a.b': 1, 'a.c': 1 });
    expect(await ordered(documents, { 'a.b': 1, 'a.c': 1 })).toEqual(all([1, 0]));
    await items.dropIndexes();
  });
});

describe('a sort by an array and another field', () => {
  it('has an empty array before what is missing', async () => {
    expect(await ordered([{ a: [3, 1], b: 2 }, { b: 2 }, { a: [], b: 2 }, { a: [2], b: 1 }], { b: 1, a: 1 })).toEqual(all([3, 2, 1, 0]));
  });

  it('looks past values that are no documents', async () => {
    expect(
      await ordered(
        [
          { a: [1], b: { c: 1 } },
          { a: [1], b: 7 },
        ],
        { a: 1, 'b.c': 1 },
      ),
    ).toEqual(all([1, 0]));
  });

  it('by two arrays is refused', async () => {
    await expect(ordered([{ a: [1], b: [2] }], { a: 1, b: 1 })).rejects.toMatchObject({
      code: 2,
      message: expect.stringContaining('cannot sort with keys that are parallel arrays'),
    });
  });

  it('beside the score of a text search is taken too', async () => {
    await items.deleteMany({});
    await items.insertMany([
      { text: 'tea', a: [2, 9] },
      { text: 'tea', a: [1, 3] },
    ]);
    await items.createIndex({ text: 'text' });
    const score = { $meta: 'textScore' };
    const found = items.find({ $text: { $search: 'tea' } }).sort({ score, a: 1 } as never);
    expect((await found.toArray()).map(({ a }) => a as unknown)).toEqual([
      [1, 3],
      [2, 9],
    ]);
    await items.dropIndexes();
  });
});

it('an update sorts the elements of a list by arrays in them as they are', async () => {
  await items.deleteMany({});
  await items.insertOne({ list: [] });
  const each = [{ a: [2], b: [1] }, { a: [1, 9], b: [0] }, 5, { a: [1] }];
  await items.updateOne({}, { $push: { list: { $each: each, $sort: { a: 1, b: 1 } } } } as never);
  expect((await items.findOne())?.list).toEqual([5, { a: [1] }, { a: [1, 9], b: [0] }, { a: [2], b: [1] }]);
});
