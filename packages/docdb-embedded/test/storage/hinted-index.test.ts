import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { MinKey, type Doc } from '../../src/bson/values.ts';
import type { Collection } from '../../src/storage/collection.ts';
import { Engine } from '../../src/storage/engine.ts';
import { keyBounds } from '../../src/storage/key-bounds.ts';
import { choosePlan } from '../../src/storage/plan.ts';
import { Store } from '../../src/storage/store.ts';
import { start, type Harness } from '../harness.ts';

describe('a hint', () => {
  const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  let collection: Collection;
  beforeAll(async () => {
    await store.recover();
    await store.write((writer) => {
      const made = writer.collections.create('t.c', {}, undefined);
      const indexes = [
        store.newIndex({ key: { a: 1 }, name: 'made' }),
        store.newIndex({ key: { b: 1 }, name: 'being made' }, false),
        store.newIndex({ key: { c: 1 }, name: 'hidden', hidden: true }),
      ];
      writer.collections.modify(made, { indexes: [...made.indexes.values(), ...indexes] });
    });
    collection = store.newest.collection('t.c') as Collection;
  });
  afterAll(() => store.close());

  const planFor = (hint: string): unknown => choosePlan(collection, {}, [], undefined, hint);
  const boundsFor = (hint: string, min: Doc): unknown => keyBounds(collection, { min, max: {}, hint }, undefined);

  it('names an index that is made', () => {
    expect(planFor('made')).toMatchObject({ kind: 'index', index: { name: 'made' } });
    expect(boundsFor('made', { a: new MinKey() })).toBeDefined();
  });

  it.each([
    ['being made', { b: 1 }],
    ['hidden', { c: 1 }],
    ['none', { d: 1 }],
  ])('of an index that is %s is refused, since it would not have all documents', (name, min) => {
    const refusal = expect.objectContaining({ code: 2 });
    expect(() => planFor(name)).toThrow(refusal);
    expect(() => boundsFor(name, min)).toThrow(refusal);
  });
});

describe('in a transaction, a hint', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await start();
  });
  afterAll(() => harness.stop());

  const at = { type: 'Point', coordinates: [1, 1] };
  it.each<[string, Document, Document]>([
    ['sparse', { a: 1 }, { sparse: true }],
    ['sparse, of two fields', { a: 1, 'b.c': -1 }, { sparse: true }],
    ['partial', { b: 1 }, { partialFilterExpression: { a: { $gt: 0 } } }],
    ['of some places', { at: '2dsphere' }, { partialFilterExpression: { a: { $exists: true } } }],
  ])('of an index that is %s finds and changes what the index has, of its own changes too', async (name, key, options) => {
    const items = harness.db.collection<Document & { _id: number }>(name);
    await items.insertMany([
      { _id: 1, a: 1, b: 1, at },
      { _id: 2, b: 2, at },
      { _id: 3, a: 3, at },
    ]);
    await items.createIndex(key as never, { ...options, name: 'some' });
    const session = harness.client.startSession();
    session.startTransaction();
    await items.insertMany(
      [
        { _id: 4, at },
        { _id: 5, a: 5, at },
      ],
      { session },
    );
    await items.updateOne({ _id: 1 }, { $unset: { a: '' } }, { session });
    await items.updateOne({ _id: 2 }, { $set: { a: 2 } }, { session });
    const asked = async (own: { session?: typeof session }): Promise<unknown[]> => {
      const options = { ...own, hint: 'some' };
      const found = await items.find({}, options).sort({ _id: 1 }).toArray();
      const all = items.aggregate([{ $match: {} }, { $count: 'n' }], options).toArray();
      const { matchedCount } = await items.updateMany({ _id: { $gt: 0 } }, { $set: { c: 1 } }, options);
      return [found.map(({ _id }) => _id), (await all)[0]?.n, matchedCount];
    };
    const inside = await asked({ session });
    await session.commitTransaction();
    await session.endSession();
    expect([inside, await asked({})]).toEqual([
      [[2, 3, 5], 3, 3],
      [[2, 3, 5], 3, 3],
    ]);
  });
});
