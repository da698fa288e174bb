import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClientSession, Document } from 'mongodb';
import { start, untilRunning, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.collection<{ _id: number }>('target').insertMany([{ _id: 1 }, { _id: 2 }]);
  await harness.db.collection<{ _id: number }>('source').insertOne({ _id: 3 });
});

const sessions: ClientSession[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.endSession();
});

const ids = async (): Promise<unknown[]> => (await harness.db.collection('target').find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

/** Begins a transaction that changes a document of `target`. */
async function changing(_id: number): Promise<ClientSession> {
  const session = harness.client.startSession();
  sessions.push(session);
  session.startTransaction();
  await harness.db.collection<{ _id: number }>('target').updateOne({ _id }, { $set: { changed: true } }, { session });
  return session;
}

/** @returns the code that a transaction is refused with, once the change waits for others; `undefined` when none is */
async function refused(): Promise<unknown> {
  for (let tries = 0; tries < 50; tries++) {
    const error = await changing(2).then(
      async (session) => session.abortTransaction(),
      (failed: unknown) => failed as { code: unknown },
    );
    if (error) return error.code;
  }
  return undefined;
}

/** Waits until a command of some kind runs. */
const running = (filter: Document): Promise<void> => untilRunning(harness.client, filter);

describe('a change that takes a collection away from transactions', () => {
  it.each<[string, Document, () => Promise<unknown>, unknown[]]>([
    [
      'renameCollection with dropTarget',
      { 'command.renameCollection': 'test.source' },
      () => harness.db.collection('source').rename('target', { dropTarget: true }),
      [3],
    ],
    [
      '$out',
      { 'command.aggregate': 'source' },
      () =>
        harness.db
          .collection('source')
          .aggregate([{ $out: 'target' }])
          .toArray(),
      [3],
    ],
    [
      'convertToCapped',
      { 'command.convertToCapped': 'target' },
      () => harness.db.command({ convertToCapped: 'target', size: 4096 }),
      [1, 2],
    ],
    ['drop', { 'command.drop': 'target' }, () => harness.db.collection('target').drop(), []],
  ])('waits for those that are open, and no other one gets ahead of it: %s', async (_name, filter, change, left) => {
    const first = await changing(1);
    const changed = change();
    await running(filter);
    expect(await refused()).toBe(24);
    await first.commitTransaction();
    await changed;
    expect(await ids()).toEqual(left);
  });
});

describe('dropDatabase', () => {
  it('takes the collections with it that are made while it waits, so that its event tells what is left', async () => {
    const stream = harness.db.watch([], { showExpandedEvents: true });
    const left = new Set<string>(['target', 'source']);
    const ended = (async () => {
      for await (const { operationType, ...event } of stream as AsyncIterable<Document>) {
        if (operationType === 'invalidate') return;
        const { coll } = event.ns as { coll: string };
        if (operationType === 'create') left.add(coll);
        if (operationType === 'drop') left.delete(coll);
        if (operationType === 'dropDatabase') left.clear();
      }
    })();
    const session = await changing(1);
    const dropped = harness.db.dropDatabase();
    await running({ 'command.dropDatabase': 1 });
    await harness.db.collection('late').insertOne({});
    await session.commitTransaction();
    await dropped;
    await ended;
    expect([...left]).toEqual((await harness.db.listCollections().toArray()).map(({ name }) => name));
    await stream.close();
  });
});
