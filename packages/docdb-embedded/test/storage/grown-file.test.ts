import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ClientSession, Collection, Document } from 'mongodb';
import { type Harness, start } from '../harness.ts';

/** More entries of long keys, or documents, than a transaction may remove in a large file. */
const KEYS = 200;
const NEIGHBOURS = 1600;
const PART = 'x'.repeat(7 * 1024 * 1024);

let harness: Harness;
let texts: Collection<Document & { _id: number }>;
let pairs: Collection<Document & { _id: number }>;
beforeAll(async () => {
  harness = await start();
  texts = harness.db.collection('texts');
  await texts.createIndex({ text: 1 });
  await texts.insertMany(Array.from({ length: KEYS }, (_none, n) => ({ _id: n, text: `${String(n)}${'y'.repeat(700)}` })));
  pairs = harness.db.collection('pairs');
  // Behind each small document is one that lies on a page of its own.
  await pairs.insertMany(Array.from({ length: 2 * NEIGHBOURS }, (_none, n) => ({ _id: n, text: n % 2 ? 'y'.repeat(1200) : '' })));
});
afterAll(() => harness.stop());

const counted = { code: 257 };

it('a transaction is counted anew when the file has become large since', async () => {
  const sessions = [0, 1].map(() => harness.client.startSession()) as [ClientSession, ClientSession];
  for (const session of sessions) session.startTransaction();
  expect((await texts.deleteMany({}, { session: sessions[0] })).deletedCount).toBe(KEYS);
  expect((await pairs.deleteMany({ text: '' }, { session: sessions[1] })).deletedCount).toBe(NEIGHBOURS);
  for (let part = 0; part < 10; part++) await harness.db.collection('parts').insertOne({ text: PART });
  for (const session of sessions) {
    await expect(session.commitTransaction()).rejects.toMatchObject(counted);
    await session.endSession();
  }
  expect([await texts.countDocuments(), await pairs.countDocuments()]).toEqual([KEYS, 2 * NEIGHBOURS]);
  await harness.client.withSession(async (session) => {
    session.startTransaction();
    await expect(texts.deleteMany({}, { session })).rejects.toMatchObject(counted);
  });
});
