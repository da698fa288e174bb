import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { start, type Harness, untilRunning } from '../harness.ts';
import { inManyTurns } from '../turns.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
});

const things = (): Collection => harness.db.collection('things');
const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'accepted',
    (error: unknown) => (error as { code?: unknown }).code,
  );

it('counts how often an index is used', async () => {
  await things().insertMany([
    { _id: 1, a: 1, b: 1 },
    { _id: 2, a: 2, b: 2 },
  ] as never[]);
  await things().createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);
  const uses = async (): Promise<Document> => {
    const found = await things()
      .aggregate([{ $indexStats: {} }])
      .toArray();
    return Object.fromEntries(found.map(({ name, accesses }) => [name as string, Number((accesses as Document).ops)]));
  };
  expect(await uses()).toEqual({ _id_: 0, a_1: 0, b_1: 0 });
  await things().findOne({ a: 1 });
  await things().countDocuments({ a: { $gt: 1 } });
  await things().updateOne({ b: 2 }, { $set: { c: 1 } });
  await things().findOne({ c: 1 });
  await things().findOne({ _id: 1 } as never);
  expect(await uses()).toEqual({ _id_: 1, a_1: 2, b_1: 1 });
  // A change of the index itself begins anew nowhere.
  await harness.db.command({ collMod: 'things', index: { name: 'a_1', hidden: true } });
  expect(await uses()).toEqual({ _id_: 1, a_1: 2, b_1: 1 });
});

it.each<[string, Document, Document[]]>([
  ['2dsphere', { at: '2dsphere' }, [{ _id: 1, at: { type: 'Point', coordinates: [1, 1] } }]],
  ['2dsphere with another field', { at: '2dsphere', a: 1 }, [{ _id: 1, a: 5, at: { type: 'Point', coordinates: [1, 1] } }]],
  ['2d', { at: '2d' }, [{ _id: 1, at: [1, 1] }]],
])('finds by the hint of an index of places what has a place: %s', async (_kind, key, placed) => {
  await things().insertMany([...placed, { _id: 2, a: 1 }, { _id: 3, at: null }] as never[]);
  await things().createIndex(key as never, { name: 'places' });
  expect(await things().find({}).hint('places').toArray()).toEqual(placed);
  expect(await things().countDocuments({}, { hint: 'places' })).toBe(1);
  expect(await things().countDocuments({})).toBe(3);
});

it('lists the bounds of a plane as doubles, and tells them as they were written', async () => {
  await things().createIndex({ at: '2d' }, { min: -50, max: 50 });
  const [, listed] = await things().listIndexes({ promoteValues: false }).toArray();
  expect([listed?.min, listed?.max].map((value) => (value as { _bsontype: string })._bsontype)).toEqual(['Double', 'Double']);
});

it('keeps no arrays beside a wildcard', async () => {
  await things().insertOne({ _id: 1, a: 1, b: { c: [1] } } as never);
  const make = (): Promise<unknown> => things().createIndex({ a: 1, '$**': 1 }, { wildcardProjection: { a: 0 } });
  await make();
  expect(await codeOf(things().insertOne({ a: [1, 2] }))).toBe(7246301);
  expect(await codeOf(things().updateOne({ _id: 1 } as never, { $set: { a: [1, 2] } }))).toBe(7246301);
  expect(await codeOf(things().insertOne({ a: 2, b: [1, { c: [2] }] }))).toBe('accepted');
  await things().drop();
  await things().insertOne({ a: [1, 2] });
  expect(await codeOf(make())).toBe(7246301);
});

it('tells of a clustered collection that its documents are its index of ids', async () => {
  await harness.db.createCollection('things', { clusteredIndex: { key: { _id: 1 }, unique: true } });
  const made = await harness.db.command({ createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a' }] });
  expect(made).toMatchObject({ numIndexesBefore: 0, numIndexesAfter: 1 });
  expect(await harness.db.command({ dropIndexes: 'things', index: 'a' })).toMatchObject({ nIndexesWas: 1 });
});

it('takes what converts to a capped collection without a number of documents', async () => {
  await things().insertMany([{}, {}, {}]);
  await harness.db.command({ convertToCapped: 'things', size: 100_000, max: 2 });
  expect(await harness.db.command({ collStats: 'things' })).toMatchObject({ capped: true, max: 0, count: 3 });
});

it('is answered about an index that another client builds when it is built', async () => {
  const docs = Array.from({ length: 5000 }, (_none, n) => ({ a: n % 1000, b: 1 }));
  await things().insertMany(docs);
  const build = { createIndexes: 'things', indexes: [{ key: { a: 1, b: 1 }, name: 'both' }] };
  const order: string[] = [];
  await inManyTurns(async () => {
    const first = harness.db.command(build).then(() => order.push('first'));
    await untilRunning(harness.client, { 'command.createIndexes': 'things' });
    const second = harness.db.command(build).then((answer) => {
      order.push('second');
      return answer;
    });
    expect(await second).toMatchObject({ numIndexesAfter: 2, note: 'all indexes already exist' });
    await first;
  });
  expect(order).toEqual(['first', 'second']);
});

it('becomes unique when collMod has prepared it, and not before', async () => {
  await things().createIndexes([{ key: { a: 1 } }]);
  const change = (more: Document): Promise<unknown> => codeOf(harness.db.command({ collMod: 'things', index: { name: 'a_1', ...more } }));
  expect(await change({ unique: true })).toBe(72);
  expect(await change({ unique: false })).toBe(2);
  expect(await change({ prepareUnique: true, unique: true })).toBe(72);
  expect(await change({ prepareUnique: true })).toBe('accepted');
  expect(await change({ unique: true })).toBe('accepted');
  const [, made] = await things().indexes();
  expect(made).toEqual({ v: 2, key: { a: 1 }, name: 'a_1', unique: true });
});

it('describes an index by its version, its key and its name first, however it was asked for', async () => {
  await things().createIndex({ a: 1 }, { unique: true, partialFilterExpression: { a: { $gt: 1 } } });
  await harness.db.command({ createIndexes: 'things', indexes: [{ sparse: true, name: 'b', key: { b: 1 } }] });
  const listed = await things().listIndexes().toArray();
  expect(listed.map((index) => Object.keys(index))).toEqual([
    ['v', 'key', 'name'],
    ['v', 'key', 'name', 'unique', 'partialFilterExpression'],
    ['v', 'key', 'name', 'sparse'],
  ]);
});

it('hashes no lists, nor what is in them', async () => {
  await things().createIndexes([{ key: { 'a.b': 'hashed', c: 1 } }]);
  expect(await codeOf(things().insertOne({ a: { b: [1] } }))).toBe(16766);
  expect(await codeOf(things().insertOne({ a: [{ b: 1 }] }))).toBe(16766);
  await things().insertOne({ a: { b: 1 }, c: [1, 2] });
  await things().updateOne({}, { $push: { list: 1 } } as Document);
  expect(await codeOf(things().updateOne({}, { $set: { 'a.b': [] } }))).toBe(16766);
  expect(await codeOf(things().createIndexes([{ key: { list: 'hashed' } }]))).toBe(16766);
  expect(await things().indexes()).toHaveLength(2);
});

it('takes and lists the sizes of cells, which change nothing, and says which document has no place', async () => {
  await things().insertOne({ _id: 42 as never, at: { type: 'Polygon', coordinates: [[]] } });
  const make = (levels: Document): Promise<unknown> =>
    codeOf(harness.db.command({ createIndexes: 'things', indexes: [{ key: { at: '2dsphere' }, name: 'at', ...levels }] }));
  for (const levels of [{ finestIndexedLevel: 31 }, { coarsestIndexedLevel: -1 }, { coarsestIndexedLevel: 9, finestIndexedLevel: 8 }])
    expect(await make(levels)).toBe(67);
  expect(await make({ finestIndexedLevel: 'fine' })).toBe(14);
  await expect(things().createIndex({ at: '2dsphere' })).rejects.toThrow('{ _id: 42 } has no valid geometry');
  await things().deleteMany({});
  await make({ coarsestIndexedLevel: 5, finestIndexedLevel: 17 });
  expect((await things().indexes())[1]).toMatchObject({ coarsestIndexedLevel: 5, finestIndexedLevel: 17 });
});

it('keeps places out of an index that are none yet, and the name of the words for texts', async () => {
  await things().createIndex({ at: '2dsphere' });
  await things().insertMany([{ at: {} }, { at: [] }, { at: null }] as Document[]);
  expect(await codeOf(things().createIndexes([{ key: { _fts: 1 } }]))).toBe(67);
  expect(await codeOf(things().createIndexes([{ key: { _fts: 'text' } }]))).toBe(67);
  await things().createIndex({ a: 1, b: 'text', c: 1 });
  expect(await codeOf(things().createIndexes([{ key: { a: 1, b: 1, c: 'text' } }]))).toBe(67);
  expect(await codeOf(things().createIndexes([{ key: { a: 1, b: 'text', c: 1 }, weights: { d: 1 } }]))).toBe(85);
});

describe('the time after which documents go', () => {
  it.each<[string, Record<string, unknown>]>([
    ['that is before now', { keyPattern: { at: 1 }, expireAfterSeconds: -1 }],
    ['that is too long', { keyPattern: { at: 1 }, expireAfterSeconds: 2 ** 31 }],
    ['of several fields', { keyPattern: { at: 1, b: 1 }, expireAfterSeconds: 60 }],
    ['of the id', { keyPattern: { _id: 1 }, expireAfterSeconds: 60 }],
  ])('is not given to an index later, either: one %s', async (_name, index) => {
    await harness.db.collection('expiring').createIndexes([{ key: { at: 1 } }, { key: { at: 1, b: 1 } }]);
    await expect(harness.db.command({ collMod: 'expiring', index })).rejects.toMatchObject({ code: 72 });
    expect(await harness.db.collection('expiring').indexes()).not.toContainEqual(
      expect.objectContaining({ expireAfterSeconds: expect.anything() }),
    );
  });
});

it.each<[string, Record<string, unknown>]>([
  ['of a version that no server makes', { v: 0 }],
  ['that is unique, and to become so', { unique: true, prepareUnique: true }],
])('refuses an index %s', async (_name, options) => {
  const indexes = [{ key: { a: 1 }, name: 'a', ...options }];
  await expect(harness.db.command({ createIndexes: 'refused', indexes })).rejects.toMatchObject({ code: 67 });
});

it.each([
  ['with the same name but different options', { a: 'text' }, { weights: { a: 5 } }],
  ['with the same name but different options', { a: 'text' }, { default_language: 'none' }],
  ['with a different name and options', { a: 'text' }, { name: 'other', weights: { a: 5 } }],
  ['Index already exists with a different name: a_text', { a: 'text' }, { name: 'other' }],
  ['only one text index per collection allowed, found existing text index "a_text"', { b: 1, a: 'text' }, {}],
] as const)('says what is wrong with a second index of texts: %s', async (message, key, options) => {
  await things().createIndex({ a: 'text' });
  await expect(things().createIndex(key, options)).rejects.toThrow(message);
});

it.each([
  [{ '2dsphereIndexVersion': 1 }, 1],
  [{ '2dsphereIndexVersion': 2 }, 2],
  [{ '2dsphereIndexVersion': 3 }, 3],
  [{}, 3],
])('lists an index of places with the version that was asked for: %j', async (options, version) => {
  await things().createIndex({ place: '2dsphere' }, options);
  expect(await things().indexes()).toContainEqual(expect.objectContaining({ name: 'place_2dsphere', '2dsphereIndexVersion': version }));
  // Another version alone makes no other index.
  expect(await things().createIndex({ place: '2dsphere' }, { '2dsphereIndexVersion': 3 })).toBe('place_2dsphere');
});

it('says which index is not there to be dropped: by its name, or by its key', async () => {
  await things().createIndex({ a: 1 });
  const drop = (index: unknown): Promise<unknown> => harness.db.command({ dropIndexes: 'things', index });
  await expect(drop('b_1')).rejects.toMatchObject({ code: 27, message: 'index not found with name [b_1]' });
  const key = "can't find index with key: { b: 1, c.d: -1 }";
  await expect(drop({ b: 1, 'c.d': -1 })).rejects.toMatchObject({ code: 27, message: key });
  expect(await drop({ a: 1 })).toMatchObject({ nIndexesWas: 2 });
});

it.each<[unknown, unknown]>([
  [0, 'accepted'],
  [1, 'accepted'],
  ['majority', 'accepted'],
  ['votingMembers', 'accepted'],
  ['two datacentres', 79],
  [2, 278],
  [50, 278],
  [51, 9],
  [-1, 9],
  [NaN, 9],
])('makes an index that so many nodes have to have built as far as there are nodes: %p', async (commitQuorum, expected) => {
  await things().insertOne({ a: 1 });
  const indexes = [{ key: { a: 1 }, name: 'a_1' }];
  expect(await codeOf(harness.db.command({ createIndexes: 'things', indexes, commitQuorum }))).toBe(expected);
  expect(await things().indexExists('a_1')).toBe(expected === 'accepted');
});
