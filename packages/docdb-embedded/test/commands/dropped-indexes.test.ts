import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, FindCursor } from 'mongodb';
import { start, type Harness } from '../harness.ts';

interface Item {
  readonly _id: number;
  readonly a: number;
}

let harness: Harness;
let items: Collection<Item>;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  items = harness.db.collection<Item>('items');
  await items.insertMany(Array.from({ length: 20 }, (_none, _id) => ({ _id, a: _id })));
  await items.createIndexes([
    { key: { a: 1 }, name: 'used' },
    { key: { b: 1 }, name: 'other' },
  ]);
});

async function begun(cursor: FindCursor<Item>): Promise<FindCursor<Item>> {
  await cursor.next();
  return cursor;
}

describe('a cursor whose index is dropped', () => {
  const killed = { code: 175, codeName: 'QueryPlanKilled', message: expect.stringContaining("index 'used' dropped") };

  it.each<[string, () => FindCursor<Item>]>([
    ['was hinted', () => items.find({}, { batchSize: 2, hint: 'used' })],
    ['was chosen', () => items.find({ a: { $gte: 0 } }, { batchSize: 2 })],
    ['gives the order', () => items.find({}, { batchSize: 2, sort: { a: 1 } })],
  ])('ends where the index %s', async (_how, open) => {
    const cursor = await begun(open());
    await items.dropIndex('used');
    await expect(cursor.toArray()).rejects.toMatchObject(killed);
  });

  it('ends where another index has the name by then', async () => {
    const cursor = await begun(items.find({}, { batchSize: 2, hint: 'used' }));
    await items.dropIndex('used');
    await items.createIndex({ a: 1 }, { name: 'used' });
    await expect(cursor.toArray()).rejects.toMatchObject(killed);
  });

  it('goes on where another index is dropped, or its own changed', async () => {
    const cursor = await begun(items.find({}, { batchSize: 2, hint: 'used' }));
    await items.dropIndex('other');
    await harness.db.command({ collMod: 'items', index: { name: 'used', hidden: true } });
    expect(await cursor.toArray()).toHaveLength(19);
  });

  it('goes on where it reads without it, or reads a state that is held', async () => {
    const session = harness.client.startSession({ snapshot: true });
    const cursors = [
      await begun(items.find({ _id: { $gte: 0 } }, { batchSize: 2 })),
      await begun(items.find({}, { batchSize: 2, hint: 'used', session })),
    ];
    await items.dropIndex('used');
    for (const cursor of cursors) expect(await cursor.toArray()).toHaveLength(19);
    await session.endSession();
  });
});
