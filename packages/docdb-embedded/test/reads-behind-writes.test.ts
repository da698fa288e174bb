import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { FirstWrites } from '../src/commands/first-writes.ts';
import { Engine } from '../src/storage/engine.ts';
import { type Harness, start } from './harness.ts';

let harness: Harness;
let items: Collection<{ _id: number; n?: number }>;
/** Was there before all writes. */
let early: MongoClient;
beforeEach(async () => {
  harness = await start();
  early = await new MongoClient(harness.server.uri).connect();
  await early.db('test').command({ ping: 1 });
  items = harness.db.collection('items');
  await items.insertOne({ _id: 1 });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await early.close();
  await harness.stop();
});

/** Keeps commits back. @returns when a statement waits for one, and what lets them go on */
function holdCommits(): { held: Promise<void>; go: () => void } {
  let go = (): void => undefined;
  let isHeld = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const { write } = Engine.prototype;
  jest.spyOn(Engine.prototype, 'write').mockImplementation(async function (this: Engine, ...given) {
    await gate;
    return write.apply(this, given);
  });
  const { note } = FirstWrites.prototype;
  jest.spyOn(FirstWrites.prototype, 'note').mockImplementation(function (this: FirstWrites, ...given) {
    isHeld();
    return note.apply(this, given);
  });
  return { held, go };
}

/** @returns what was read by a connection that was made while a write was held back */
async function readBehind<T>(write: () => Promise<unknown>, read: (found: typeof items) => Promise<T>): Promise<T> {
  const { held, go } = holdCommits();
  const written = write();
  await held;
  const late = await new MongoClient(harness.server.uri).connect();
  try {
    let isOver = false;
    const answered = read(late.db('test').collection('items')).finally(() => {
      isOver = true;
    });
    // What was asked for before has reached the server.
    for (let at = 0; at < 5; at += 1) await harness.db.command({ ping: 1 });
    const early = isOver;
    go();
    await written;
    const answer = await answered;
    expect(early).toBe(false);
    return answer;
  } finally {
    await late.close();
  }
}

describe('a connection that is made while a write is on its way', () => {
  it.each<[string, (found: typeof items) => Promise<unknown>, unknown]>([
    ['find', (found) => found.find({}, { projection: { n: 0 } }).toArray(), [{ _id: 1 }, { _id: 2 }]],
    ['aggregate', (found) => found.aggregate([{ $group: { _id: null, sum: { $sum: '$_id' } } }]).toArray(), [{ _id: null, sum: 3 }]],
    ['count', (found) => found.estimatedDocumentCount(), 2],
    ['distinct', (found) => found.distinct('_id'), [1, 2]],
  ])('shows what it writes: %s', async (_name, read, expected) => {
    expect(await readBehind(() => items.insertOne({ _id: 2 }), read)).toEqual(expected);
  });

  it.each<[string, () => Promise<unknown>, Document[]]>([
    ['update', () => items.updateOne({ _id: 1 }, { $set: { n: 1 } }), [{ _id: 1, n: 1 }]],
    ['delete', () => items.deleteMany({}), []],
    ['findAndModify', () => items.findOneAndUpdate({ _id: 1 }, { $set: { n: 2 } }), [{ _id: 1, n: 2 }]],
    [
      'bulkWrite',
      () =>
        harness.client.bulkWrite<Record<string, { _id: number }>>([
          { namespace: items.namespace, name: 'insertOne', document: { _id: 2 } },
        ]),
      [{ _id: 1 }, { _id: 2 }],
    ],
  ])('shows what %s writes', async (_name, write, expected) => {
    expect(await readBehind(write, (found) => found.find().toArray())).toEqual(expected);
  });

  it('shows what is written where the search for it has taken all the time that others leave a write', async () => {
    let now = performance.now();
    const write = (): Promise<unknown> => {
      jest.spyOn(performance, 'now').mockImplementation(() => (now += 100));
      return items.updateOne({ _id: 1 }, { $set: { n: 1 } });
    };
    expect(await readBehind(write, (found) => found.find().toArray())).toEqual([{ _id: 1, n: 1 }]);
  });

  it('is told what it asks for at once where it was there before the write, and of other collections', async () => {
    const { held, go } = holdCommits();
    const written = [items.insertOne({ _id: 2 }), harness.db.collection('others').insertOne({ n: 1 })];
    await held;
    expect(await harness.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
    expect(await early.db('test').collection('items').find().toArray()).toEqual([{ _id: 1 }]);
    const late = await new MongoClient(harness.server.uri).connect();
    expect(await late.db('test').collection('more').find().toArray()).toEqual([]);
    await late.close();
    go();
    await Promise.all(written);
  });

  it('waits for no transaction, and not where all writers are kept out', async () => {
    const session = harness.client.startSession();
    session.startTransaction();
    await items.insertOne({ _id: 2 }, { session });
    const late = await new MongoClient(harness.server.uri).connect();
    const found = late.db('test').collection('items');
    expect(await found.find().toArray()).toEqual([{ _id: 1 }]);
    await session.abortTransaction();
    await session.endSession();
    await early.db('admin').command({ fsync: 1, lock: true });
    const { note } = FirstWrites.prototype;
    const noted = new Promise<void>((resolve) => {
      jest.spyOn(FirstWrites.prototype, 'note').mockImplementation(function (this: FirstWrites, ...given) {
        resolve();
        return note.apply(this, given);
      });
    });
    const kept = items.insertOne({ _id: 2 });
    await noted;
    const later = await new MongoClient(harness.server.uri).connect();
    expect(await later.db('test').collection('items').find().toArray()).toEqual([{ _id: 1 }]);
    await early.db('admin').command({ fsyncUnlock: 1 });
    await kept;
    await Promise.all([late.close(), later.close()]);
  });

  it('goes on behind a write that is refused', async () => {
    const refused = items.insertOne({ _id: 1 }).catch((error: unknown) => error);
    const late = await new MongoClient(harness.server.uri).connect();
    expect(await late.db('test').collection('items').find().toArray()).toEqual([{ _id: 1 }]);
    expect(await refused).toMatchObject({ code: 11000 });
    await late.close();
  });

  it('has no more time than its own', async () => {
    const { held, go } = holdCommits();
    const written = items.insertOne({ _id: 2 });
    await held;
    const late = await new MongoClient(harness.server.uri).connect();
    await expect(late.db('test').collection('items').find({}, { maxTimeMS: 20 }).toArray()).rejects.toMatchObject({ code: 50 });
    await late.close();
    go();
    await written;
  });
});
