import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { compilePipeline } from '../../src/aggregation/pipeline.ts';
import { NO_COLLECTIONS, type PipelineHost } from '../../src/aggregation/pipeline-types.ts';
import { start } from '../harness.ts';
import { answeredDuring } from '../turns.ts';

let running: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  running = await start();
});
afterEach(() => running.stop());

it('others have their turn between what unions add', async () => {
  const some = running.db.collection('some');
  await some.insertMany(Array.from({ length: 100 }, (_none, n) => ({ n })));
  const pipeline = [...Array.from({ length: 200 }, () => ({ $unionWith: 'some' })), { $count: 'n' }];
  const { result, answered } = await answeredDuring(running.db, () => some.aggregate(pipeline).toArray());
  expect(result).toEqual([{ n: 201 * 100 }]);
  expect(answered).toBeGreaterThan(100);
});

it('a pipeline inside others is compiled once, however deep it is', () => {
  let asked = 0;
  const host: PipelineHost = {
    ...NO_COLLECTIONS,
    on: () => host,
    collection(name) {
      asked += 1;
      return NO_COLLECTIONS.collection(name);
    },
  };
  let pipeline: Document[] = [];
  for (let depth = 0; depth < 12; depth++) pipeline = [{ $match: { n: 1 } }, { $lookup: { from: 'some', pipeline, as: 'found' } }];
  compilePipeline(pipeline, { host, scope: { collator: undefined, names: new Set() } });
  expect(asked).toBe(12);
});

describe('a union adds', () => {
  beforeEach(async () => {
    await running.db.collection('a').insertMany([1, 2, 3].map((n) => ({ _id: n as never, n, place: [n, 0] })));
    await running.db.collection('b').insertMany([4, 5, 6].map((n) => ({ _id: n as never, n, place: [n, 0] })));
    await running.db.createCollection('odd', { viewOn: 'b', pipeline: [{ $match: { n: { $mod: [2, 1] } } }, { $set: { odd: true } }] });
    await running.db.createCollection('both', { viewOn: 'a', pipeline: [{ $unionWith: 'odd' }] });
  });

  const added = (stage: Document, ...more: Document[]): Promise<Document[]> =>
    running.db
      .collection('a')
      .aggregate([{ $match: { n: 1 } }, stage, { $project: { _id: 0, place: 0 } }, ...more])
      .toArray();

  it.each<[string, Document, Document[]]>([
    ['a collection', { $unionWith: 'b' }, [{ n: 4 }, { n: 5 }, { n: 6 }]],
    ['what an index finds', { $unionWith: { coll: 'b', pipeline: [{ $match: { _id: 5 } }] } }, [{ n: 5 }]],
    ['the first of an order', { $unionWith: { coll: 'b', pipeline: [{ $sort: { n: -1 } }, { $limit: 2 }] } }, [{ n: 6 }, { n: 5 }]],
    ['a view', { $unionWith: 'odd' }, [{ n: 5, odd: true }]],
    ['a view of a union', { $unionWith: { coll: 'both', pipeline: [{ $match: { n: { $gt: 2 } } }] } }, [{ n: 3 }, { n: 5, odd: true }]],
    [
      'a union of its own',
      { $unionWith: { coll: 'b', pipeline: [{ $limit: 1 }, { $unionWith: 'odd' }] } },
      [{ n: 4 }, { n: 5, odd: true }],
    ],
    ['documents that it names', { $unionWith: { pipeline: [{ $documents: [{ n: 9 }] }] } }, [{ n: 9 }]],
    ['nothing of a collection that is not there', { $unionWith: 'none' }, []],
    ['a count of nothing', { $unionWith: { coll: 'none', pipeline: [{ $group: { _id: null, n: { $sum: 1 } } }] } }, []],
  ])('%s', async (_what, stage, expected) => {
    expect((await added(stage)).slice(1)).toEqual(expected);
  });

  it('the nearest of another collection', async () => {
    await running.db.collection('b').createIndex({ place: '2d' });
    const near = { $geoNear: { near: [6, 0], distanceField: 'far', key: 'place' } };
    expect((await added({ $unionWith: { coll: 'b', pipeline: [near, { $limit: 2 }] } })).slice(1)).toEqual([
      { n: 6, far: 0 },
      { n: 5, far: 1 },
    ]);
  });

  it('nothing by an index that the command names for its own collection', async () => {
    await running.db.collection('a').createIndex({ n: 1 });
    const found = running.db.collection('a').aggregate([{ $match: { n: 1 } }, { $unionWith: 'b' }], { hint: 'n_1' });
    expect(await found.toArray()).toHaveLength(4);
  });

  it('what variables of the command say', async () => {
    const stage = { $unionWith: { coll: 'b', pipeline: [{ $match: { $expr: { $eq: ['$n', '$$wanted'] } } }] } };
    const found = running.db.collection('a').aggregate([{ $match: { n: 1 } }, stage, { $project: { n: 1 } }], { let: { wanted: 6 } });
    expect(await found.toArray()).toMatchObject([{ n: 1 }, { n: 6 }]);
  });

  it('no more than is asked for', async () => {
    expect(await added({ $unionWith: 'b' }, { $limit: 2 })).toEqual([{ n: 1 }, { n: 4 }]);
  });

  it('facts of the collection that it names', async () => {
    const stage = { $unionWith: { coll: 'b', pipeline: [{ $collStats: { count: {} } }, { $project: { ns: 1, count: 1 } }] } };
    await running.db.collection('b').insertOne({ n: 7 });
    expect((await added(stage)).slice(1)).toEqual([{ ns: `${running.db.databaseName}.b`, count: 4 }]);
  });

  it.each<[number, string, Document]>([
    [31441, 'writes', { $unionWith: { coll: 'b', pipeline: [{ $out: 'c' }] } }],
    [40324, 'has an unknown stage', { $unionWith: { coll: 'b', pipeline: [{ $nothing: 1 }] } }],
    [40324, 'has an unknown stage on a view', { $unionWith: { coll: 'odd', pipeline: [{ $nothing: 1 }] } }],
    [40602, 'has a source that is not first', { $unionWith: { coll: 'b', pipeline: [{ $match: { n: 1 } }, { $collStats: {} }] } }],
    [2, 'has a filter that is none', { $unionWith: { coll: 'none', pipeline: [{ $match: { n: { $nothing: 1 } } }] } }],
    [73, 'names nothing', { $unionWith: '' }],
  ])('nothing, and fails with %i, where its pipeline %s', async (code, _what, stage) => {
    await expect(added(stage)).rejects.toMatchObject({ code });
  });

  it('nothing below twenty pipelines', async () => {
    let stage: Document = { $unionWith: 'b' };
    for (let depth = 0; depth < 19; depth++) stage = { $unionWith: { coll: 'none', pipeline: [stage] } };
    expect(await added(stage)).toHaveLength(4);
    await expect(added({ $unionWith: { coll: 'none', pipeline: [stage] } })).rejects.toMatchObject({ code: 232 });
  });
});
