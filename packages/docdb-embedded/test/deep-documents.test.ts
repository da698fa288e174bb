import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Db, type Document, MongoClient } from 'mongodb';
import { DocDbServer } from '../src/index.ts';
import { type Harness, start } from './harness.ts';

/** Levels that a document in a collection may have, itself among them. */
const MOST = 180;

/** @returns a document of so many levels */
function nested(levels: number): Document {
  let doc: Document = { a: 1 };
  for (let level = 1; level < levels; level++) doc = { a: doc };
  return doc;
}

const path = (levels: number): string => Array<string>(levels).fill('a').join('.');

describe('a document that is nested more deeply than it may be', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await start();
  });
  afterAll(() => harness.stop());

  const items = (): Collection<{ _id: number }> => harness.db.collection('items');
  beforeEach(async () => {
    await items().deleteMany({});
    await items().insertOne({ _id: 1, ...nested(MOST) });
  });

  const wrap = [{ $replaceWith: { _id: '$_id', a: { a: '$a' } } }];
  it.each<[string, () => Promise<unknown>]>([
    ['an insert', () => items().insertOne({ _id: 2, ...nested(MOST + 1) })],
    ['a replacement', () => items().replaceOne({ _id: 1 }, nested(MOST + 1))],
    ['a path', () => items().updateOne({ _id: 1 }, { $set: { [`b.${path(MOST)}`]: 1 } })],
    ['a path of more names than a message has levels', () => items().updateOne({ _id: 1 }, { $set: { [`b.${path(220)}`]: 1 } })],
    ['a pipeline', () => items().updateOne({ _id: 1 }, wrap)],
    ['findAndModify', () => items().findOneAndUpdate({ _id: 1 }, { $set: { [`b.${path(198)}`]: 1 } })],
    ['an upsert', () => items().updateOne({ _id: 3 }, { $set: { [path(MOST + 1)]: 1 } }, { upsert: true })],
    [
      '$merge',
      () =>
        items()
          .aggregate([...wrap, { $merge: 'items' }])
          .toArray(),
    ],
    [
      '$out',
      () =>
        items()
          .aggregate([...wrap, { $out: 'made' }])
          .toArray(),
    ],
  ])('is refused, so that it can be read and removed: by %s', async (_by, write) => {
    // What $out has begun is dropped, and told of.
    const changes = harness.db.watch([{ $match: { operationType: { $ne: 'drop' } } }]);
    await changes.tryNext();
    await expect(write()).rejects.toMatchObject({ code: 15, message: expect.stringMatching(/nested too deeply.* 180 levels/) });
    await items().insertOne({ _id: 9 });
    expect(await changes.next()).toMatchObject({ operationType: 'insert', documentKey: { _id: 9 } });
    await changes.close();
    expect(
      await items()
        .find({}, { sort: { _id: 1 } })
        .toArray(),
    ).toEqual([{ _id: 1, ...nested(MOST) }, { _id: 9 }]);
    expect(await harness.db.collection('made').countDocuments()).toBe(0);
    expect(await items().deleteMany({})).toMatchObject({ deletedCount: 2 });
  });

  it('may have the most levels, and its session writes on where an answer holds it', async () => {
    await harness.client.withSession(async (session) => {
      const update = { $set: { [`b.${path(MOST - 1)}`]: 1 } };
      const found = await items().findOneAndUpdate({ _id: 1 }, update, { session, returnDocument: 'after' });
      expect(found).toEqual({ _id: 1, ...nested(MOST), b: nested(MOST - 1) });
      expect(await items().updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session })).toMatchObject({ modifiedCount: 1 });
    });
  });
});

describe('a folder', () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'docdb-deep-'));
  });
  afterEach(() => rm(path, { recursive: true }));

  async function withServer(work: (db: Db) => Promise<void>): Promise<void> {
    const server = await DocDbServer.start({ path });
    const client = new MongoClient(server.uri);
    try {
      await work(client.db('test'));
    } finally {
      await client.close();
      await server.stop();
    }
  }

  it.each<[string, number, (db: Db, filter: Document) => Promise<unknown>]>([
    ['a validator', 199, (db, x) => db.createCollection('checked', { validator: { x } })],
    ['a view', 197, (db, x) => db.createCollection('seen', { viewOn: 'items', pipeline: [{ $match: { x } }] })],
    ['an index', 197, (db, x) => db.collection('items').createIndex({ a: 1 }, { partialFilterExpression: { x } })],
  ])('is opened again where %s is nested as deeply as a message may be', async (_what, levels, make) => {
    await withServer(async (db) => {
      await db.collection('items').insertOne({ a: 1 });
      await make(db, nested(levels));
    });
    await withServer(async (db) => {
      expect(await db.collection('items').countDocuments()).toBe(1);
      await db.dropDatabase();
      await expect(make(db, nested(levels + 1))).rejects.toMatchObject({ code: 15 });
    });
    await withServer(async (db) => {
      expect(await db.collection('items').countDocuments()).toBe(0);
    });
  });
});
