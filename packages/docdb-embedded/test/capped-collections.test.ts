import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
let ring: Collection<{ _id: number }>;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  ring = await harness.db.createCollection<{ _id: number }>('ring', { capped: true, size: 100_000, max: 3 });
  await ring.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
});

const ids = async (): Promise<number[]> => (await ring.find().toArray()).map(({ _id }) => _id);
const refusal = (command: Document): Promise<unknown> =>
  harness.db.command(command).then(
    () => 'nothing was refused',
    (error: unknown) => (error as { code?: unknown }).code,
  );

describe('a capped collection', () => {
  it('gives its oldest document up for one of an insert', async () => {
    await ring.insertOne({ _id: 4 });
    expect(await ids()).toEqual([2, 3, 4]);
  });

  it('gives its oldest document up for one of an upsert', async () => {
    await ring.updateOne({ _id: 4 }, { $set: { a: 1 } }, { upsert: true });
    expect(await ids()).toEqual([2, 3, 4]);
  });

  it('gives its oldest document up for one of a findAndModify', async () => {
    await ring.findOneAndUpdate({ _id: 4 }, { $set: { a: 1 } }, { upsert: true });
    expect(await ids()).toEqual([2, 3, 4]);
  });

  it('gives its oldest document up for one of a bulkWrite', async () => {
    await ring.bulkWrite([{ insertOne: { document: { _id: 4 } } }]);
    expect(await ids()).toEqual([2, 3, 4]);
  });

  it('gives its oldest document up for one of a $merge', async () => {
    await harness.db.collection<{ _id: number }>('from').insertOne({ _id: 4 });
    await harness.db
      .collection('from')
      .aggregate([{ $merge: 'ring' }])
      .toArray();
    expect(await ids()).toEqual([2, 3, 4]);
  });

  it('gives up with the next insert what an update made too large', async () => {
    await harness.db.command({ collMod: 'ring', cappedSize: 5000 });
    await ring.updateOne({ _id: 2 }, { $set: { text: 'x'.repeat(6000) } });
    expect(await ids()).toEqual([1, 2, 3]);
    await ring.insertOne({ _id: 4 });
    expect(await ids()).toEqual([3, 4]);
  });

  it('keeps its order, and its bounds, beside deletions', async () => {
    await ring.deleteOne({ _id: 2 });
    await ring.insertMany([{ _id: 0 }, { _id: 2 }]);
    expect(await ids()).toEqual([3, 0, 2]);
    expect((await ring.find().sort({ $natural: -1 }).toArray()).map(({ _id }) => _id)).toEqual([2, 0, 3]);
  });

  it.each<[string, (session: object) => Promise<unknown>]>([
    ['an insert', (options) => ring.insertOne({ _id: 4 }, options)],
    ['an update', (options) => ring.updateOne({ _id: 1 }, { $set: { a: 1 } }, options)],
    ['an update that finds nothing', (options) => ring.updateOne({ _id: 9 }, { $set: { a: 1 } }, options)],
    ['a deletion', (options) => ring.deleteOne({ _id: 1 }, options)],
    ['a findAndModify', (options) => ring.findOneAndDelete({ _id: 1 }, options)],
  ])('refuses %s in a transaction', async (_what, write) => {
    await harness.client.withSession(async (session) => {
      session.startTransaction();
      await expect(write({ session })).rejects.toMatchObject({ code: 263 });
      await session.abortTransaction();
    });
  });

  it('is read in a transaction', async () => {
    await harness.client.withSession(async (session) => {
      session.startTransaction();
      expect(await ring.find({}, { session }).toArray()).toHaveLength(3);
      await session.abortTransaction();
    });
  });

  it('is no target of $out', async () => {
    expect(await refusal({ aggregate: 'ring', pipeline: [{ $out: 'ring' }], cursor: {} })).toBe(17152);
    expect(await ids()).toEqual([1, 2, 3]);
  });

  it('alone has bounds that collMod changes', async () => {
    await harness.db.createCollection('plain');
    expect(await refusal({ collMod: 'plain', cappedMax: 1 })).toBe(72);
    expect(await refusal({ collMod: 'plain', cappedSize: 1 })).toBe(72);
  });

  it('has the bound that collMod gives it from the next insert on', async () => {
    await harness.db.command({ collMod: 'ring', cappedMax: 2 });
    await ring.insertOne({ _id: 4 });
    expect(await ids()).toEqual([3, 4]);
  });

  it('has a much smaller bound after a few inserts, of which none keeps others waiting for long', async () => {
    const many = harness.db.collection<{ _id: number }>('many');
    await harness.db.createCollection('many', { capped: true, size: 100_000_000 });
    await many.insertMany(Array.from({ length: 7000 }, (_none, _id) => ({ _id })));
    await harness.db.command({ collMod: 'many', cappedMax: 10 });
    const left: number[] = [];
    for (let n = 0; n < 3; n++) {
      await many.insertOne({ _id: 7000 + n });
      left.push(await many.countDocuments());
    }
    expect(left).toEqual([2001, 10, 10]);
  });

  it('is not made of a clustered one', async () => {
    await harness.db.createCollection('clustered', { clusteredIndex: { key: { _id: 1 }, unique: true } });
    expect(await refusal({ convertToCapped: 'clustered', size: 10_000 })).toBe(6049200);
  });
});
