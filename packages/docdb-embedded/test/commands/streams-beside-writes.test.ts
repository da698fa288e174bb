import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { type ClientSession, type Document, type Long, MongoClient } from 'mongodb';
import { Engine } from '../../src/storage/engine.ts';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
/** Was there before all writes: one that is made while a write is on its way waits for it. */
let early: MongoClient;
let session: ClientSession;
beforeAll(async () => {
  harness = await start();
  early = await new MongoClient(harness.server.uri).connect();
  session = early.startSession();
  await early.db('test').command({ ping: 1 });
});
afterAll(async () => {
  await session.endSession();
  await early.close();
  await harness.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Has the next write wait between its commit and its answer. */
function holdNextAnswer(): { readonly committed: Promise<void>; answer(): void } {
  let commit: () => void = () => undefined;
  let answer: () => void = () => undefined;
  const committed = new Promise<void>((resolve) => (commit = resolve));
  const held = new Promise<void>((resolve) => (answer = resolve));
  const { write } = Engine.prototype;
  jest.spyOn(Engine.prototype, 'write').mockImplementationOnce(async function (this: Engine, work, ...rest) {
    const made: unknown = await write.call(this, work, ...rest);
    commit();
    await held;
    return made;
  });
  return {
    committed,
    answer: () => {
      answer();
    },
  };
}

interface Stream {
  readonly id: Long;
  readonly firstBatch: readonly Document[];
}

async function watch(): Promise<Stream> {
  const command = { aggregate: 'items', pipeline: [{ $changeStream: {} }], cursor: {} };
  const { cursor } = await early.db('test').command(command, { session, promoteLongs: false });
  return cursor as Stream;
}

/** @returns the ids of the documents that a stream tells of, from its opening on */
async function idsOf({ id, firstBatch }: Stream): Promise<unknown[]> {
  const { cursor } = await early.db('test').command({ getMore: id, collection: 'items', maxTimeMS: 50 }, { session });
  return [...firstBatch, ...(cursor as { nextBatch: Document[] }).nextBatch].map(
    ({ documentKey }) => (documentKey as Document)._id as unknown,
  );
}

it('tells a stream of what was written but not acknowledged when it was opened, and of nothing before', async () => {
  const items = harness.db.collection<{ _id: number }>('items');
  await items.insertOne({ _id: 1 });
  const { committed, answer } = holdNextAnswer();
  const inserted = items.insertOne({ _id: 2 });
  await committed;
  const stream = await watch();
  answer();
  await inserted;
  expect(await idsOf(stream)).toEqual([2]);
  const later = await watch();
  await items.insertOne({ _id: 3 });
  expect(await idsOf(later)).toEqual([3]);
});
