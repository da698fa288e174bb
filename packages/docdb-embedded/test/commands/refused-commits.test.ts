import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';

interface Item {
  _id: number;
  n?: number;
  text?: string;
}

let path: string;
let server: DocDbServer;
let client: MongoClient;
let items: Collection<Item>;
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'docdb-commit-'));
  server = await DocDbServer.start({ path, maxSize: 4_000_000 });
  client = await new MongoClient(server.uri).connect();
  items = client.db('t').collection<Item>('items');
});
afterEach(async () => {
  await client.close();
  await server.stop();
  rmSync(path, { recursive: true });
});

it('a commit that is refused for the size of the data ends its transaction, so that nobody waits for it', async () => {
  await items.insertOne({ _id: 0 });
  const session = client.startSession();
  session.startTransaction();
  await items.updateOne({ _id: 0 }, { $set: { n: 1 } }, { session });
  await items.insertOne({ _id: -1 }, { session });
  await expect(
    (async () => {
      for (let _id = 1; _id < 100; _id++) await items.insertOne({ _id, text: 'x'.repeat(100_000) });
    })(),
  ).rejects.toMatchObject({ code: 14031 });
  await expect(session.commitTransaction()).rejects.toMatchObject({ code: 14031 });
  const { transactions } = await client.db('admin').command({ serverStatus: 1 });
  expect(transactions).toMatchObject({ currentOpen: expect.anything() });
  expect(Number(transactions.currentOpen)).toBe(0);
  // It would wait for the document that the transaction has changed.
  expect(await items.deleteOne({ _id: 0 }, { maxTimeMS: 3000 })).toMatchObject({ deletedCount: 1 });
  await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
  await session.endSession();
  expect(await items.countDocuments({ _id: { $lte: 0 } })).toBe(0);
});
