import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MaxKey, MinKey, type Document } from 'mongodb';
import { collatorFor } from '../../src/bson/collation.ts';
import { start, type Harness } from '../harness.ts';

const COLLATION = { locale: 'en', strength: 1 };
let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
});

const put = (...docs: Document[]): Promise<unknown> => harness.db.collection('c').insertMany(docs as never[]);
const ask = (pipeline: Document[], options: Document = { collation: COLLATION }): Promise<Document[]> =>
  harness.db.collection('c').aggregate(pipeline, options).toArray();
const codeOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(String, (error: unknown) => (error as { readonly code?: unknown }).code);

describe('a collation decides', () => {
  it('which documents are in a partition, and which are tied in it', async () => {
    await put({ _id: 1, name: 'apple' }, { _id: 2, name: 'Banana' }, { _id: 3, name: 'APPLE' });
    const ranked = { $setWindowFields: { partitionBy: '$name', sortBy: { _id: 1 }, output: { n: { $documentNumber: {} } } } };
    expect((await ask([ranked])).map(({ _id, n }) => [_id, n])).toEqual([
      [1, 1],
      [3, 2],
      [2, 1],
    ]);
    const dense = { $setWindowFields: { sortBy: { name: 1 }, output: { n: { $denseRank: {} } } } };
    expect((await ask([dense, { $sort: { _id: 1 } }])).map(({ n }) => n)).toEqual([1, 2, 1]);
  });

  it('which value is the largest, also where an expression looks at a list', async () => {
    await put({ _id: 1, a: 'a', b: 'B', list: ['a', 'B', 'c', 'D'] });
    const fields = { max: { $max: ['$a', '$b'] }, min: { $min: ['$a', '$b'] }, most: { $maxN: { n: 2, input: '$list' } } };
    expect(await ask([{ $project: fields }])).toEqual([{ _id: 1, max: 'B', min: 'a', most: ['D', 'c'] }]);
    expect(await ask([{ $project: fields }], {})).toEqual([{ _id: 1, max: 'a', min: 'B', most: ['c', 'a'] }]);
  });

  it('between which documents others are made', async () => {
    await put({ _id: 1, name: 'apple', v: 0 }, { _id: 2, name: 'Apple', v: 10 });
    const densify = { $densify: { field: 'v', partitionByFields: ['name'], range: { step: 5, bounds: 'partition' } } };
    expect(await ask([densify])).toEqual([
      { _id: 1, name: 'apple', v: 0 },
      { name: 'Apple', v: 5 },
      { _id: 2, name: 'Apple', v: 10 },
    ]);
    expect((await ask([densify], {})).map(({ _id }) => _id)).toEqual([2, 1]);
  });

  it.each([
    ['spaces alone', { alternate: 'shifted', maxVariable: 'space' }, ['a b', 'ab']],
    ['punctuation too', { alternate: 'shifted' }, ['a b', 'a-b', 'ab']],
    ['nothing at the fourth level', { alternate: 'shifted', strength: 4 }, ['ab']],
  ])('what does not count: %s', async (_what, options, found) => {
    await put({ x: 'a b' }, { x: 'ab' }, { x: 'a-b' });
    const docs = await ask([{ $match: { x: 'ab' } }], { collation: { locale: 'en', strength: 3, ...options } });
    expect(docs.map(({ x }) => String(x)).sort()).toEqual(found);
  });

  it('whether accents are compared from the end', async () => {
    await put({ x: 'côte' }, { x: 'coté' });
    const sorted = async (collation: object): Promise<unknown[]> => (await ask([{ $sort: { x: 1 } }], { collation })).map(({ x }) => x);
    expect(await sorted({ locale: 'en', backwards: true })).toEqual(['côte', 'coté']);
    expect(await sorted({ locale: 'fr_CA', backwards: false })).toEqual(['coté', 'côte']);
  });
});

describe('a locale with an order of its own', () => {
  it.each([
    ['de', ['Adler', 'Af', 'Ärger', 'Azur']],
    ['de@collation=standard', ['Adler', 'Af', 'Ärger', 'Azur']],
    ['de@collation=phonebook', ['Adler', 'Ärger', 'Af', 'Azur']],
  ])('%s has it', async (locale, texts) => {
    await put(...texts.map((x) => ({ x })));
    const sorted = await ask([{ $sort: { x: 1 } }], { collation: { locale } });
    expect(sorted.map(({ x }) => x)).toEqual(texts);
    await harness.db.collection('c').createIndex({ x: 1 }, { collation: { locale } });
    const found = harness.db.collection('c').find({ x: { $lt: 'Af' } }, { collation: { locale } });
    expect((await found.sort({ x: 1 }).toArray()).map(({ x }) => String(x))).toEqual(texts.slice(0, texts.indexOf('Af')));
  });

  it.each(['en@collation=phonebook', 'de@collation=none', 'de@colstrength=primary', 'de@', `en_${'a'.repeat(70)}`])(
    'is refused where there is none: %s',
    async (locale) => {
      await expect(ask([{ $sort: { x: 1 } }], { collation: { locale } })).rejects.toMatchObject({ code: 2 });
      await expect(harness.db.createCollection('ordered', { collation: { locale } })).rejects.toMatchObject({ code: 2 });
    },
  );

  it('keeps no comparison of a long specification', async () => {
    const long = { locale: 'en', caseFirst: 'x'.repeat(1000) };
    expect(collatorFor(long)).not.toBe(collatorFor(long));
    expect(collatorFor({ locale: 'en' })).toBe(collatorFor({ locale: 'en' }));
  });
});

it('the least and the greatest key of a group change on their way to the next stage, as in MongoDB 8.2', async () => {
  await put({ _id: 1, v: new MinKey() }, { _id: 2, v: new MaxKey() });
  const group = { $group: { _id: null, low: { $first: '$v' } } };
  expect(await ask([{ $sort: { _id: 1 } }, group])).toEqual([{ _id: null, low: new MinKey() }]);
  expect(await ask([{ $sort: { _id: 1 } }, group, { $project: { _id: 0 } }])).toEqual([{ low: { '': new MinKey() } }]);
});

describe('what a command takes', () => {
  it('is refused where it could not be done', async () => {
    await put({ _id: 1, a: [1], b: 2 });
    const { db } = harness;
    await db.collection('c').createIndex({ 'sub.$**': 1 }, { name: 'wild' });
    expect(await codeOf(db.collection('c').find({ b: 2 }).hint('wild').toArray())).toBe(291);
    expect(await codeOf(ask([], { let: { x: '$a' } }))).toBe(4890500);
    expect(await codeOf(ask([], { let: { x: '$$NOW' } }))).toBe(51144);
    expect(await codeOf(db.command({ count: 'c', hint: { $natural: 1, a: 1 } }))).toBe(2);
    const projected = db.collection('c').find({ a: 1, $expr: { $eq: ['$b', 2] } }, { projection: { 'a.$': 1 } });
    expect(await codeOf(projected.toArray())).toBe(224);
    const twice = { $setWindowFields: { sortBy: { a: 1, b: 1 }, output: { n: { $rank: {} } } } };
    expect(await codeOf(ask([twice]))).toBe(5371602);
  });

  it('bounds a capped collection anew from the next insert on', async () => {
    const { db } = harness;
    const capped = await db.createCollection('capped', { capped: true, size: 1e6, max: 10 });
    await capped.insertMany([1, 2, 3, 4, 5].map((_id) => ({ _id }) as never));
    await db.command({ collMod: 'capped', cappedMax: 3 });
    await capped.insertOne({ _id: 6 } as never);
    expect((await capped.find().toArray()).map(({ _id }) => Number(_id))).toEqual([4, 5, 6]);
  });

  it('is kept where it changes nothing now: when an operation of a database would be slow', async () => {
    const { db, client } = harness;
    expect(await db.command({ profile: 0, slowms: 7, sampleRate: 0.5 })).toMatchObject({ was: 0, slowms: 100, sampleRate: 1 });
    expect(await db.command({ profile: -1 })).toMatchObject({ was: 0, slowms: 7, sampleRate: 0.5 });
    expect(await client.db('other').command({ profile: -1 })).toMatchObject({ slowms: 100 });
    const { network } = await db.command({ serverStatus: 1 });
    expect(Number(network.bytesIn)).toBeGreaterThan(100);
    expect(Number(network.numRequests)).toBeGreaterThan(3);
  });
});
