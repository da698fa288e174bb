import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db, Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
let db: Db;
beforeAll(async () => {
  harness = await start();
  db = harness.db;
});
afterAll(() => harness.stop());
beforeEach(() => db.dropDatabase());

const create = (name: string, viewOn: string, pipeline: Document[] = []): Promise<Document> =>
  db.command({ create: name, viewOn, pipeline });
const reads = (from: string): Document[] => [
  { $lookup: { from, as: 'as', localField: 'l', foreignField: 'f' } },
  { $graphLookup: { from, as: 'as', startWith: 's', connectFromField: 'c', connectToField: 'd' } },
  { $facet: { some: [{ $lookup: { from, as: 'as', pipeline: [] } }] } },
  { $unionWith: from },
];

async function createTwenty(pipeline: (over: string) => Document[]): Promise<void> {
  for (let at = 1; at <= 20; at++) await create(`v${String(at)}`, `v${String(at + 1)}`, pipeline(`v${String(at + 1)}`));
}

describe('views over views', () => {
  it('are at most twenty, wherever the next one is put', async () => {
    await createTwenty(reads);
    const tooDeep = { code: 165, codeName: 'ViewDepthLimitExceeded' };
    await expect(create('v21', 'v22')).rejects.toMatchObject(tooDeep);
    await expect(create('v0', 'v1')).rejects.toMatchObject(tooDeep);
    for (const stage of reads('v1')) await expect(create('v0', 'other', [stage])).rejects.toMatchObject(tooDeep);
    await expect(create('middle', 'v10')).resolves.toMatchObject({ ok: 1 });
  });

  it('are not followed for twenty', async () => {
    await createTwenty(() => []);
    await db.collection('v21').insertOne({});
    for (const stage of [{ $unionWith: 'v1' }, { $lookup: { from: 'v1', as: 'as', pipeline: [] } }])
      await expect(db.collection('v10').aggregate([stage]).toArray()).rejects.toMatchObject({ code: 165 });
    await expect(db.collection('v2').find().toArray()).resolves.toHaveLength(1);
  });

  it('do not lead back', async () => {
    await createTwenty(reads);
    await expect(create('v21', 'v1')).rejects.toMatchObject({ code: 5 });
    await expect(create('self', 'self')).rejects.toMatchObject({ code: 5 });
    await expect(db.command({ collMod: 'v20', viewOn: 'v19', pipeline: [] })).rejects.toMatchObject({ code: 5 });
  });
});

describe('a view over what is not there yet', () => {
  beforeEach(async () => {
    await db.collection('one').insertOne({ _id: 1 as never });
    await create('counted', 'nothing', [{ $facet: { all: [{ $count: 'n' }] } }]);
    await create('over', 'counted', [{ $set: { seen: true } }]);
  });

  it.each([
    ['counted', { all: [] }],
    ['over', { all: [], seen: true }],
  ])('has what its stages make of nothing: %s', async (name, record) => {
    const { find, ...reads } = {
      find: await db.collection(name).find().toArray(),
      union: await db
        .collection('one')
        .aggregate([{ $unionWith: name }, { $skip: 1 }])
        .toArray(),
      lookup: await db
        .collection('one')
        .aggregate([{ $lookup: { from: name, as: 'as', pipeline: [] } }, { $unwind: '$as' }, { $replaceRoot: { newRoot: '$as' } }])
        .toArray(),
      equality: await db
        .collection('one')
        .aggregate([
          { $lookup: { from: name, as: 'as', localField: 'l', foreignField: 'f' } },
          { $unwind: '$as' },
          { $replaceRoot: { newRoot: '$as' } },
        ])
        .toArray(),
      facet: await db
        .collection('one')
        .aggregate([
          { $facet: { some: [{ $unionWith: name }, { $skip: 1 }] } },
          { $unwind: '$some' },
          { $replaceRoot: { newRoot: '$some' } },
        ])
        .toArray(),
    };
    expect(find).toEqual([record]);
    expect(reads).toEqual({ union: find, lookup: find, equality: find, facet: find });
  });
});

describe('a view', () => {
  beforeEach(async () => {
    await db.collection('goods').insertMany([
      { price: 1, kind: 'a' },
      { price: 5, kind: 'b' },
      { price: 9, kind: 'b', words: 'some words' },
    ]);
    await create('dear', 'goods', [{ $match: { price: { $gt: 3 } } }]);
  });

  it('finds by an index of what is asked of it', async () => {
    await db.collection('goods').createIndex({ kind: 1, price: 1 });
    await create('dearer', 'dear', [{ $match: {} }, { $match: { price: { $gt: 7 } } }]);
    const told = await db.collection('dearer').find({ kind: 'b' }).explain('executionStats');
    expect(told.queryPlanner.winningPlan.inputStage).toMatchObject({ stage: 'IXSCAN', indexName: 'kind_1_price_1' });
    expect(told.executionStats).toMatchObject({ nReturned: 1 });
    expect(await db.collection('dearer').distinct('price', { kind: 'b' })).toEqual([9]);
    expect(await db.collection('dearer').distinct('price', { kind: 'a' })).toEqual([]);
  });

  it('searches for words first or not at all', async () => {
    await db.collection('goods').createIndex({ words: 'text' });
    await expect(
      db
        .collection('dear')
        .find({ $text: { $search: 'words' } })
        .toArray(),
    ).rejects.toMatchObject({ code: 17313 });
  });

  it('has no natural order, and nothing to validate', async () => {
    await expect(db.collection('dear').find().sort({ $natural: 1 }).toArray()).rejects.toMatchObject({ code: 168 });
    await expect(db.command({ validate: 'dear' })).rejects.toMatchObject({ code: 166 });
  });
});
