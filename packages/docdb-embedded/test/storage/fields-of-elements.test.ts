import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Collection, Document, Filter } from 'mongodb';
import { start, type Harness } from '../harness.ts';

interface Item {
  _id: number;
  [name: string]: unknown;
}

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

describe('an index of several fields below one list', () => {
  let items: Collection<Item>;
  beforeAll(async () => {
    items = harness.db.collection<Item>('items');
    await items.insertMany([
      {
        _id: 1,
        a: [
          { b: 1, c: 5 },
          { b: 3, c: 2 },
        ],
        d: 1,
      },
      { _id: 2, a: { b: 1, c: 2 }, d: 1 },
      { _id: 3, a: [{ b: 1, c: 2 }], d: 1 },
      { _id: 4, a: [{ b: 3 }, { c: 2 }], d: 1 },
    ]);
  });

  it.each<[Document, Filter<Item>, readonly number[]]>([
    [{ 'a.b': 1, 'a.c': 1 }, { 'a.b': 1, 'a.c': 2 }, [1, 2, 3]],
    [{ 'a.b': 1, 'a.c': 1 }, { 'a.b': 1, 'a.c': { $lt: 3 } }, [1, 2, 3]],
    [{ 'a.b': 1, 'a.c': -1 }, { 'a.b': { $in: [1, 9] }, 'a.c': { $in: [2, 8] } }, [1, 2, 3]],
    [{ 'a.b': 1, d: 1, 'a.c': 1 }, { 'a.b': 3, d: 1, 'a.c': 2 }, [1, 4]],
    [{ 'a.b': 1, 'a.c': 1 }, { a: { $elemMatch: { b: 1, c: 2 } }, 'a.b': 1, 'a.c': 2 }, [3]],
    [{ a: 1, 'a.b': 1 }, { a: { b: 1, c: 5 }, 'a.b': 3 }, [1]],
  ])('%j finds each value in another element for %j', async (key, asked, ids) => {
    await items.createIndex(key as Record<string, 1 | -1>);
    const found = async (hint: Document): Promise<unknown> => (await items.find(asked, { hint }).toArray()).map(({ _id }) => _id).sort();
    expect([await found({}), await found(key)]).toEqual([ids, ids]);
    expect(await items.countDocuments(asked)).toBe(ids.length);
    await items.dropIndexes();
  });
});
