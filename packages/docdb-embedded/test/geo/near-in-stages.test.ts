import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  const { db } = harness;
  await db.collection('people').insertMany([
    { _id: 1 as never, kind: 'cafe', at: [0, 0] },
    { _id: 2 as never, kind: 'shop', at: [10, 0] },
  ]);
  await db.collection('places').createIndex({ at: '2dsphere' });
  await db.collection('places').insertMany(
    [
      ['cafe', 2],
      ['shop', 1],
      ['cafe', 9],
      ['shop', 8],
    ].map(([kind, longitude], n) => ({ _id: n as never, kind, at: { type: 'Point', coordinates: [longitude, 0] } })),
  );
  await db.createCollection('close', { viewOn: 'places', pipeline: [near([0, 0])] });
  await db.createCollection('cafes', { viewOn: 'places', pipeline: [{ $match: { kind: 'cafe' } }] });
  await db.createCollection('all', { viewOn: 'places', pipeline: [] });
});
afterAll(() => harness.stop());

function near(coordinates: number[] | string, more: Document = {}): Document {
  const place = typeof coordinates === 'string' ? coordinates : { type: 'Point', coordinates };
  return { $geoNear: { near: place, distanceField: 'far', spherical: true, ...more } };
}

const failure = async (pipeline: Document[]): Promise<unknown> =>
  harness.db
    .collection('people')
    .aggregate(pipeline)
    .toArray()
    .catch((error: unknown) => (error as { code?: unknown }).code);

describe('$geoNear at the beginning of the pipeline of a stage', () => {
  const joined = async (from: string, stages: Document[], names?: Document): Promise<unknown[]> => {
    const lookup = {
      from,
      ...(names ? { let: names } : {}),
      pipeline: [...stages, { $project: { far: { $gt: ['$far', 1] } } }],
      as: 'found',
    };
    const rows = await harness.db
      .collection('people')
      .aggregate([{ $lookup: lookup }, { $sort: { _id: 1 } }])
      .toArray();
    return rows.map(({ found }) => (found as Document[]).map(({ _id, far }) => [_id, far]));
  };

  it.each(['places', 'all'])('joins what is nearest first: %s', async (from) => {
    const all = [1, 0, 3, 2].map((id) => [id, true]);
    expect(await joined(from, [near([0, 0])])).toEqual([all, all]);
  });

  it('asks for what a document says', async () => {
    const query = { $expr: { $eq: ['$kind', '$$kind'] } };
    expect(await joined('places', [near([0, 0], { query })], { kind: '$kind' })).toEqual([
      [
        [0, true],
        [2, true],
      ],
      [
        [1, true],
        [3, true],
      ],
    ]);
    const from = { $map: { input: '$at', in: '$$this' } };
    const point = { point: { type: { $literal: 'Point' }, coordinates: from } };
    const [first, second] = await joined('places', [near('$$point'), { $limit: 1 }], point);
    expect([first, second]).toEqual([[[1, true]], [[2, true]]]);
  });

  it('finds what a view is that begins with it', async () => {
    expect(await joined('close', [{ $limit: 2 }])).toEqual(
      [1, 2].map(() => [
        [1, true],
        [0, true],
      ]),
    );
  });

  it('adds what is nearest first to others', async () => {
    for (const coll of ['places', 'all']) {
      const union = { $unionWith: { coll, pipeline: [near([0, 0]), { $limit: 2 }] } };
      const rows = await harness.db
        .collection('people')
        .aggregate([{ $match: { _id: 1 } }, union])
        .toArray();
      expect(rows.map(({ _id }) => _id as unknown)).toEqual([1, 1, 0]);
      const inside = { $lookup: { from: 'people', pipeline: [{ $match: { _id: 1 } }, union], as: 'found' } };
      const [row] = await harness.db.collection('people').aggregate([inside]).toArray();
      expect((row?.found as Document[]).map(({ _id }) => _id as unknown)).toEqual([1, 1, 0]);
    }
  });

  it('finds nothing in a collection that there is not', async () => {
    expect(await joined('none', [near([0, 0])])).toEqual([[], []]);
  });

  it.each<[string, Document[], number]>([
    ['behind a view that begins with something else', [{ $lookup: { from: 'cafes', pipeline: [near([0, 0])], as: 'r' } }], 40603],
    [
      'behind a comparison of fields',
      [{ $lookup: { from: 'places', localField: 'kind', foreignField: 'kind', pipeline: [near([0, 0])], as: 'r' } }],
      40603,
    ],
    ['behind another stage', [{ $lookup: { from: 'places', pipeline: [{ $match: {} }, near([0, 0])], as: 'r' } }], 40603],
    ['where no index is of places', [{ $lookup: { from: 'people', pipeline: [near([0, 0])], as: 'r' } }], 27],
    ['with an unknown field', [{ $lookup: { from: 'places', pipeline: [near([0, 0], { other: 1 })], as: 'r' } }], 2],
    ['of no document', [{ $lookup: { from: 'places', pipeline: [{ $geoNear: 1 }], as: 'r' } }], 10065],
    ['in a branch of $facet', [{ $facet: { a: [{ $lookup: { from: 'places', pipeline: [near([0, 0])], as: 'r' } }] } }], 40600],
  ])('is refused %s', async (_where, pipeline, code) => {
    expect(await failure(pipeline)).toBe(code);
  });
});
