import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, CollectionInfo, Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

interface Item extends Document {
  _id: number | string;
}

let harness: Harness;
let items: Collection<Item>;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  items = harness.db.collection('items');
  await items.createIndex({ key: 1 }, { unique: true });
  await items.insertMany([
    { _id: 1, key: 1, list: [1], text: 1 },
    { _id: 2, key: { a: 'x', b: [1] }, text: 'x' },
  ]);
});

const DUPLICATE = 'E11000 duplicate key error collection: test.items index: key_1 dup key: { key: { a: "x", b: [ 1 ] } }';

describe('the message of what fails while it runs says what was going on', () => {
  it.each<[string, () => Promise<unknown>, number, string]>([
    [
      'update',
      () => items.updateOne({ key: 1 }, { $set: { key: { a: 'x', b: [1] } } }),
      11000,
      `Plan executor error during update :: caused by :: ${DUPLICATE}`,
    ],
    [
      'an upsert',
      () => items.updateOne({ _id: 3 }, { $set: { key: { a: 'x', b: [1] } } }, { upsert: true }),
      11000,
      `Plan executor error during update :: caused by :: ${DUPLICATE}`,
    ],
    [
      'findAndModify',
      () => items.findOneAndUpdate({ key: 1 }, { $set: { 'list.a': 1 } }),
      28,
      'Plan executor error during findAndModify :: caused by :: ',
    ],
    [
      'find',
      () => items.find({}, { projection: { sum: { $add: ['$text', 1] } } }).toArray(),
      14,
      'Executor error during find command: test.items :: caused by :: $add only supports',
    ],
    [
      'getMore',
      async () => {
        await items.drop();
        await items.insertMany(Array.from({ length: 1000 }, (_unused, n) => ({ _id: n, text: n === 999 ? 'x' : 1 })));
        await items.find({}, { projection: { sum: { $add: ['$text', 1] } }, batchSize: 1 }).toArray();
      },
      14,
      'Executor error during getMore :: caused by :: $add only supports',
    ],
    [
      'aggregate',
      () => items.aggregate([{ $project: { sum: { $add: ['$text', 1] } } }]).toArray(),
      14,
      'PlanExecutor error during aggregation :: caused by :: $add only supports',
    ],
    [
      '$merge',
      () =>
        items.aggregate([{ $match: { key: 1 } }, { $set: { _id: 9 } }, { $merge: { into: 'items', whenNotMatched: 'fail' } }]).toArray(),
      13113,
      'PlanExecutor error during aggregation :: caused by :: ',
    ],
  ])('in %s', async (_name, run, code, message) => {
    await expect(run()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('in the building of an index, with the collection that it was for', async () => {
    await items.dropIndexes();
    await items.insertOne({ _id: 3, key: { a: 'x', b: [1] } });
    const [found] = await harness.db.listCollections<CollectionInfo>({ name: 'items' }).toArray();
    const collection = `Collection test.items ( ${String(found?.info?.uuid)} )`;
    const failed = await items.createIndex({ key: 1 }, { unique: true }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 11000, keyPattern: { key: 1 }, keyValue: { key: { a: 'x', b: [1] } } });
    const [build, ...rest] = (failed as Error).message.split(': Collection ');
    expect(build).toMatch(/^Index build failed: [\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(`Collection ${rest.join('')}`).toBe(`${collection} :: caused by :: ${DUPLICATE}`);
  });

  it('and not where it is refused before, or nothing is planned', async () => {
    await expect(items.insertOne({ _id: 4, key: { a: 'x', b: [1] } })).rejects.toMatchObject({ message: DUPLICATE });
    const unknown = items.findOneAndUpdate({ key: 1 }, { $unknown: 1 } as Document);
    await expect(unknown).rejects.toMatchObject({ code: 9, message: expect.stringMatching(/^Unknown modifier/) });
  });
});

describe('a document that grows over 16 MiB', () => {
  const half = 'x'.repeat(9_000_000);
  it('is refused with the code of what made it grow', async () => {
    await items.insertOne({ _id: 'large', key: 5, half });
    const update = { $set: { other: half } };
    await expect(items.updateOne({ key: 5 }, update)).rejects.toMatchObject({ code: 17419 });
    await expect(items.findOneAndUpdate({ key: 5 }, update)).rejects.toMatchObject({
      code: 17419,
      message: 'Plan executor error during findAndModify :: caused by :: Resulting document after update is larger than 16777216',
    });
    await expect(
      items.aggregate([{ $match: { key: 5 } }, { $set: { other: '$half' } }, { $merge: 'items' }]).toArray(),
    ).rejects.toMatchObject({
      code: 10334,
    });
    const pipeline = [
      { $set: { a: { $reduce: { input: { $range: [0, 20] }, initialValue: '', in: { $concat: ['$$value', 'x'.repeat(1_000_000)] } } } } },
    ];
    await expect(items.updateOne({ _id: 6 }, pipeline, { upsert: true })).rejects.toMatchObject({
      code: 17420,
      message: expect.stringContaining('Document to upsert is larger than 16777216'),
    });
  });

  describe('is no answer', () => {
    const twice = { a: '$half', b: '$half' };
    /** Of another database, which stays for all of them. */
    let large: Collection<Item>;
    beforeAll(async () => {
      large = harness.client.db('large').collection('items');
      await large.insertMany([
        { _id: 'one', key: 5, half },
        { _id: 'two', key: 6, half },
      ]);
    });

    it.each<[string, string, () => Promise<unknown>]>([
      [
        'projected by a find',
        'Executor error during find command: large.items',
        () => large.find({ key: 5 }, { projection: twice }).toArray(),
      ],
      [
        'projected',
        'PlanExecutor error during aggregation',
        () => large.aggregate([{ $match: { key: 5 } }, { $project: twice }]).toArray(),
      ],
      [
        'grouped',
        'PlanExecutor error during aggregation',
        () => large.aggregate([{ $group: { _id: 0, all: { $push: '$half' } } }]).toArray(),
      ],
    ])('%s', async (_what, doing, ask) => {
      await expect(ask()).rejects.toMatchObject({
        code: 10334,
        message: expect.stringMatching(
          new RegExp(`^${doing} :: caused by :: BSONObj size: \\d+ is invalid. Size must be between 0 and 16793600`),
        ),
      });
    });
  });

  it('is an answer with no more around it than a document has room for', async () => {
    await items.insertOne({ _id: 'one', key: 5, half: 'x'.repeat(16_777_000) });
    const [found] = await items.aggregate([{ $match: { key: 5 } }, { $set: { more: 'y'.repeat(10_000) } }]).toArray();
    expect(found?.more).toHaveLength(10_000);
  });
});

describe('the message of a conflict', () => {
  const OLD = '{ v: 2, key: { key: 1 }, name: "key_1", unique: true }';
  it.each<[Document, number, string]>([
    [{ key: { key: 1 }, name: 'key_1' }, 86, `Requested index: { v: 2, key: { key: 1 }, name: "key_1" }, existing index: ${OLD}`],
    [
      { key: { key: 1 }, name: 'key_1', unique: true, expireAfterSeconds: 3 },
      85,
      `An equivalent index already exists with the same name but different options. Requested index: { v: 2, key: { key: 1 }, name: "key_1", unique: true, expireAfterSeconds: 3 }, existing index: ${OLD}`,
    ],
    [
      { key: { key: 1 }, name: 'other', unique: true, expireAfterSeconds: 3 },
      85,
      `An equivalent index already exists with a different name and options. Requested index: `,
    ],
    [{ key: { key: 1 }, name: 'other', unique: true }, 85, 'Index already exists with a different name: key_1'],
  ])('of the index %j has both', async (index, code, message) => {
    const made = harness.db.command({ createIndexes: 'items', indexes: [index] });
    await expect(made).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it.each<[Document, number, string]>([
    [{ a: 1, 'a.b.c': 1 }, 31249, 'Path collision at a.b.c remaining portion b.c'],
    [{ 'a.b.c': 1, 'a.b': 1 }, 31250, 'Path collision at a.b'],
  ])('of the projection %j names the whole path', async (projection, code, message) => {
    await expect(items.find({}, { projection }).toArray()).rejects.toMatchObject({ code, message });
  });
});

it('a transaction that was aborted is told as one', async () => {
  const session = harness.client.startSession();
  session.startTransaction();
  await expect(items.insertOne({ _id: 1 }, { session })).rejects.toMatchObject({ code: 11000 });
  const later = items.insertOne({ _id: 3 }, { session });
  const message = expect.stringMatching(/^Transaction with \{ txnNumber: \d+ \} has been aborted\.$/);
  await expect(later).rejects.toMatchObject({ code: 251, message, errorLabels: ['TransientTransactionError'] });
  await session.endSession();
});
