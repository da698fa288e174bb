import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChangeStream, Document, UpdateFilter, UpdateOptions, UUID } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
let stream: ChangeStream;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const items = () => harness.db.collection<Document & { _id: number }>('items');
const long = 'x'.repeat(200);

/** @returns the next event without what is another one each time */
async function next(): Promise<Document> {
  for (let tries = 0; tries < 100; tries++) {
    const event = await stream.tryNext();
    if (!event) continue;
    const { _id, clusterTime, wallTime, collectionUUID, ...told } = event as Document;
    return told;
  }
  throw new Error('there is no event');
}

async function watch(options: Document, whole = false): Promise<void> {
  await stream?.close();
  const asked = { maxAwaitTimeMS: 20, ...options };
  stream = whole ? harness.db.watch([], asked) : items().watch([], asked);
  await stream.tryNext();
}
afterAll(() => stream.close());

beforeEach(async () => {
  await harness.db.dropDatabase();
});

describe('what an update has changed', () => {
  const document = {
    _id: 1,
    tags: ['a', 'b', 'c'],
    address: { street: 'x', city: 'y', zip: { a: 1, b: 2 } },
    n: 1,
    list: [
      { id: 1, v: 1 },
      { id: 2, v: 2 },
    ],
    empty: [],
    long,
    longs: [{ v: 1, long }, 2, 3, 4],
  };
  beforeEach(async () => {
    await items().insertOne(structuredClone(document));
    await watch({});
  });
  const told = async (update: Document | Document[], filter: Document = {}, options: UpdateOptions = {}): Promise<Document> => {
    await items().updateOne({ _id: 1, ...filter }, update as UpdateFilter<Document & { _id: number }>, options);
    const { operationType, updateDescription } = await next();
    expect(operationType).toBe('update');
    return updateDescription as Document;
  };

  it.each<[string, Document, Document, string[]?]>([
    ['a list', { $set: { tags: ['a'] } }, { tags: ['a'] }],
    ['a document', { $set: { address: { street: 'x', zip: { a: 1 } } } }, { address: { street: 'x', zip: { a: 1 } } }],
    ['paths', { $set: { 'address.zip.b': 3, 'address.more.deep': 1 } }, { 'address.more': { deep: 1 }, 'address.zip.b': 3 }],
    ['a number', { $inc: { n: 1 }, $min: { 'address.zip.a': 0 } }, { n: 2, 'address.zip.a': 0 }],
    ['what is added to a list', { $push: { tags: { $each: ['d', 'e'] } } }, { 'tags.3': 'd', 'tags.4': 'e' }],
    ['what is added to an empty list', { $push: { empty: 1 } }, { empty: [1] }],
    ['what is added to no list', { $push: { none: 1 } }, { none: [1] }],
    ['what is cut', { $push: { tags: { $each: ['d'], $slice: -3 } } }, { tags: ['b', 'c', 'd'] }],
    ['what is sorted', { $push: { tags: { $each: ['d'], $sort: 1 } } }, { tags: ['a', 'b', 'c', 'd'] }],
    ['what is put in front', { $push: { tags: { $each: ['d'], $position: 0 } } }, { tags: ['d', 'a', 'b', 'c'] }],
    ['what is added to a set', { $addToSet: { tags: 'd' } }, { tags: ['a', 'b', 'c', 'd'] }],
    ['what is taken away', { $pull: { tags: 'b' } }, { tags: ['a', 'c'] }],
    ['what is taken from the end', { $pop: { tags: 1 } }, { tags: ['a', 'b'] }],
    ['all elements', { $inc: { 'list.$[].v': 1 } }, { 'list.0.v': 2, 'list.1.v': 3 }],
    ['a place', { $set: { 'list.1': 5, 'tags.5': 'z' } }, { 'list.1': 5, 'tags.5': 'z' }],
    ['an element without a value', { $unset: { 'tags.1': 1 } }, { 'tags.1': null }],
    ['what is gone', { $unset: { n: 1, 'address.zip.a': 1 } }, {}, ['n', 'address.zip.a']],
    ['another name', { $rename: { n: 'm', 'address.city': 'city' } }, { m: 1, city: 'y' }, ['n', 'address.city']],
  ])('by operators is told as they say it: %s', async (_what, update, updatedFields, removedFields = []) => {
    expect(await told(update)).toEqual({ updatedFields, removedFields, truncatedArrays: [] });
  });

  it('of chosen elements is told of those', async () => {
    expect(await told({ $set: { 'list.$.v': 9 } }, { 'list.id': 2 })).toMatchObject({ updatedFields: { 'list.1.v': 9 } });
    const chosen = await told({ $set: { 'list.$[one].v': 9 } }, {}, { arrayFilters: [{ 'one.id': 1 }] });
    expect(chosen).toMatchObject({ updatedFields: { 'list.0.v': 9 } });
  });

  it('by a pipeline is told as shortly as it can be', async () => {
    const pipeline = [{ $set: { n: 2, tags: ['a'], longs: [{ v: 2, long }, 2] } }, { $unset: ['empty', 'address.city'] }];
    expect(await told(pipeline)).toEqual({
      updatedFields: { n: 2, tags: ['a'], 'longs.0.v': 2 },
      removedFields: ['empty', 'address.city'],
      truncatedArrays: [{ field: 'longs', newSize: 2 }],
    });
  });

  it('is the whole document where that is shorter', async () => {
    await items().insertOne({ _id: 2, a: 1 });
    await next();
    await items().updateOne({ _id: 2 }, [{ $set: { a: 2 } }]);
    expect(await next()).toMatchObject({ operationType: 'replace', documentKey: { _id: 2 }, fullDocument: { _id: 2, a: 2 } });
    await items().updateOne({ _id: 2 }, { $set: { a: 3 } });
    expect(await next()).toMatchObject({ operationType: 'update', updateDescription: { updatedFields: { a: 3 } } });
  });
});

describe('a stream with all kinds of events', () => {
  const ns = { db: 'test', coll: 'items' };
  const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };

  it.each<[string, Document, Document]>([
    ['a plain one', {}, { idIndex }],
    ['a capped one', { capped: true, size: 1000, max: 5 }, { capped: true, size: 1000, max: 5, idIndex }],
    [
      'a clustered one',
      { clusteredIndex: { key: { _id: 1 }, name: 'own', unique: true }, expireAfterSeconds: 10 },
      { clusteredIndex: { v: 2, key: { _id: 1 }, name: 'own', unique: true }, expireAfterSeconds: 10 },
    ],
  ])('says what collection was made: %s', async (_what, options, described) => {
    await watch({ showExpandedEvents: true });
    await harness.db.createCollection('items', options);
    expect(await next()).toEqual({ operationType: 'create', ns, operationDescription: described, nsType: 'collection' });
  });

  it('tells of views with those of the database alone', async () => {
    await harness.db.createCollection('base');
    await watch({ showExpandedEvents: true });
    const own = stream;
    stream = harness.db.watch([], { showExpandedEvents: true });
    await stream.tryNext();
    const [first, second] = [[{ $match: { a: 1 } }], [{ $match: { a: 2 } }]];
    await harness.db.createCollection('items', { viewOn: 'base', pipeline: first });
    await harness.db.command({ collMod: 'items', viewOn: 'base', pipeline: second });
    await items().drop();
    await harness.db.createCollection('items');
    const view = (pipeline: Document[] | undefined): Document => ({ operationDescription: { viewOn: 'base', pipeline } });
    expect(await next()).toEqual({ operationType: 'create', ns, ...view(first), nsType: 'view' });
    expect(await next()).toEqual({ operationType: 'modify', ns, ...view(second) });
    expect(await next()).toEqual({ operationType: 'drop', ns });
    await stream.close();
    stream = own;
    expect(await next()).toMatchObject({ operationType: 'create', nsType: 'collection' });
  });

  it('tells of indexes together that are filled together', async () => {
    const indexes = [
      { key: { a: 1 }, name: 'a_1' },
      { key: { b: 1 }, name: 'b_1' },
    ];
    const specs = indexes.map((index) => ({ v: 2, ...index }));
    for (const documents of [0, 1]) {
      await items().drop();
      await harness.db.createCollection('items');
      if (documents > 0) await items().insertOne({ _id: 1 });
      await watch({ showExpandedEvents: true });
      await harness.db.command({ createIndexes: 'items', indexes });
      const told = documents > 0 ? [specs] : specs.map((spec) => [spec]);
      for (const of of told) expect(await next()).toMatchObject({ operationType: 'createIndexes', operationDescription: { indexes: of } });
    }
  });

  it('says how a collection was that is changed, with what checks it, and its index', async () => {
    await items().createIndex({ a: 1 }, { expireAfterSeconds: 10 });
    const [{ info }] = (await harness.db.listCollections({ name: 'items' }).toArray()) as unknown as [{ info: { uuid: UUID } }];
    const { uuid } = info;
    await watch({ showExpandedEvents: true });
    const validator = { a: { $ne: 1 } };
    const state = async (change: Document): Promise<unknown> => {
      await harness.db.command({ collMod: 'items', ...change });
      return (await next()).stateBeforeChange as unknown;
    };
    expect(await state({ validator })).toEqual({ collectionOptions: { uuid } });
    const checked = { uuid, validator, validationLevel: 'strict', validationAction: 'error' };
    expect(await state({ validationLevel: 'off' })).toEqual({ collectionOptions: checked });
    const collectionOptions = { ...checked, validationLevel: 'off' };
    expect(await state({ index: { name: 'a_1', hidden: true } })).toEqual({ collectionOptions, indexOptions: { hidden: false } });
    expect(await state({ index: { name: 'a_1', expireAfterSeconds: 20 } })).toEqual({
      collectionOptions,
      indexOptions: { expireAfterSeconds: 10 },
    });
  });

  it.each([{ $group: { _id: 1 } }, { $sort: { _id: 1 } }, { $lookup: { from: 'a', as: 'a', pipeline: [] } }, { $facet: { a: [] } }])(
    'has no stage %j',
    async (stage) => {
      const command = { aggregate: 'items', pipeline: [{ $changeStream: {} }, stage], cursor: {} };
      await expect(harness.db.command(command)).rejects.toMatchObject({ code: 20 });
    },
  );
});
