import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, type Document, Double } from 'mongodb';
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

  it('tells of the values of a distinct that an index gives one by one, and of all documents where none does', async () => {
    const items = harness.db.collection('items');
    await items.insertMany(
      Array.from({ length: 300 }, (_none, n) => ({ n: n % 3, list: n % 2 ? [1, 2] : 1, hidden: n % 3, some: n === 9 ? null : 1 })),
    );
    await items.createIndexes([
      { key: { n: 1, list: 1 } },
      { key: { list: 1 } },
      { key: { some: 1 } },
      { key: { hidden: 1 }, hidden: true },
    ]);
    const plan = async (key: string, rest: Document = {}): Promise<Document> => {
      const told = await harness.db.command({ explain: { distinct: 'items', key, ...rest }, verbosity: 'executionStats' });
      return { ...told.queryPlanner.winningPlan, executed: told.executionStats };
    };
    expect((await plan('list')).stage).toBe('COLLSCAN');
    await items.dropIndex('n_1_list_1');
    await items.createIndex({ n: -1, x: 1 });
    expect(await items.distinct('n')).toEqual([0, 1, 2]);
    expect(await plan('n')).toMatchObject({
      stage: 'PROJECTION_COVERED',
      transformBy: { n: 1, _id: 0 },
      inputStage: { stage: 'DISTINCT_SCAN', indexName: 'n_-1_x_1', indexBounds: { n: ['[MaxKey, MinKey]'], x: ['[MinKey, MaxKey]'] } },
      executed: {
        nReturned: 3,
        totalKeysExamined: 3,
        totalDocsExamined: 0,
        executionStages: { inputStage: { keysExamined: 3, nReturned: 3 } },
      },
    });
    for (const key of ['list', 'some', 'hidden']) expect((await plan(key)).stage).toBe('COLLSCAN');
    for (const rest of [{ query: { n: { $gte: 0 } } }, { hint: 'n_-1_x_1' }])
      expect(await plan('n', rest)).toMatchObject({ stage: 'FETCH', executed: { totalDocsExamined: 300 } });
    await items.insertOne({ _id: 'found' as never, n: 4, words: 'salt', place: { type: 'Point', coordinates: [1, 1] } });
    await items.createIndexes([{ key: { words: 'text' } }, { key: { place: '2dsphere' } }]);
    for (const query of [{ $text: { $search: 'salt' } }, { place: { $near: { type: 'Point', coordinates: [1, 1] } } }]) {
      expect(await items.distinct('n', query)).toEqual([4]);
      expect(JSON.stringify(await plan('n', { query }))).not.toContain('DISTINCT_SCAN');
    }
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

  it('tells of an error where it tries a plan', async () => {
    await harness.db.collection('from').insertOne({ _id: 3, a: 0 } as never);
    const find = { find: 'from', filter: { $expr: { $divide: [1, '$a'] } } };
    const { executionStats: stats } = await harness.db.command({ explain: find, verbosity: 'executionStats' });
    expect(stats).toMatchObject({ executionSuccess: false, errorMessage: expect.any(String), errorCode: 2 });
    await expect(harness.db.command({ explain: find, verbosity: 'queryPlanner' })).resolves.not.toHaveProperty('executionStats');
  });

  it('refuses what cannot be explained', async () => {
    await expect(harness.db.command({ explain: { ping: 1 } })).rejects.toMatchObject({ code: 59 });
    await expect(harness.db.command({ aggregate: 'from', pipeline: [{ $bad: 1 }], explain: true })).rejects.toMatchObject({ code: 40324 });
    const merge = { $merge: { into: 'into', on: 'key' } };
    await expect(harness.db.command({ aggregate: 'from', pipeline: [merge], explain: true })).rejects.toMatchObject({ code: 51183 });
  });
});

describe('the stages of a plan', () => {
  let items: Collection;
  beforeEach(async () => {
    items = harness.db.collection('items');
    await items.createIndexes([
      { key: { a: 1 }, name: 'a' },
      { key: { b: 1, c: -1 }, name: 'both', unique: true, sparse: true },
    ]);
    await items.insertMany(Array.from({ length: 10 }, (_unused, n) => ({ _id: n, a: n % 2, b: n, c: String(n), d: n % 3 })) as never[]);
  });
  const stagesOf = async (find: Document): Promise<[Document, Document]> => {
    const told = await harness.db.command({ explain: { find: 'items', ...find }, verbosity: 'executionStats' });
    return [told.queryPlanner.winningPlan as Document, told.executionStats.executionStages as Document];
  };
  /** The stages from the outer to the inner one, with certain fields of each. */
  const listed = (stage: Document | undefined, ...names: string[]): unknown[] =>
    stage ? [[stage.stage, ...names.map((name) => stage[name] as unknown)], ...listed(stage.inputStage as Document, ...names)] : [];

  it('say by what and with how much room it is sorted', async () => {
    const [plan, done] = await stagesOf({ sort: { d: -1, c: 1 }, skip: 1, limit: 2 });
    const sort = { stage: 'SORT', sortPattern: { d: -1, c: 1 }, memLimit: 33_554_432, limitAmount: 3, type: 'simple' };
    expect(plan).toEqual({
      stage: 'SKIP',
      skipAmount: 1,
      inputStage: { ...sort, inputStage: { stage: 'COLLSCAN', direction: 'forward' } },
    });
    expect(listed(done, 'nReturned', 'works', 'advanced', 'needTime', 'docsExamined')).toEqual([
      ['SKIP', 2, 4, 2, 1, undefined],
      ['SORT', 3, 15, 3, 11, undefined],
      ['COLLSCAN', 10, 11, 10, 0, 10],
    ]);
    const [unlimited] = await stagesOf({ sort: { d: 1 }, allowDiskUse: false });
    expect(unlimited).toMatchObject({ stage: 'SORT', memLimit: 104_857_600 });
    expect(unlimited).not.toHaveProperty('limitAmount');
  });

  it('say what each did, and with a limit that it was not asked for more', async () => {
    const [plan, done] = await stagesOf({ filter: { a: 1, d: { $gt: 0 } }, projection: { a: 1 }, skip: 1, limit: 2 });
    expect(listed(plan, 'filter', 'limitAmount', 'skipAmount', 'transformBy')).toEqual([
      ['LIMIT', undefined, 2, undefined, undefined],
      ['PROJECTION_SIMPLE', undefined, undefined, undefined, { a: 1 }],
      ['SKIP', undefined, undefined, 1, undefined],
      ['FETCH', { d: { $gt: 0 } }, undefined, undefined, undefined],
      ['IXSCAN', undefined, undefined, undefined, undefined],
    ]);
    expect(listed(done, 'nReturned', 'needTime', 'isEOF', 'keysExamined', 'docsExamined')).toEqual([
      ['LIMIT', 2, 1, 1, undefined, undefined],
      ['PROJECTION_SIMPLE', 2, 1, 0, undefined, undefined],
      ['SKIP', 2, 1, 0, undefined, undefined],
      ['FETCH', 3, 1, 0, undefined, 4],
      ['IXSCAN', 4, 0, 0, 4, undefined],
    ]);
    const [computed] = await stagesOf({ projection: { 'x.y': 1 } });
    expect(computed).toMatchObject({ stage: 'PROJECTION_DEFAULT', inputStage: { stage: 'COLLSCAN' } });
  });

  describe('of what the keys of an index hold', () => {
    const stages = async (find: Document): Promise<unknown[]> => {
      const told = await harness.db.command({ explain: { find: 'items', ...find }, verbosity: 'executionStats' });
      return [
        listed(told.queryPlanner.winningPlan as Document)
          .flat()
          .join(),
        told.executionStats.totalDocsExamined,
      ];
    };
    const both = { b: 1, c: 1, _id: 0 };

    it.each<[Document]>([
      [{ filter: { a: 1 }, projection: { a: 1, _id: 0 } }],
      [{ filter: { b: { $gt: 3, $lt: 7 } }, projection: both }],
      [{ filter: { b: 3, c: /3/ }, projection: { c: true, _id: false } }],
      [{ filter: { $and: [{ b: { $gt: 1 } }, { b: { $mod: [2, 0] } }] }, projection: both }],
      [{ filter: {}, projection: both, hint: 'both' }],
      [{ filter: { _id: { $in: [1, 2] } }, projection: { _id: 1 } }],
      [{ filter: { _id: 1 }, projection: { _id: 1 }, hint: '_id_' }],
    ])('do not ask for documents: %j', async (find) => {
      expect(await stages(find)).toEqual(['PROJECTION_COVERED,IXSCAN', 0]);
    });

    it('sort by the keys, and show paths of them', async () => {
      expect(await stages({ filter: { b: { $gt: 3 } }, projection: both, sort: { c: 1 } })).toEqual(['PROJECTION_COVERED,SORT,IXSCAN', 0]);
      const [plan] = await stagesOf({ filter: { b: { $gt: 3 } }, projection: both, sort: { c: 1 } });
      expect(plan.inputStage).toMatchObject({ stage: 'SORT', type: 'default' });
      await items.createIndex({ 'x.y': 1 });
      expect(await stages({ filter: { 'x.y': { $gt: 3 } }, projection: { 'x.y': 1, _id: 0 } })).toEqual(['PROJECTION_DEFAULT,IXSCAN', 0]);
    });

    it('look at documents for what is not in the keys', async () => {
      await items.createIndexes([
        { key: { d: 'hashed' }, name: 'hashed' },
        { key: { x: 1 }, name: 'collated', collation: { locale: 'en', strength: 2 } },
      ]);
      await items.insertMany([{ b: null }, { b: -1, c: 'x', x: 'text' }, { b: -2, x: 5 }]);
      const fetched = ['PROJECTION_SIMPLE,FETCH,IXSCAN', 1];
      expect(await stages({ filter: { a: 1 }, projection: { a: 1 } })).toEqual(['PROJECTION_SIMPLE,FETCH,IXSCAN', 5]);
      expect(await stages({ filter: { b: 3 }, projection: { b: 1, d: 1, _id: 0 } })).toEqual(fetched);
      expect(await stages({ filter: { b: 3, d: 0 }, projection: both })).toEqual(fetched);
      expect(await stages({ filter: { b: 3, c: { $exists: true } }, projection: both })).toEqual(fetched);
      expect(await stages({ filter: { d: 2 }, projection: { d: 1, _id: 0 } })).toEqual(['PROJECTION_SIMPLE,FETCH,IXSCAN', 3]);
      const collation = { locale: 'en', strength: 2 };
      expect(await stages({ filter: { x: 'text' }, projection: { x: 1, _id: 0 }, collation })).toEqual(fetched);
      expect(await stages({ filter: { x: 5 }, projection: { x: 1, _id: 0 }, collation })).toEqual(['PROJECTION_COVERED,IXSCAN', 0]);
      await items.insertOne({ b: [50, 51] });
      expect(await stages({ filter: { b: 3 }, projection: both })).toEqual(fetched);
    });
  });

  it('say which keys of which index are read', async () => {
    const [plan, done] = await stagesOf({ filter: { b: { $in: [5, 3] }, c: { $lt: 'x' } } });
    const scan = {
      stage: 'IXSCAN',
      keyPattern: { b: 1, c: -1 },
      indexName: 'both',
      isMultiKey: false,
      multiKeyPaths: { b: [], c: [] },
      isUnique: true,
      isSparse: true,
      isPartial: false,
      indexVersion: 2,
      direction: 'forward',
      indexBounds: { b: ['[3, 3]', '[5, 5]'], c: ['("x", ""]'] },
    };
    expect(plan).toEqual({ stage: 'FETCH', inputStage: scan });
    expect(done).toMatchObject({ docsExamined: 2, inputStage: { ...scan, keysExamined: 2, seeks: 2, nReturned: 2 } });
    await items.insertOne({ a: [1, 2] });
    const [many] = await stagesOf({ filter: { a: 1 } });
    expect(many.inputStage).toMatchObject({ isMultiKey: true, multiKeyPaths: { a: ['a'] } });
  });

  it.each<[Document, Document, unknown]>([
    [{ a: { $gt: 5 } }, {}, { a: ['(5, inf]'] }],
    [{ a: { $gte: 1, $lt: 2.5 } }, { a: -1 }, { a: ['(2.5, 1]'] }],
    [{ a: { $gte: 'x' } }, {}, { a: ['["x", {})'] }],
    [{ a: { $lte: new Date(5) } }, {}, { a: ['[new Date(-9223372036854775808), new Date(5)]'] }],
    [{ a: { $in: [null, true, { x: 'y' }] } }, {}, { a: ['[null, null]', '[{ x: "y" }, { x: "y" }]', '[true, true]'] }],
    [{ b: 1 }, {}, { b: ['[1, 1]'], c: ['[MaxKey, MinKey]'] }],
    [{ b: new Double(2) }, { c: 1 }, { b: ['[2.0, 2.0]'], c: ['[MaxKey, MinKey]'] }],
  ])('name the bounds of %j in the order %j', async (filter, sort, bounds) => {
    const [plan] = await stagesOf({ filter, sort });
    const leaf = (stage: Document): Document => (stage.inputStage ? leaf(stage.inputStage as Document) : stage);
    expect(leaf(plan).indexBounds).toEqual(bounds);
  });

  it('go through the ids in their order also when somebody has asked for a long one', async () => {
    const long = 'x'.repeat(2000);
    expect(await items.findOne({ _id: long as never })).toBeNull();
    expect(listed((await stagesOf({ sort: { _id: 1 } }))[0])).toEqual([['FETCH'], ['IXSCAN']]);
    await items.insertOne({ _id: long as never, b: -1 });
    expect(await items.findOne({ _id: long as never })).toMatchObject({ b: -1 });
  });

  it('go straight to one id, where nothing else is asked', async () => {
    const [plan, done] = await stagesOf({ filter: { _id: 3 }, sort: { a: 1 }, limit: 1 });
    expect(plan).toEqual({ stage: 'EXPRESS_IXSCAN', keyPattern: '{ _id: 1 }', indexName: '_id_' });
    expect(done).toEqual({ ...plan, keysExamined: 1, docsExamined: 1, nReturned: 1 });
    expect(listed((await stagesOf({ filter: { _id: 3, d: 0 } }))[0], 'filter', 'indexName')).toEqual([
      ['FETCH', { d: 0 }, undefined],
      ['IXSCAN', undefined, '_id_'],
    ]);
    const remove = await harness.db.command({ explain: { delete: 'items', deletes: [{ q: { _id: 3 }, limit: 1 }] } });
    expect(listed(remove.executionStats.executionStages as Document, 'nReturned', 'works')).toEqual([
      ['DELETE', 0, 2],
      ['IDHACK', 1, 1],
    ]);
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
