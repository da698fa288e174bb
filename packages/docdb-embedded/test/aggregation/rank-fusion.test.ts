import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { Random, Variety } from '@framework-internal/random';
import { start, type Harness } from '../harness.ts';

const SEED = Number(process.env.RANK_SEED ?? 20261130);
const ROUNDS = Number(process.env.RANK_ROUNDS ?? 60);
let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
});

const posts = () => harness.db.collection<Document & { _id: number }>('posts');
const rank = (pipelines: Document, more: Document = {}): Document => ({ $rankFusion: { input: { pipelines }, ...more } });
const run = (pipeline: Document[], collection = 'posts'): Promise<Document[]> =>
  harness.db.collection(collection).aggregate(pipeline).toArray();
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing failed',
    (error: unknown) => (error as { code?: unknown }).code,
  );

describe('$rankFusion', () => {
  it('ranks documents by words and by a field, and says how', async () => {
    await posts().createIndex({ text: 'text' });
    await posts().insertMany([
      { _id: 1, text: 'red red red fox', likes: 1 },
      { _id: 2, text: 'red dog', likes: 9 },
      { _id: 3, text: 'blue cat', likes: 5 },
    ]);
    const found = await run([
      rank(
        {
          words: [{ $match: { $text: { $search: 'red' } } }, { $sort: { score: { $meta: 'textScore' } } }],
          liked: [{ $sort: { likes: -1 } }, { $limit: 2 }],
        },
        { combination: { weights: { words: 2 } }, scoreDetails: true },
      ),
      { $project: { score: { $meta: 'score' }, details: { $meta: 'scoreDetails' } } },
    ]);
    expect(found.map(({ _id }) => _id as unknown)).toEqual([2, 1, 3]);
    expect(found[0]).toMatchObject({ score: 1 / 61 + 2 / 62, details: { value: 1 / 61 + 2 / 62 } });
    expect(found[2]).toMatchObject({
      details: {
        details: [
          { inputPipelineName: 'liked', rank: 2, weight: 1, details: [] },
          { inputPipelineName: 'words', rank: 'NA', weight: 2 },
        ],
      },
    });
  });

  it('reads what a view shows, and the documents that reach it inside of other stages', async () => {
    await posts().insertMany([1, 2, 3, 4].map((_id) => ({ _id, n: -_id })));
    await harness.db.createCollection('some', { viewOn: 'posts', pipeline: [{ $match: { _id: { $gt: 2 } } }] });
    const ranked = rank({ a: [{ $sort: { n: 1 } }] });
    expect(await run([ranked], 'some')).toEqual([
      { _id: 4, n: -4 },
      { _id: 3, n: -3 },
    ]);
    const inside = [{ $match: { _id: { $lt: 3 } } }, { $facet: { best: [ranked, { $limit: 1 }] } }];
    expect(await run(inside)).toEqual([{ best: [{ _id: 2, n: -2 }] }]);
    expect(await run([{ $limit: 1 }, { $unionWith: { coll: 'some', pipeline: [ranked, { $limit: 1 }] } }])).toEqual([
      { _id: 1, n: -1 },
      { _id: 4, n: -4 },
    ]);
  });

  it('refuses weights of other pipelines, details that nobody asked for, and to be a view', async () => {
    const pipelines = { a: [{ $sort: { n: 1 } }] };
    const weighted = (weights: Document): Promise<unknown> => codeOf(run([rank(pipelines, { combination: { weights } })]));
    expect(await weighted({ b: 1 })).toBe(9967500);
    expect(await weighted({ a: -1 })).toBe(9460300);
    expect(await weighted({ a: NaN })).toBe(9460300);
    expect(await weighted({ a: 'x' })).toBe(14);
    expect(await codeOf(harness.db.createCollection('v', { viewOn: 'posts', pipeline: [rank(pipelines)] }))).toBe(167);
    await posts().insertOne({ _id: 1, n: 1 });
    expect(await codeOf(run([rank(pipelines), { $project: { s: { $meta: 'scoreDetails' } } }]))).toBe(40218);
  });

  it('gives the same as a plain evaluation', async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      const docs = Array.from({ length: random.below(12) }, (_none, _id) => ({ _id, a: random.below(4), b: random.below(9) }));
      await posts().deleteMany({});
      if (docs.length > 0) await posts().insertMany(docs);
      const names = ['a', 'b'] as const;
      const plans = Array.from({ length: 1 + random.below(3) }, (_none, at) => ({
        name: `p${String(at)}`,
        field: random.pick(names),
        direction: random.pick([1, -1] as const),
        least: random.below(4),
        skip: random.below(2),
        limit: 1 + random.below(10),
        weight: random.below(4),
      }));
      const scores = new Map<number, number>();
      for (const { field, direction, least, skip, limit, weight } of plans) {
        const rows = docs.filter(({ b }) => b >= least).sort((x, y) => (x[field] - y[field]) * direction || x._id - y._id);
        const taken = rows.slice(skip, skip + limit);
        for (const row of taken) {
          const place = 1 + taken.findIndex((other) => other[field] === row[field]);
          scores.set(row._id, (scores.get(row._id) ?? 0) + (1 / (60 + place)) * weight);
        }
      }
      const expected = [...scores].sort(([x, s], [y, t]) => t - s || x - y);
      const pipelines = Object.fromEntries(
        plans.map(({ name, field, direction, least, skip, limit }) => [
          name,
          [{ $match: { b: { $gte: least } } }, { $sort: { [field]: direction } }, { $skip: skip }, { $limit: limit }],
        ]),
      );
      const weights = Object.fromEntries(plans.map(({ name, weight }) => [name, weight]));
      const found = await run([rank(pipelines, { combination: { weights } }), { $project: { s: { $meta: 'score' } } }]);
      expect(found.map(({ _id, s }) => [_id, s] as unknown)).toEqual(expected);
      variety.tried(JSON.stringify([docs, plans]));
      if (new Set(scores.values()).size < scores.size) variety.took('documents of one score');
      if (plans.length > 1 && scores.size > 2) variety.took('several pipelines');
    }
    console.log(variety.report('RANK_SEED', SEED));
    variety.expect(ROUNDS * 0.9, { 'documents of one score': 10, 'several pipelines': 10 });
  });
});
