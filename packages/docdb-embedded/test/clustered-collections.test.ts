import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { Long, ObjectId, type Collection, type Document } from 'mongodb';
import { start, type Harness } from './harness.ts';
import { Engine } from '../src/storage/engine.ts';
import { expireDocuments } from '../src/storage/expire-documents.ts';
import { Store } from '../src/storage/store.ts';

const SEED = Number(process.env.CLUSTERED_SEED ?? 20_261_123);

const clusteredIndex = { key: { _id: 1 as const }, unique: true as const };

let harness: Harness;
let items: Collection<{ _id: unknown; [name: string]: unknown }>;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.createCollection('items', { clusteredIndex });
  items = harness.db.collection('items');
});

const idsOf = async (filter: Document = {}, options: Document = {}): Promise<unknown[]> =>
  (await items.find(filter, options).toArray()).map(({ _id }) => _id);

describe('a clustered collection', () => {
  it('gives its documents in the order of their ids, forward and backward', async () => {
    await items.insertMany([{ _id: 'c' }, { _id: 'a', x: 1 }, { _id: 'd', x: 1 }, { _id: 'b', x: 1 }]);
    expect(await idsOf()).toEqual(['a', 'b', 'c', 'd']);
    expect(await idsOf({ x: 1 }, { sort: { $natural: -1 } })).toEqual(['d', 'b', 'a']);
    expect(await idsOf({}, { skip: 1, limit: 2 })).toEqual(['b', 'c']);
    const rows = await items.aggregate([{ $match: { x: { $gte: 1 } } }, { $limit: 2 }]).toArray();
    expect(rows.map(({ _id }) => _id as unknown)).toEqual(['a', 'b']);
    const plan = (await harness.db.command({ explain: { find: 'items', filter: { _id: 'a' } } })).queryPlanner.winningPlan as Document;
    expect(plan.stage).toBe('EXPRESS_CLUSTERED_IXSCAN');
  });

  it('does so for ids of all kinds, and for what a transaction has not committed', async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    const kinds = [
      () => random.below(1000) / 4,
      () => String(random.below(1000)),
      () => Long.fromString(`90071992547${String(10_000 + random.below(90_000))}`),
      () => ({ a: random.below(1000) }),
      () => new Date(random.below(1_000_000)),
      () => random.below(2) === 0,
      () => new ObjectId(),
    ];
    for (let i = 0; i < 80; i += 1) {
      const _id = random.pick(kinds)();
      variety.tried(JSON.stringify(_id));
      variety.took(typeof _id);
      await items.insertOne({ _id }).catch(() => undefined);
    }
    const session = harness.client.startSession();
    session.startTransaction();
    for (let i = 0; i < 5; i += 1) await items.insertOne({ _id: `own${String(random.below(1000))}${String(i)}` }, { session });
    const natural = await items.find({}, { session, promoteValues: false }).toArray();
    const sorted = await items.find({}, { session, promoteValues: false, sort: { _id: 1 } }).toArray();
    await session.abortTransaction();
    await session.endSession();
    console.log(variety.report('CLUSTERED_SEED', SEED));
    variety.expect(50, { object: 10, string: 3, number: 3, boolean: 1 });
    expect(natural.map(({ _id }) => JSON.stringify(_id))).toEqual(sorted.map(({ _id }) => JSON.stringify(_id)));
  });

  it('shows its order as an index that is not counted, changed or dropped', async () => {
    expect(await items.listIndexes().toArray()).toEqual([{ v: 2, key: { _id: 1 }, name: '_id_', unique: true, clustered: true }]);
    const made = await harness.db.command({ createIndexes: 'items', indexes: [{ key: { _id: 1 }, name: 'mine' }] });
    expect(made).toMatchObject({ numIndexesBefore: 0, numIndexesAfter: 0 });
    const [row] = await harness.db.listCollections({ name: 'items' }, { nameOnly: false }).toArray();
    expect(row).not.toHaveProperty('idIndex');
    await expect(harness.db.command({ dropIndexes: 'items', index: '_id_' })).rejects.toMatchObject({ code: 5979800 });
    const change = (index: Document): Promise<Document> => harness.db.command({ collMod: 'items', index });
    await expect(change({ name: '_id_', hidden: true })).rejects.toMatchObject({ code: 6011800 });
    await expect(change({ keyPattern: { _id: 1 }, expireAfterSeconds: 5 })).rejects.toMatchObject({ code: 27 });
    await expect(items.insertMany([{ _id: 1 }, { _id: 1 }])).rejects.toMatchObject({ code: 11000 });
  });

  it('has a lifetime for ids that are dates, which collMod changes and takes away', async () => {
    const optionsNow = async (): Promise<Document> =>
      (await harness.db.command({ listCollections: 1 })).cursor.firstBatch[0].options as Document;
    await harness.db.command({ collMod: 'items', expireAfterSeconds: 3600 });
    expect(await optionsNow()).toMatchObject({ expireAfterSeconds: 3600 });
    await harness.db.command({ collMod: 'items', expireAfterSeconds: 'off' });
    expect(await optionsNow()).not.toHaveProperty('expireAfterSeconds');
    for (const expireAfterSeconds of [-1, 9_999_999_999, 'never', Number.NaN])
      await expect(harness.db.command({ collMod: 'items', expireAfterSeconds })).rejects.toMatchObject({ code: 72 });
    await expect(harness.db.createCollection('plain', { expireAfterSeconds: 5 })).rejects.toMatchObject({ code: 72 });
  });
});

describe('documents of a clustered collection', () => {
  it('are taken away when the dates that they have as ids are past', async () => {
    const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
    const now = 1_700_000_000_000;
    await store.write((writer) => {
      const made = writer.collections.create('test.items', { clusteredIndex: { key: { _id: 1 } }, expireAfterSeconds: 60n }, undefined);
      for (const _id of [new Date(now - 61_000), new Date(now - 59_000), 'text', 5]) writer.insert(made, { _id }, undefined);
    });
    await expireDocuments(store, now);
    const kept = store.newest.collection('test.items');
    expect(kept && store.newest.sizeOf(kept).count).toBe(3);
    await store.close();
  });
});
