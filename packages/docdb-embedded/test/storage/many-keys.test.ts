import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
let items: Collection<Document & { _id: number }>;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  items = harness.db.collection('items');
  await items.deleteMany({});
});

/** @returns how often bytes are compared, or made into something that can be compared, while something is done */
async function comparisons(work: () => Promise<unknown>): Promise<number> {
  const spies = (['equals', 'compare', 'toString'] as const).map((name) => jest.spyOn(Buffer.prototype, name));
  try {
    await work();
    return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe('a document with many keys in an index', () => {
  const changes: readonly (readonly [string, Document, (count: number) => unknown])[] = [
    ['a list', { list: 1 }, (count) => Array.from({ length: count }, (_none, n) => n)],
    ['words', { list: 'text' }, (count) => Array.from({ length: count }, (_none, n) => `word${String(n)}`)],
    ['all fields', { 'list.$**': 1 }, (count) => Object.fromEntries(Array.from({ length: count }, (_none, n) => [`f${String(n)}`, n]))],
  ];

  it.each(changes)('is changed by work that grows with them and not with their square: %s', async (_what, key, valueOf) => {
    await items.dropIndexes();
    await items.createIndex(key as never);
    const workOf = async (count: number): Promise<number> => {
      await items.insertOne({ _id: count, list: valueOf(count) });
      return comparisons(() => items.updateOne({ _id: count }, { $set: { list: valueOf(count + 1) } }));
    };
    const few = await workOf(500);
    expect(await workOf(2000)).toBeLessThan(few * 6);
  });

  it.each<[string, Document, boolean]>([
    ['a list', { list: 1 }, false],
    ['a list of values that nobody else has', { list: 1 }, true],
    ['all fields', { '$**': 1 }, false],
  ])('is changed in one of them by work that does not grow with the others: %s', async (_what, key, unique) => {
    const changed = async (count: number): Promise<number> => {
      await items.deleteMany({});
      await items.insertOne({ _id: count, list: Array.from({ length: count }, (_none, n) => n) });
      return comparisons(() => items.updateOne({ _id: count }, { $set: { [`list.${String(count / 2)}`]: -count } }));
    };
    // Reading the document takes longer with each of them.
    await items.dropIndexes();
    const plain = [await changed(500), await changed(2000)] as const;
    await items.createIndex(key as never, { unique });
    const few = (await changed(500)) - plain[0];
    expect((await changed(2000)) - plain[1]).toBeLessThan(few + 100);
  });

  it('is found by those that are new, and not by those that it has no more', async () => {
    await items.dropIndexes();
    await items.createIndex({ list: 1 });
    await items.insertOne({ _id: 1, list: [1, 2, 3, 'a'] });
    await items.updateOne({ _id: 1 }, { $set: { list: [3, 'a', 4, 4] } });
    const found = async (value: unknown): Promise<number> => (await items.find({ list: value }).hint('list_1').toArray()).length;
    expect(await Promise.all([1, 2, 3, 'a', 4].map(found))).toEqual([0, 0, 1, 1, 1]);
    expect(await harness.db.command({ validate: 'items', full: true })).toMatchObject({ valid: true, keysPerIndex: { list_1: 3 } });
  });
});
