import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClientSession, Collection, Document } from 'mongodb';
import { Engine } from '../src/storage/engine.ts';
import { expireDocuments } from '../src/storage/expire-documents.ts';
import { Store } from '../src/storage/store.ts';
import { start, type Harness } from './harness.ts';

interface Item extends Document {
  _id: number;
}

let harness: Harness;
let items: Collection<Item>;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  items = harness.db.collection<Item>('items');
  await items.drop();
});

async function inTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = harness.client.startSession();
  session.startTransaction();
  try {
    return await work(session);
  } finally {
    if (session.inTransaction()) await session.abortTransaction();
    await session.endSession();
  }
}

const isPending = async (work: Promise<unknown>): Promise<boolean> => {
  for (let turn = 0; turn < 5; turn++) await harness.db.command({ ping: 1 });
  return (await Promise.race([work, Promise.resolve('pending')])) === 'pending';
};

describe('a document that can not be shown as it was asked for', () => {
  const projection = { share: { $divide: [1, '$n'] } };

  it.each<[string, number, () => Promise<unknown>]>([
    ['updated', 1, () => items.findOneAndUpdate({ _id: 1 }, { $set: { n: 0 } }, { projection, returnDocument: 'after' })],
    ['replaced', 0, () => items.findOneAndReplace({ _id: 1 }, { n: 5 }, { projection, returnDocument: 'before' })],
    ['made', 1, () => items.findOneAndUpdate({ _id: 2 }, { $set: { n: 0 } }, { projection, returnDocument: 'after', upsert: true })],
    ['removed', 0, () => items.findOneAndDelete({ _id: 1 }, { projection })],
  ])('is not %s', async (_what, n, change) => {
    await items.insertOne({ _id: 1, n });
    await expect(change()).rejects.toMatchObject({ code: 2 });
    expect(await items.find().toArray()).toEqual([{ _id: 1, n }]);
  });
});

describe('a document that an index refuses', () => {
  it('is not there, and nothing of its transaction is', async () => {
    await items.createIndex({ a: 1, b: 1 });
    await expect(items.insertOne({ _id: 1, a: [1], b: [2] })).rejects.toMatchObject({ code: 171 });
    expect(await items.countDocuments()).toBe(0);
    await inTransaction(async (session) => {
      await items.insertOne({ _id: 2, a: 1, b: 1 }, { session });
      await expect(items.insertOne({ _id: 3, a: [1], b: [2] }, { session })).rejects.toMatchObject({ code: 171 });
      await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
    });
    expect(await items.countDocuments()).toBe(0);
  });
});

describe('a unique index', () => {
  it('keeps the fields of one element together', async () => {
    await items.createIndex({ 'a.b': 1, 'a.c': 1 }, { unique: true });
    await items.insertOne({
      _id: 1,
      a: [
        { b: 1, c: 1 },
        { b: 2, c: 2 },
      ],
    });
    await items.insertOne({ _id: 2, a: [{ b: 1, c: 2 }] });
    await expect(items.insertOne({ _id: 3, a: { b: 2, c: 2 } })).rejects.toMatchObject({ code: 11000 });
  });

  it('compares by its collation, between two transactions too', async () => {
    await items.createIndex({ name: 1 }, { unique: true, collation: { locale: 'en', strength: 2 } });
    await items.insertOne({ _id: 1, name: 'Straße' });
    await items.insertOne({ _id: 2, name: 'Strand' });
    await expect(items.insertOne({ _id: 3, name: 'STRAND' })).rejects.toMatchObject({ code: 11000 });
    await inTransaction((one) =>
      inTransaction(async (two) => {
        await items.insertOne({ _id: 4, name: 'Ann' }, { session: one });
        await expect(items.insertOne({ _id: 5, name: 'ANN' }, { session: two })).rejects.toMatchObject({ code: 112 });
        await one.commitTransaction();
      }),
    );
    expect(await items.find({ name: 'ann' }).collation({ locale: 'en', strength: 2 }).toArray()).toEqual([{ _id: 4, name: 'Ann' }]);
  });

  it('of ids follows the collation of its collection', async () => {
    const named = await harness.db.createCollection<{ _id: string }>('named', { collation: { locale: 'en', strength: 2 } });
    await named.insertOne({ _id: 'Ann' });
    await expect(named.insertOne({ _id: 'ANN' })).rejects.toMatchObject({ code: 11000 });
    await named.drop();
  });
});

describe('a write outside of a transaction', () => {
  it('of many goes on with the document that it waited for, and changes each one once', async () => {
    await items.insertMany([1, 2, 3].map((_id) => ({ _id, n: 0 })));
    await inTransaction(async (session) => {
      await items.updateOne({ _id: 2 }, { $set: { n: 10 } }, { session });
      const outside = items.updateMany({}, { $inc: { n: 1 } });
      while ((await items.findOne({ _id: 1 }))?.n !== 1) expect(await isPending(outside)).toBe(true);
      expect(await isPending(outside)).toBe(true);
      await session.commitTransaction();
      expect(await outside).toMatchObject({ matchedCount: 3, modifiedCount: 3 });
    });
    expect(await items.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, n: 1 },
      { _id: 2, n: 11 },
      { _id: 3, n: 1 },
    ]);
  });

  it('waits no longer than it may', async () => {
    await items.insertOne({ _id: 1, n: 0 });
    await inTransaction(async (session) => {
      await items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
      await expect(items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { maxTimeMS: 50 })).rejects.toMatchObject({ code: 50 });
    });
  });

  it('of `$merge` waits for a document that a transaction has', async () => {
    await items.insertOne({ _id: 1, n: 0 });
    await inTransaction(async (session) => {
      await items.updateOne({ _id: 1 }, { $set: { n: 5 } }, { session });
      const merged = harness.db.aggregate([{ $documents: [{ _id: 1, m: 1 }] }, { $merge: 'items' }]).toArray();
      expect(await isPending(merged)).toBe(true);
      await session.commitTransaction();
      await merged;
    });
    expect(await items.findOne()).toEqual({ _id: 1, n: 5, m: 1 });
  });

  it('of nothing does not make a collection', async () => {
    await items.deleteMany({});
    await items.updateOne({ _id: 1 }, { $set: { a: 1 } });
    expect(await harness.db.listCollections({ name: 'items' }).toArray()).toEqual([]);
  });
});

describe('a change of a collection', () => {
  it('waits for the transactions that have used it', async () => {
    await items.insertOne({ _id: 1 });
    await inTransaction(async (session) => {
      await items.insertOne({ _id: 2 }, { session });
      const dropped = items.drop();
      expect(await isPending(dropped)).toBe(true);
      await session.commitTransaction();
      await dropped;
    });
    expect(await items.countDocuments()).toBe(0);
  });

  it('by `$out` is not possible in a transaction', async () => {
    await items.insertOne({ _id: 1 });
    await inTransaction((session) =>
      expect(items.aggregate([{ $out: 'other' }], { session }).toArray()).rejects.toMatchObject({ code: 263 }),
    );
  });

  it('by `$out` leaves the old content when a document does not fit', async () => {
    const target = harness.db.collection<Item>('target');
    await target.drop();
    await target.createIndex({ n: 1 }, { unique: true });
    await target.insertOne({ _id: 9, n: 9 });
    await items.insertMany([
      { _id: 1, n: 1 },
      { _id: 2, n: 1 },
    ]);
    await expect(items.aggregate([{ $out: 'target' }]).toArray()).rejects.toMatchObject({ code: 11000 });
    expect(await target.find().toArray()).toEqual([{ _id: 9, n: 9 }]);
    await items.aggregate([{ $match: { _id: 1 } }, { $out: 'target' }]).toArray();
    expect(await target.find().toArray()).toEqual([{ _id: 1, n: 1 }]);
    expect((await target.indexes()).map(({ name }) => name)).toEqual(['_id_', 'n_1']);
    expect((await harness.db.listCollections().toArray()).filter(({ name }) => name.startsWith('tmp'))).toEqual([]);
  });
});

describe('documents that expire', () => {
  it('are those that the index holds', async () => {
    const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
    await store.recover();
    await store.write((writer) => {
      const made = writer.collections.create('t.c', {}, undefined);
      const spec = { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60, partialFilterExpression: { gone: true } };
      writer.collections.modify(made, { indexes: [...made.indexes.values(), store.newIndex(spec)] });
      const collection = writer.collectionFor('t.c', undefined);
      const old = new Date(Date.now() - 3_600_000);
      for (const doc of [
        { _id: 1, at: old, gone: true },
        { _id: 2, at: old },
        { _id: 3, at: new Date(), gone: true },
        { _id: 4, at: [new Date(), old], gone: true },
        { _id: 5, at: 'old', gone: true },
      ])
        writer.insert(collection, doc, undefined);
    });
    await expireDocuments(store);
    const { reader, release } = store.read();
    const collection = reader.collection('t.c');
    expect(collection && Array.from(reader.scan(collection, false), ({ doc }) => doc._id)).toEqual([2, 3, 5]);
    release();
    await store.close();
  });

  it('leave others their turn where they are large', async () => {
    const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
    await store.recover();
    await store.write((writer) => {
      const made = writer.collections.create('t.c', {}, undefined);
      const index = store.newIndex({ v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 });
      writer.collections.modify(made, { indexes: [...made.indexes.values(), index] });
      const collection = writer.collectionFor('t.c', undefined);
      for (let at = 0; at < 20; at++) writer.insert(collection, { _id: at, at: new Date(0), text: 'x'.repeat(1_000_000) }, undefined);
    });
    let writes = 0;
    store.listeners.add(() => (writes += 1));
    await expireDocuments(store);
    expect(writes).toBeGreaterThan(3);
    const left = store.newest.collection('t.c');
    expect(left && store.newest.sizeOf(left).count).toBe(0);
    await store.close();
  });
});
