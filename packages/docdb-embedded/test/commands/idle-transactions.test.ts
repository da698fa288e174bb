import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const isIdle = ({ type }: Document): boolean => type === 'idleSession';
const listed = async (): Promise<Document[]> =>
  ((await harness.client.db('admin').command({ currentOp: 1 })) as { inprog: Document[] }).inprog.filter(isIdle);
const staged = async (choice: Document): Promise<Document[]> =>
  (
    await harness.client
      .db('admin')
      .aggregate([{ $currentOp: choice }])
      .toArray()
  ).filter(isIdle);

describe('a transaction that waits for its client', () => {
  it('is shown by currentOp until the client ends it', async () => {
    const client = await new MongoClient(harness.server.uri).connect();
    try {
      const collection = await harness.db.createCollection('waiting');
      const session = client.startSession();
      session.startTransaction();
      await client.db(harness.db.databaseName).collection(collection.collectionName).insertOne({ a: 1 }, { session });

      const [shown, ...others] = await listed();
      expect(others).toEqual([]);
      expect(shown).toMatchObject({
        desc: 'inactive transaction',
        active: false,
        lsid: { id: session.id?.id },
        transaction: { parameters: { txnNumber: session.serverSession.txnNumber, autocommit: false } },
      });
      expect(await staged({})).toHaveLength(1);
      expect(await staged({ idleSessions: false })).toEqual([]);
    } finally {
      await client.close();
    }
    expect(await listed()).toEqual([]);
  });

  it('is not shown when it has been committed', async () => {
    const collection = await harness.db.createCollection('committed');
    await harness.client.withSession((session) => session.withTransaction(() => collection.insertOne({ a: 1 }, { session })));
    expect(await listed()).toEqual([]);
  });
});
