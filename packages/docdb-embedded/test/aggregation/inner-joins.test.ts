import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';
import { answeredDuring } from '../turns.ts';

const MANY = 2000;
/** As many of the others are more than a stage may keep. */
const FEW = 60;
const SOME = 10;

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  const { db } = harness;
  await db.collection('many').insertMany(Array.from({ length: MANY }, (_none, at) => ({ at, text: 'x'.repeat(1000) })));
  await db.collection('few').insertMany(Array.from({ length: FEW }, (_none, at) => ({ at })));
  await db.collection('some').insertMany(Array.from({ length: SOME }, (_none, at) => ({ at })));
  await db.collection('one').insertOne({ at: 0 });
  await db.createCollection('joined', { viewOn: 'some', pipeline: [EACH, SIZE] });
});
afterAll(() => harness.stop());

/** Joins each document with all of another collection. */
const EACH = { $lookup: { from: 'many', pipeline: [{ $match: { $expr: { $gte: ['$at', 0] } } }], as: 'all' } };
const SIZE = { $set: { all: { $size: '$all' } } };
const counted = (stages: Document[], from = 'some'): Document => ({ $lookup: { from, pipeline: stages, as: 'few' } });

const FORMS: [string, Document[], (found: Document) => unknown][] = [
  ['a $lookup', [counted([EACH, SIZE])], ({ few }) => few as unknown],
  ['a $lookup, and unwound', [counted([EACH, { $unwind: '$all' }, { $match: { 'all.at': 1 } }])], ({ few }) => few as unknown],
  ['a $facet of one', [counted([{ $facet: { few: [EACH, SIZE] } }])], ({ few: [first] }: Document) => (first as Document).few as unknown],
  [
    'a $unionWith of one',
    [counted([{ $limit: 1 }, { $unionWith: { coll: 'some', pipeline: [EACH, SIZE, { $skip: 1 }] } }])],
    ({ few }) => few as unknown,
  ],
  [
    'a $unionWith of a $facet',
    [{ $facet: { few: [{ $unionWith: { coll: 'some', pipeline: [EACH, SIZE] } }, { $skip: 1 }] } }],
    ({ few }) => few as unknown,
  ],
  ['a view', [{ $lookup: { from: 'joined', pipeline: [], as: 'few' } }], ({ few }) => few as unknown],
  [
    'a view, by a field',
    [{ $lookup: { from: 'joined', localField: 'none', foreignField: 'none', as: 'few' } }],
    ({ few }) => few as unknown,
  ],
];

describe('a join inside of', () => {
  it.each(FORMS)('%s lets others have their turn, and keeps what the stages behind it leave', async (_where, stages, few) => {
    const joined = harness.db.collection('one').aggregate(stages);
    const { result, answered } = await answeredDuring(harness.db, () => joined.toArray());
    expect(few(result[0] ?? {})).toHaveLength(SOME);
    expect(answered).toBeGreaterThan(SOME * 10);
  });

  it.each<[string, Document[]]>([
    ['a $lookup', [counted([EACH], 'few')]],
    ['a $facet of one', [counted([{ $facet: { few: [EACH] } }], 'few')]],
  ])('%s keeps no more than memory has room for', async (_where, stages) => {
    const joined = harness.db.collection('one').aggregate([...stages, { $project: { few: { $size: '$few' } } }]);
    await expect(joined.toArray()).rejects.toMatchObject({ code: 292 });
  });
});
