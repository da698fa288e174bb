import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';
import { answeredDuring } from '../turns.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  const items = harness.db.collection('items');
  await items.insertMany(Array.from({ length: 10_000 }, (_none, at) => ({ at })));
  await items.createIndex({ at: 1 });
  await change({ prepareUnique: true });
});
afterAll(() => harness.stop());

const change = (options: Document, more: Document = {}): Promise<Document> =>
  harness.db.command({ collMod: 'items', index: { name: 'at_1', ...options }, ...more });

it('gives others their turn while it looks whether an index can become unique', async () => {
  const { result, answered } = await answeredDuring(harness.db, () => change({ unique: true }, { dryRun: true }));
  expect(result).toMatchObject({ ok: 1 });
  expect(answered).toBeGreaterThan(100);
});

it('ends in time', async () => {
  await expect(change({ unique: true }, { maxTimeMS: 1 })).rejects.toMatchObject({ code: 50 });
});

it('makes an index unique that was changed while it looked', async () => {
  const [made, hidden] = [change({ unique: true }), change({ hidden: true })];
  expect(await hidden).toMatchObject({ hidden_new: true });
  expect(await made).toMatchObject({ unique_new: true });
  const indexes = await harness.db.collection('items').indexes();
  expect(indexes[1]).toMatchObject({ unique: true, hidden: true });
  await expect(harness.db.collection('items').insertOne({ at: 5 })).rejects.toMatchObject({ code: 11000 });
});
