import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.collection('from').insertMany([{ _id: 1 }, { _id: 2 }] as never[]);
  await harness.db.collection('into').insertOne({ _id: 9 } as never);
});

const into = (): Promise<Document[]> => harness.db.collection('into').find({}).toArray();

describe('an explanation', () => {
  it('names the version of the server as buildInfo and its parameter do', async () => {
    const { serverInfo } = await harness.db.command({ explain: { find: 'items' }, verbosity: 'queryPlanner' });
    const { version, versionArray } = await harness.db.command({ buildInfo: 1 });
    expect(serverInfo.version).toBe(version);
    expect(versionArray.slice(0, 3).join('.')).toBe(version);
    const { featureCompatibilityVersion: compatible } = await harness.client
      .db('admin')
      .command({ getParameter: 1, featureCompatibilityVersion: 1 });
    expect(compatible.version).toBe(versionArray.slice(0, 2).join('.'));
  });
});

describe('explain', () => {
  it.each([{ $out: 'into' }, { $merge: { into: 'into' } }])('of a pipeline that ends in %j writes nothing', async (stage) => {
    const told = await harness.db.command({ aggregate: 'from', pipeline: [{ $match: { _id: 1 } }, stage], explain: true });
    expect(told.stages).toEqual([{ $cursor: { queryPlanner: expect.objectContaining({ namespace: 'test.from' }) } }, stage]);
    await harness.db.command({ explain: { aggregate: 'from', pipeline: [stage], cursor: {} }, verbosity: 'executionStats' });
    expect(await into()).toEqual([{ _id: 9 }]);
  });

  it.each([
    ['queryPlanner', undefined],
    ['executionStats', undefined],
    ['allPlansExecution', []],
  ])('%s tells of other plans only when it is asked for all', async (verbosity, plans) => {
    const told = await harness.db
      .collection('from')
      .find({})
      .explain(verbosity as 'queryPlanner');
    expect(told.executionStats?.allPlansExecution).toEqual(plans);
  });

  it('tells of the indexes that could be used and are not, unless a hint says which', async () => {
    const items = harness.db.collection('items');
    await items.createIndexes([
      { key: { a: 1 }, name: 'a' },
      { key: { a: 1, b: 1 }, name: 'both' },
      { key: { c: 1 }, name: 'c' },
      { key: { b: 1 }, name: 'sparse', sparse: true },
    ]);
    const plans = async (cursor: { explain(verbosity: 'queryPlanner'): Promise<Document> }): Promise<unknown> => {
      const { queryPlanner } = (await cursor.explain('queryPlanner')) as { queryPlanner: Document };
      const named = (plan: Document): unknown => {
        const { stage, inputStage } = plan as { stage: string; inputStage?: Document };
        return inputStage ? [stage, named(inputStage)] : ((plan.indexName as string | undefined) ?? stage);
      };
      return [named(queryPlanner.winningPlan as Document), (queryPlanner.rejectedPlans as Document[]).map(named)];
    };
    const filter = { a: 1, b: { $gt: 1 } };
    expect(await plans(items.find(filter))).toEqual([
      ['FETCH', 'both'],
      [
        ['FETCH', 'a'],
        ['FETCH', 'sparse'],
      ],
    ]);
    expect(await plans(items.find({ a: 1 }).sort({ c: 1 }))).toEqual([
      ['SORT', ['FETCH', 'a']],
      [
        ['SORT', ['FETCH', 'both']],
        ['FETCH', 'c'],
      ],
    ]);
    expect(await plans(items.aggregate([{ $match: { a: 1 } }]))).toEqual([['FETCH', 'a'], [['FETCH', 'both']]]);
    expect(await plans(items.find(filter, { hint: 'a' }))).toEqual([['FETCH', 'a'], []]);
    expect(await plans(items.find(filter, { min: { c: 1 }, hint: { c: 1 } }))).toEqual([['FETCH', 'c'], []]);
    expect(await plans(items.find({ d: 1 }))).toEqual(['COLLSCAN', []]);
    await harness.db.command({ planCacheSetFilter: 'items', query: filter, indexes: ['a', 'c'] });
    expect(await plans(items.find(filter))).toEqual([['FETCH', 'a'], []]);
  });

  it('of a write tells what it would change, and changes nothing', async () => {
    const update = { update: 'into', updates: [{ q: {}, u: { $set: { a: 1 } }, multi: true }] };
    const told = await harness.db.command({ explain: update, verbosity: 'executionStats' });
    expect(told.executionStats.executionStages).toMatchObject({ stage: 'UPDATE', nWouldModify: 1 });
    expect(await into()).toEqual([{ _id: 9 }]);
  });

  it('refuses what cannot be explained', async () => {
    await expect(harness.db.command({ explain: { ping: 1 } })).rejects.toMatchObject({ code: 59 });
    await expect(harness.db.command({ aggregate: 'from', pipeline: [{ $bad: 1 }], explain: true })).rejects.toMatchObject({ code: 40324 });
    const merge = { $merge: { into: 'into', on: 'key' } };
    await expect(harness.db.command({ aggregate: 'from', pipeline: [merge], explain: true })).rejects.toMatchObject({ code: 51183 });
  });
});

describe('what a search finds out', () => {
  it('goes with a document through the stages', async () => {
    const texts = harness.db.collection('texts');
    await texts.createIndex({ text: 'text' });
    await texts.insertMany([{ text: 'one word' }, { text: 'one word and one more word' }]);
    const pipeline = [
      { $match: { $text: { $search: 'one' } } },
      { $set: { kept: true } },
      { $project: { score: { $meta: 'textScore' }, kept: 1 } },
    ];
    const rows = await texts.aggregate(pipeline).toArray();
    expect(rows.map(({ score, kept }) => [typeof score, kept])).toEqual([
      ['number', true],
      ['number', true],
    ]);
    await expect(texts.aggregate([{ $project: { score: { $meta: 'textScore' } } }]).toArray()).rejects.toMatchObject({ code: 40218 });
  });
});

describe('a date further away than those of JavaScript', () => {
  it('stays as it is when its document is written again', async () => {
    const rows = harness.db.collection('dates');
    await rows.insertOne({ _id: 1 } as never);
    await rows.updateOne({ _id: 1 } as never, [{ $set: { at: { $toDate: { $toLong: '9223372036854775807' } } } }]);
    await rows.updateOne({ _id: 1 } as never, { $set: { other: 1 } });
    const [row] = await rows.aggregate([{ $project: { time: { $toString: { $toLong: '$at' } } } }]).toArray();
    expect(row?.time).toBe('9223372036854775807');
    await expect(rows.aggregate([{ $project: { year: { $year: '$at' } } }]).toArray()).rejects.toMatchObject({ code: 18537 });
  });
});
