import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, type Collection, type CollationOptions, type Document } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { loadCatalogue } from '../../src/storage/catalogue.ts';
import { Engine, numberKey } from '../../src/storage/engine.ts';
import { start, type Harness } from '../harness.ts';

const ALIKE = { locale: 'en', strength: 2 };
type Item = Document & { _id: string | number };

const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'done',
    (error: unknown) => (error as { readonly code?: unknown }).code,
  );
const examined = async (of: Collection<Item>, filter: Document, options: Document = {}): Promise<unknown[]> => {
  const { executionStats: stats } = await of.find(filter, options).explain('executionStats');
  return [stats.nReturned, stats.totalDocsExamined];
};

let harness: Harness;
let items: Collection<Item>;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  items = await harness.db.createCollection<Item>('items', { collation: ALIKE });
});

describe('the collation of a collection', () => {
  it('decides which ids and unique keys are the same', async () => {
    await items.createIndex({ name: 1 }, { unique: true });
    await items.insertOne({ _id: 'a', name: 'Ann' });
    expect(await codeOf(items.insertOne({ _id: 'A', name: 'Bob' }))).toBe(11000);
    expect(await codeOf(items.insertOne({ _id: 'b', name: 'ANN' }))).toBe(11000);
    expect(await codeOf(items.insertOne({ _id: 'b', name: 'Änn' }))).toBe('done');
    expect(await codeOf(items.updateOne({ _id: 'B' }, { $set: { name: 'anN' } }))).toBe(11000);
    expect((await items.updateOne({ _id: 'A' }, { $set: { n: 1 } }, { upsert: true })).matchedCount).toBe(1);
    expect(await codeOf(items.updateOne({ _id: 'A' }, { $set: { n: 1 } }, { upsert: true, collation: { locale: 'simple' } }))).toBe(11000);
  });

  it('is that of its index of ids, which can not be asked for with another one', async () => {
    const plain = await harness.db.createCollection('plain');
    const make = (of: Collection<never>, collation?: CollationOptions): Promise<unknown> =>
      codeOf(of.createIndex({ _id: 1 }, collation ? { collation } : {}));
    expect([
      await make(plain as never, ALIKE),
      await make(items as never, { locale: 'simple' }),
      await make(items as never, { locale: 'de' }),
    ]).toEqual([2, 2, 2]);
    expect([await make(plain as never), await make(plain as never, { locale: 'simple' })]).toEqual(['done', 'done']);
    expect([await make(items as never), await make(items as never, ALIKE)]).toEqual(['done', 'done']);
    expect(await make(harness.db.collection('made') as never, ALIKE)).toBe(2);
    expect(await harness.db.listCollections({ name: 'made' }).toArray()).toEqual([]);
  });

  it('is none where it is the simple one, and so is that of an index', async () => {
    const simple = { collation: { locale: 'simple' } };
    const plain = await harness.db.createCollection('plain', simple);
    for (const options of [{}, simple, {}]) expect(await plain.createIndex({ a: 1 }, options)).toBe('a_1');
    await plain.createIndex({ b: 1 }, simple);
    for (const options of [{}, simple]) expect(await plain.createIndex({ b: 1 }, options)).toBe('b_1');
    expect(await codeOf(plain.createIndex({ b: 1 }, { ...simple, name: 'twice' }))).toBe(85);
    await items.createIndex({ a: 1 }, { ...simple, name: 'bytes' });
    await items.createIndex({ a: 1 }, { name: 'alike' });
    const shown = async (of: Collection<never>): Promise<unknown[]> =>
      (await of.listIndexes().toArray()).map(({ name, collation }) => [name, (collation as Document | undefined)?.locale]);
    expect(await shown(plain as never)).toEqual([
      ['_id_', undefined],
      ['a_1', undefined],
      ['b_1', undefined],
    ]);
    expect(await shown(items as never)).toEqual([
      ['_id_', 'en'],
      ['bytes', undefined],
      ['alike', 'en'],
    ]);
    expect(await harness.db.listCollections({ name: 'plain' }).toArray()).toMatchObject([{ options: {} }]);
    expect((await harness.db.listCollections({ name: 'plain' }).toArray())[0]).not.toHaveProperty('options.collation');
  });

  it('lets an index find texts that it counts as one, and no other index', async () => {
    await items.createIndex({ mail: 1 });
    await items.insertMany(Array.from({ length: 500 }, (_, n) => ({ _id: `Id ${String(n)}`, mail: `User${String(n)}@example.com` })));
    expect(await examined(items, { mail: 'USER77@example.com' })).toEqual([1, 1]);
    expect(await examined(items, { _id: 'ID 77' })).toEqual([1, 1]);
    expect(await examined(items, { mail: { $in: ['user1@EXAMPLE.com', 'user2@example.com', 'x'] } })).toEqual([2, 2]);
    expect(await examined(items, { mail: 'USER77@example.com' }, { collation: { locale: 'simple' } })).toEqual([0, 500]);
    expect(await examined(items, { mail: 'User77@example.com' }, { collation: { locale: 'en', strength: 3 } })).toEqual([1, 500]);
  });

  it('decides which values distinct takes for the same, inside of documents too', async () => {
    await items.insertMany([
      { _id: 1, name: { first: 'Ann' }, tag: 'x' },
      { _id: 2, name: { first: 'ANN' }, tag: 'X' },
      { _id: 3, name: { first: 'Bob' }, tag: ['x', 'y'] },
    ]);
    expect(await items.distinct('tag')).toEqual(['x', 'y']);
    expect(await items.distinct('name')).toEqual([{ first: 'Ann' }, { first: 'Bob' }]);
  });

  it('is not taken for one that differs in what counts as space', async () => {
    const spaces = { ...ALIKE, alternate: 'shifted', maxVariable: 'space' } as const;
    await items.createIndex({ name: 1 }, { collation: spaces });
    await items.insertMany([
      { _id: 1, name: 'a b' },
      { _id: 2, name: 'a-b' },
    ]);
    expect(await examined(items, { name: 'ab' }, { collation: spaces })).toEqual([1, 1]);
    expect(await examined(items, { name: 'ab' }, { collation: { ...spaces, maxVariable: 'punct' } })).toEqual([2, 2]);
  });

  it('keeps an index of some documents from queries that compare texts in another way', async () => {
    await items.createIndex({ n: 1 }, { partialFilterExpression: { kind: 'x' }, collation: { locale: 'simple' } });
    await items.insertMany([
      { _id: 1, kind: 'x', n: 1 },
      { _id: 2, kind: 'X', n: 1 },
    ]);
    expect(await examined(items, { kind: 'x', n: 1 })).toEqual([2, 2]);
    expect(await examined(items, { kind: 'x', n: 1 }, { collation: { locale: 'simple' } })).toEqual([1, 1]);
  });

  it('keeps an index from becoming unique that has two texts which it counts as one', async () => {
    await items.createIndex({ name: 1 }, { name: 'name' });
    await items.insertMany([
      { _id: 1, name: 'a' },
      { _id: 2, name: 'A' },
    ]);
    const change = (index: Document): Promise<unknown> =>
      codeOf(harness.db.command({ collMod: 'items', index: { name: 'name', ...index } }));
    expect(await change({ prepareUnique: true })).toBe('done');
    expect(await change({ unique: true })).toBe(359);
    await items.deleteOne({ _id: 2 });
    expect(await change({ unique: true })).toBe('done');
  });

  it('keeps the entry of a document whose list gives one place several times', async () => {
    await items.createIndex({ name: 1, list: 1 });
    await items.insertOne({ _id: 1, name: 'a', list: [1, 2] });
    await items.updateOne({ _id: 1 }, { $set: { list: [3, 4] } });
    expect(await examined(items, { name: 'A' })).toEqual([1, 1]);
    expect(await harness.db.command({ validate: 'items' })).toMatchObject({ valid: true, errors: [] });
  });

  it('tells ids apart that a transaction has changed', async () => {
    const long = (end: string): string => `${'x'.repeat(950)}${end}`;
    const plain = harness.db.collection<Item>('plain');
    await plain.insertMany([{ _id: long('1') }, { _id: long('2') }]);
    await harness.client.withSession(async (session) =>
      session.withTransaction(async () => {
        for (const end of ['1', '2']) await plain.updateOne({ _id: long(end) }, { $set: { end } }, { session });
        expect((await plain.findOne({ _id: long('1') }, { session }))?.end).toBe('1');
        expect((await plain.findOne({ _id: long('2') }, { session }))?.end).toBe('2');
      }),
    );
  });

  it('is shown with its defaults for the index of ids too', async () => {
    const { cursor } = await harness.db.command({ listCollections: 1, filter: { name: 'items' } });
    const [{ options, idIndex }] = cursor.firstBatch;
    expect(options.collation).toMatchObject({ ...ALIKE, caseLevel: false });
    expect(idIndex).toEqual({ v: 2, key: { _id: 1 }, name: '_id_', collation: options.collation });
    expect(await items.listIndexes().toArray()).toEqual([idIndex]);
  });

  it('is not that of a view of it, nor of a pipeline that joins it', async () => {
    await items.insertMany([
      { _id: 1, name: 'a' },
      { _id: 2, name: 'A' },
    ]);
    await harness.db.createCollection('view', { viewOn: 'items', pipeline: [] });
    expect(await harness.db.collection('view').countDocuments({ name: 'a' })).toBe(1);
    expect(await codeOf(harness.db.collection('view').find({ name: 'a' }, { collation: ALIKE }).toArray())).toBe(167);
    await harness.db.collection<Item>('plain').insertOne({ _id: 1, name: 'a' });
    const join = { $lookup: { from: 'items', localField: 'name', foreignField: 'name', as: 'found' } };
    const found = async (options: Document): Promise<number> =>
      ((await harness.db.collection('plain').aggregate([join], options).toArray())[0]?.found as unknown[]).length;
    expect([await found({}), await found({ collation: ALIKE })]).toEqual([1, 2]);
    expect(await items.aggregate([{ $match: { _id: 1 } }, { ...join }]).toArray()).toMatchObject([{ found: [{ _id: 1 }, { _id: 2 }] }]);
  });
});

describe('a folder whose keys were made by other rules', () => {
  it.each([
    ['rules of text', Buffer.from('1 others')],
    ['form of entries', Buffer.of(1)],
  ])('gets them made anew when it is opened: %s', async (note, before) => {
    const path = mkdtempSync(join(tmpdir(), 'docdb-'));
    const withServer = async (work: (of: Collection<Item>) => Promise<void>): Promise<void> => {
      const server = await DocDbServer.start({ path });
      const client = await new MongoClient(server.uri).connect();
      try {
        await work(client.db('t').collection<Item>('items'));
      } finally {
        await client.close();
        await server.stop();
      }
    };
    try {
      await withServer(async (of) => {
        await of.db.createCollection('items', { collation: ALIKE });
        await of.createIndex({ name: 1 }, { unique: true });
        await of.insertMany(Array.from({ length: 700 }, (_, n) => ({ _id: `Id ${String(n)}`, name: `Name ${String(n)}` })) as Item[]);
      });
      const engine = new Engine({ path, sync: 'always', maxSize: undefined });
      const indexes = [...loadCatalogue(engine, 0).collections.values()].flatMap((collection) => [...collection.indexes.values()]);
      await engine.write(() => {
        for (const { number } of indexes) {
          engine.removeSome('indexes', number, Infinity);
          for (let other = 1; other <= 700; other++) void engine.entries.put(Buffer.concat([numberKey(number), Buffer.of(0x20)]), other);
        }
        void engine.system.put(Buffer.from(note), before);
      });
      await engine.close();
      await withServer(async (of) => {
        expect(await examined(of, { name: 'NAME 5' })).toEqual([1, 1]);
        expect(await examined(of, { _id: 'ID 699' })).toEqual([1, 1]);
        expect(await codeOf(of.insertOne({ _id: 'x', name: 'name 699' }))).toBe(11000);
        expect(await of.countDocuments({ name: { $gte: 'name' } })).toBe(700);
      });
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });
});
