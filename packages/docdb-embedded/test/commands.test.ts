import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Double, Long, MongoClient, ObjectId, type Collection, type Document } from 'mongodb';
import { Random } from '@framework-internal/random';
import { DocDbServer } from '../src/index.ts';
import { start, type Harness } from './harness.ts';

/** Random queries that are answered with indexes and without. */
const SCANS = Number(process.env.SCAN_ROUNDS ?? 150);

let harness: Harness;
let items: Collection;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  items = harness.db.collection('items');
  await items.drop();
});

const code = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return 'no error';
};

describe('documents', () => {
  it('come back as they were written, types too', async () => {
    const doc = {
      _id: new ObjectId(),
      int: 5,
      double: new Double(5),
      long: Long.fromNumber(5),
      text: 'é😀',
      list: [1, [2]],
      nested: { a: null },
      date: new Date(5),
      bytes: Buffer.from([1, 2]),
      ['__proto__']: 1,
    };
    await items.insertOne(doc);
    const found = await items.findOne({}, { promoteValues: false });
    expect(found?.double).toBeInstanceOf(Double);
    expect(found?.long).toBeInstanceOf(Long);
    expect(await items.findOne({}, { projection: { text: 1, list: 1, nested: 1, date: 1 } })).toEqual({
      _id: doc._id,
      text: 'é😀',
      list: [1, [2]],
      nested: { a: null },
      date: new Date(5),
    });
  });

  it('of 15 MB are taken, of more than 16 MB refused', async () => {
    await items.insertOne({ text: 'x'.repeat(15 * 1024 * 1024) });
    await expect(items.insertOne({ text: 'x'.repeat(16 * 1024 * 1024) })).rejects.toThrow();
    expect(await items.countDocuments()).toBe(1);
  });

  it('are found by not-a-number, which is equal to itself alone', async () => {
    const numbers = harness.db.collection<{ _id: number; a: unknown }>('numbers');
    await numbers.insertMany([
      { _id: 1, a: Number.NaN },
      { _id: 2, a: 1 },
      { _id: 3, a: null },
    ]);
    for (const index of [false, true]) {
      if (index) await numbers.createIndex({ a: 1 });
      for (const filter of [{ a: Number.NaN }, { a: { $eq: Number.NaN } }, { a: { $in: [Number.NaN] } }, { a: { $lte: Number.NaN } }])
        expect((await numbers.find(filter).toArray()).map(({ _id }) => _id)).toEqual([1]);
      expect(await numbers.countDocuments({ a: { $ne: Number.NaN } })).toBe(2);
      expect(await numbers.countDocuments({ a: { $lt: 5 } })).toBe(1);
    }
  });

  it('are read in batches, and a cursor can be closed', async () => {
    await items.insertMany(Array.from({ length: 1000 }, (_unused, n) => ({ _id: n as never, n })));
    const cursor = items.find({}, { batchSize: 10 });
    const seen: number[] = [];
    for await (const doc of cursor) {
      seen.push(doc.n);
      if (seen.length === 25) break;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_unused, n) => n));
    expect((await items.find({}, { batchSize: 300 }).toArray()).map((doc) => doc.n)).toHaveLength(1000);
  });
});

describe('writes', () => {
  it('update one, many, replace, upsert and findOneAnd…', async () => {
    await items.insertMany([
      { _id: 1 as never, a: 1 },
      { _id: 2 as never, a: 1 },
    ]);
    expect(await items.updateOne({ a: 1 }, { $set: { b: 1 } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect(await items.updateMany({}, { $inc: { a: 1 } })).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
    expect(await items.updateMany({}, { $set: { a: 2 } })).toMatchObject({ matchedCount: 2, modifiedCount: 0 });
    expect(await items.replaceOne({ _id: 2 as never }, { c: 1 })).toMatchObject({ modifiedCount: 1 });
    expect(
      await items.updateOne({ _id: 3 as never, x: 'y' }, { $set: { a: 1 }, $setOnInsert: { made: true } }, { upsert: true }),
    ).toMatchObject({ upsertedId: 3 });
    expect(
      await items.findOneAndUpdate({ _id: 3 as never }, { $set: { a: 9 } }, { returnDocument: 'after', projection: { a: 1 } }),
    ).toEqual({ _id: 3, a: 9 });
    expect(await items.findOneAndReplace({ _id: 3 as never }, { z: 1 })).toEqual({ _id: 3, a: 9, made: true, x: 'y' });
    expect(await items.findOneAndDelete({ _id: 3 as never })).toEqual({ _id: 3, z: 1 });
    expect(await items.deleteMany({})).toMatchObject({ deletedCount: 2 });
  });

  it('report each failed statement of an unordered batch', async () => {
    await items.insertOne({ _id: 2 as never });
    await expect(
      items.insertMany([{ _id: 1 as never }, { _id: 2 as never }, { _id: 3 as never }], { ordered: false }),
    ).rejects.toMatchObject({ code: 11000, insertedCount: 2 });
    expect(await items.countDocuments()).toBe(3);
  });

  it('do not change the id', async () => {
    await items.insertOne({ _id: 1 as never });
    expect(await code(items.updateOne({}, { $set: { _id: 2 } }))).toBe(66);
  });

  it('are refused by a validator with code 121', async () => {
    await harness.db.dropCollection('checked');
    const checked = await harness.db.createCollection('checked', {
      validator: { $jsonSchema: { required: ['name'], properties: { name: { bsonType: 'string' } } } },
    });
    expect(await code(checked.insertOne({ name: 5 }))).toBe(121);
    await checked.insertOne({ name: 'a' });
    expect(await code(checked.updateOne({}, { $set: { name: 1 } }))).toBe(121);
  });
});

describe('what is not known', () => {
  it('is an error with the code of MongoDB', async () => {
    expect(await code(harness.db.command({ unknownCommand: 1 }))).toBe(59);
    expect(await code(harness.db.command({ find: 'items', wrongOption: 1 }))).toBe(40415);
    expect(await code(items.find({ a: { $wrong: 1 } }).toArray())).toBe(2);
    expect(await code(items.aggregate([{ $wrong: 1 }]).toArray())).toBe(40324);
    expect(await code(items.aggregate([{ $project: { a: { $wrong: 1 } } }]).toArray())).toBe(31325);
    expect(await code(items.aggregate([{ $set: { a: { $wrong: 1 } } }]).toArray())).toBe(168);
    expect(await code(items.updateOne({}, { $wrong: { a: 1 } }))).toBe(9);
    expect(await code(items.find({ $where: 'true' } as never).toArray())).toBe(2);
    expect(await code(items.aggregate([{ $sample: {} }]).toArray())).toBe(28749);
  });
});

describe('indexes', () => {
  const plan = async (filter: Document, sort: Document = {}): Promise<string> => {
    const explained = await items
      .find(filter as never)
      .sort(sort as never)
      .explain();
    return JSON.stringify(explained.queryPlanner.winningPlan);
  };

  it('keep values unique, also over updates, with the names of the fields in the error', async () => {
    await items.createIndexes([{ key: { email: 1 }, unique: true }]);
    await items.insertMany([{ email: 'a' }, { email: 'b' }]);
    await expect(items.insertOne({ email: 'a' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { email: 1 },
      keyValue: { email: 'a' },
    });
    expect(await code(items.updateOne({ email: 'b' }, { $set: { email: 'a' } }))).toBe(11000);
    expect(await code(items.updateOne({ email: 'b' }, { $set: { email: 'b', x: 1 } }))).toBe('no error');
    await items.insertOne({});
    expect(await code(items.insertOne({ email: null }))).toBe(11000);
  });

  it('can not be built over documents that break them', async () => {
    await items.insertMany([{ a: 1 }, { a: 1 }]);
    expect(await code(items.createIndexes([{ key: { a: 1 }, unique: true }]))).toBe(11000);
  });

  it('leave out what sparse and partial indexes leave out', async () => {
    await items.createIndexes([
      { key: { s: 1 }, unique: true, sparse: true, name: 's' },
      { key: { p: 1 }, unique: true, name: 'p', partialFilterExpression: { on: true } },
    ]);
    await items.insertMany([{}, {}, { p: 1, on: false }, { p: 1 }, { p: 1, on: true }]);
    expect(await code(items.insertOne({ p: 1, on: true }))).toBe(11000);
  });

  it('compare with their collation', async () => {
    await items.createIndexes([{ key: { name: 1 }, unique: true, collation: { locale: 'en', strength: 2 } }]);
    await items.insertOne({ name: 'Ann' });
    expect(await code(items.insertOne({ name: 'ANN' }))).toBe(11000);
  });

  it('are used for equality, ranges and sorting, and explain tells index from scan', async () => {
    await items.createIndexes([{ key: { a: 1, b: -1 } }]);
    await items.insertMany(Array.from({ length: 200 }, (_unused, n) => ({ a: n % 10, b: n })));
    expect(await plan({ a: 1 })).toContain('IXSCAN');
    expect(await plan({ a: { $gt: 5 } })).toContain('IXSCAN');
    expect(await plan({ a: 1 }, { b: -1 })).not.toContain('SORT');
    expect(await plan({ a: 1 }, { b: 1 })).not.toContain('SORT');
    expect(await plan({ b: 1 })).toContain('COLLSCAN');
    expect(await plan({ _id: new ObjectId() })).toContain('EXPRESS_IXSCAN');
    const stats = (await items.find({ a: 3 }).explain()).executionStats;
    expect(stats).toMatchObject({ nReturned: 20, totalDocsExamined: 20 });
  });

  it(`give the same results as a scan: ${String(SCANS)} random queries`, async () => {
    await items.insertMany(
      Array.from({ length: 300 }, (_unused, n) => ({
        _id: n as never,
        a: n % 7 === 0 ? null : n % 13,
        b: n % 5 === 0 ? [n % 3, n % 4] : n % 9,
        c: `t${n % 11}`,
      })),
    );
    await items.createIndexes([{ key: { a: 1 } }, { key: { b: 1, c: -1 } }, { key: { c: 1 } }]);
    const seed = Number(process.env.QUERY_SEED ?? 20261121);
    const generator = new Random(seed);
    const random = (limit: number): number => generator.below(limit);
    const distinct = new Set<string>();
    for (let round = 0; round < SCANS; round++) {
      const filter: Document = {};
      const value = (): unknown => [random(13), null, random(5)][random(3)];
      if (random(2))
        filter.a = [value(), { $gt: random(10) }, { $gte: random(10), $lt: random(13) }, { $in: [value(), value()] }, { $ne: value() }][
          random(5)
        ];
      if (random(2))
        filter.b = [value(), { $lte: random(9) }, { $gt: random(4), $lt: random(6) }, { $in: [random(4), random(9)] }][random(4)];
      if (random(3) === 0) filter.c = `t${random(12)}`;
      const sort = [{}, { a: 1 }, { b: -1, c: 1 }, { c: -1, _id: 1 }][random(4)] as Document;
      const indexed = await items
        .find(filter as never)
        .sort({ ...sort, _id: 1 } as never)
        .toArray();
      const scanned = await items
        .find(filter as never)
        .sort({ ...sort, _id: 1 } as never)
        .hint({ $natural: 1 })
        .toArray();
      expect({ filter, sort, ids: indexed.map((doc) => doc._id) }).toEqual({ filter, sort, ids: scanned.map((doc) => doc._id) });
      distinct.add(JSON.stringify([filter, sort]));
    }
    console.log(`QUERY_SEED=${String(seed)}: ${String(distinct.size)} distinct queries`);
    expect(distinct.size).toBeGreaterThan(Math.min(SCANS * 0.6, 600));
  });
});

describe('the server', () => {
  it('takes every form of its URL', async () => {
    const { port } = harness.server;
    for (const url of [
      `mongodb://127.0.0.1:${port}`,
      `mongodb://localhost:${port}/?replicaSet=rs0`,
      `mongodb://127.0.0.1:${port}/?directConnection=true`,
      `mongodb://127.0.0.1:${port}/?w=majority&retryWrites=true&readPreference=secondaryPreferred`,
    ]) {
      const client = await new MongoClient(url).connect();
      await expect(client.db('x').command({ ping: 1 })).resolves.toMatchObject({ ok: 1 });
      await client.close();
    }
  });

  it('refuses credentials instead of ignoring them', async () => {
    const client = new MongoClient(`mongodb://user:secret@127.0.0.1:${harness.server.port}/?serverSelectionTimeoutMS=2000`);
    await expect(client.connect()).rejects.toThrow();
    await client.close();
  });

  it('listens on loopback only', async () => {
    await expect(DocDbServer.start({ host: '0.0.0.0' })).rejects.toThrow('loopback addresses only');
  });

  it('rejects when the port is taken', async () => {
    await expect(DocDbServer.start({ port: harness.server.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringContaining(`The port ${String(harness.server.port)} of 127.0.0.1 is in use`) as unknown,
    });
  });
});
