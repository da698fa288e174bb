import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChangeStream, Collection, Document } from 'mongodb';
import { type Harness, start } from '../harness.ts';

let harness: Harness;
let items: Collection<{ _id: number; v: number }>;
beforeAll(async () => {
  harness = await start();
  items = harness.db.collection('items');
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await items.insertMany(Array.from({ length: 20_000 }, (_none, at) => ({ _id: at, v: at })));
});

const admin = (command: Document): Promise<Document> => harness.client.db('admin').command(command);

async function kill(name: string): Promise<void> {
  const running = await harness.client
    .db('admin')
    .aggregate([{ $currentOp: {} }, { $match: { [`command.${name}`]: 'items', 'command.pipeline.0.$currentOp': { $exists: false } } }])
    .toArray();
  expect(running).toHaveLength(1);
  await admin({ killOp: 1, op: running[0]?.opid as number });
}

async function until(stream: ChangeStream, wanted: (event: Document) => boolean): Promise<void> {
  while (!wanted((await stream.next()) as Document));
}

describe('a command that is ended while others are in the way of what it takes back', () => {
  it('is answered before the transaction that is in the way of an index has ended', async () => {
    const session = harness.client.startSession();
    // The transaction has to come while the index is built: where that was too late, both begin again.
    const begun = async (): Promise<{ readonly built: Promise<unknown> } | undefined> => {
      const state = { ended: false };
      const built = items
        .createIndex({ v: 1 })
        .catch((error: unknown) => error)
        .finally(() => {
          state.ended = true;
        });
      while (!state.ended && (await harness.db.command({ collStats: 'items' })).nindexes !== 2);
      session.startTransaction();
      const read = await items.findOne({ _id: 1 }, { session }).catch(() => undefined);
      if (read && !state.ended) return { built };
      await session.abortTransaction();
      await built;
      await items.dropIndexes();
      return undefined;
    };
    let build: Awaited<ReturnType<typeof begun>>;
    while (!build) build = await begun();
    await kill('createIndexes');
    expect(await build.built).toMatchObject({ code: 11601 });
    expect(await items.findOne({ _id: 2 }, { session })).toEqual({ _id: 2, v: 2 });
    await session.commitTransaction();
    await session.endSession();
    expect(await items.createIndex({ v: 1 })).toBe('v_1');
    expect(await items.find({ v: 77 }).hint('v_1').toArray()).toHaveLength(1);
  });

  it('is answered while writers are kept out, and has left nothing behind when they are let in', async () => {
    const stream = harness.db.watch([], { showExpandedEvents: true });
    await stream.tryNext();
    const slow = { $reduce: { input: { $range: [0, 3000] }, initialValue: 0, in: { $add: ['$$value', '$$this'] } } };
    const written = items
      .aggregate([{ $set: { slow } }, { $out: 'made' }])
      .toArray()
      .catch((error: unknown) => error);
    await until(stream, ({ operationType, ns }) => operationType === 'create' && String((ns as Document).coll).startsWith('tmp.'));
    await admin({ fsync: 1, lock: true });
    await kill('aggregate');
    expect(await written).toMatchObject({ code: 11601 });
    await admin({ fsyncUnlock: 1 });
    await until(stream, ({ operationType, ns }) => operationType === 'drop' && String((ns as Document).coll).startsWith('tmp.'));
    await stream.close();
    expect(await harness.db.listCollections({ name: 'made' }).toArray()).toEqual([]);
  });
});
