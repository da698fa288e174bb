import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

/** So many that the other collection is read once for all. */
const OTHERS: Document[] = Array.from({ length: 20 }, (_, at) => ({ _id: `other${String(at)}`, a: { x: 'other' } }));

/** @returns what the value of a field finds among documents whose field `b` has values */
async function found(a: unknown, localField: string, values: unknown[], others: Document[]): Promise<unknown[]> {
  const [here, there] = [harness.db.collection('here'), harness.db.collection('there')];
  await Promise.all([here.deleteMany({}), there.deleteMany({})]);
  await here.insertMany([{ _id: 'asks' as never, ...(a === undefined ? {} : { a }) }, ...others]);
  await there.insertMany(values.map((b, at) => (b === undefined ? { _id: at as never } : { _id: at as never, b })));
  const join = { $lookup: { from: 'there', localField, foreignField: 'b', as: 'all' } };
  const [doc] = await here.aggregate([join, { $match: { _id: 'asks' as never } }]).toArray();
  return (doc?.all as Document[]).map(({ _id }) => values[_id as number]);
}

describe.each([
  ['one document', []],
  ['many documents', OTHERS],
])('$lookup for %s', (_many, others) => {
  const VALUES = [1, 2, [1, 2], [[1, 2], 3], [[[1, 2]]], [], [[]], null, undefined, [null]];
  it.each<[unknown, unknown[]]>([
    [
      [1, 2],
      [1, 2, [1, 2]],
    ],
    [
      [[1, 2], 7],
      [
        [1, 2],
        [[1, 2], 3],
      ],
    ],
    [[], [null, undefined, [null]]],
    [[[]], [[], [[]]]],
    [undefined, [null, undefined, [null]]],
    [
      [null, 2],
      [2, [1, 2], null, undefined, [null]],
    ],
  ])('has a list look for its elements alone: %j', async (value, expected) => {
    expect(await found(value, 'a', VALUES, others)).toEqual(expected);
    expect(await found({ x: value }, 'a.x', VALUES, others)).toEqual(expected);
  });

  it.each<[unknown, unknown[]]>([
    [
      [{ x: 1 }, { y: 1 }],
      [1, [1, 2]],
    ],
    [
      [{ x: [] }, { x: 1 }],
      [1, [1, 2]],
    ],
    [
      [{ x: [] }, { x: [[]] }],
      [[], [[]]],
    ],
    [
      [{ y: 1 }, { y: 2 }],
      [null, undefined, [null]],
    ],
    [[3], [null, undefined, [null]]],
    [
      [{ x: null }, { x: 2 }],
      [2, [1, 2], null, undefined, [null]],
    ],
  ])('has %j look for null where it has no value at all', async (value, expected) => {
    expect(await found(value, 'a.x', VALUES, others)).toEqual(expected);
  });
});

describe('a variable of a $lookup', () => {
  it.each([
    ['one document', 1],
    ['many documents', 20],
  ])('is missing where its value is, for %s', async (_many, count) => {
    const [here, there] = [harness.db.collection('here'), harness.db.collection('there')];
    await Promise.all([here.deleteMany({}), there.deleteMany({})]);
    await here.insertMany(Array.from({ length: count }, () => ({ a: 1 })));
    await there.insertMany([{ b: null }, { c: 1 }, { b: 1 }]);
    const pipeline = [{ $match: { $expr: { $eq: ['$b', '$$v'] } } }, { $project: { _id: 0, c: 1, v: '$$v' } }];
    const lookup = { $lookup: { from: 'there', let: { v: '$nothing' }, pipeline, as: 'all' } };
    for (const index of [false, true]) {
      if (index) await there.createIndex({ b: 1 });
      for (const { all } of await here.aggregate([lookup]).toArray()) expect(all).toEqual([{ c: 1 }]);
    }
  });
});

describe('a stage that a $facet may not have', () => {
  it.each([
    [{ $documents: [] }, '$documents is not allowed to be used within a $facet stage'],
    [
      { $lookup: { as: 'd', pipeline: [{ $documents: [] }] } },
      '$documents inside of $lookup is not allowed to be used within a $facet stage',
    ],
    [
      { $unionWith: { coll: 'there', pipeline: [{ $lookup: { from: 'there', as: 'd', pipeline: [{ $facet: { f: [] } }] } }] } },
      '$facet inside of $unionWith is not allowed to be used within a $facet stage',
    ],
  ])('is named together with what it is in: %j', async (stage, message) => {
    const run = harness.db
      .collection('here')
      .aggregate([{ $facet: { branch: [stage] } }])
      .toArray();
    await expect(run).rejects.toMatchObject({ code: 40600, message });
  });
});
