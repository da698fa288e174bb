import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('rows').insertMany([
    { _id: 1, a: [3, 1], b: 'x' },
    { _id: 2, b: 'y' },
    { _id: 3, a: [], b: null },
  ] as never[]);
});
afterAll(() => harness.stop());

const key = { $meta: 'sortKey' };
const run = (pipeline: Document[], options = {}): Promise<Document[]> =>
  harness.db.collection('rows').aggregate(pipeline, options).toArray();

describe('what a search finds out', () => {
  it('goes to the disk and comes back with documents that have no room in memory', async () => {
    const large = harness.db.collection('large');
    await large.createIndex({ s: 'text' });
    const text = 'y'.repeat(7_000_000);
    for (let n = 0; n < 6; n++) await large.insertOne({ _id: n as never, s: n % 2 === 0 ? 'apple' : 'apple apple pie', text });
    const found = await large
      .aggregate([
        { $match: { $text: { $search: 'apple' } } },
        { $set: { more: 1 } },
        { $sort: { score: { $meta: 'textScore' }, _id: 1 } },
        { $project: { score: { $meta: 'textScore' } } },
      ])
      .toArray();
    expect(found.map(({ _id }) => _id)).toEqual([1, 3, 5, 0, 2, 4]);
    expect(found.map(({ score }) => score > 1)).toEqual([true, true, true, false, false, false]);
  });

  it('is all that a stage shows which asks for nothing else', async () => {
    await harness.db.collection('rows').createIndex({ b: 1 });
    const found = { $match: { b: 'x' } };
    const shown = (projection: Document): Promise<Document[]> =>
      run([found, { $project: { ...projection, key: { $meta: 'indexKey' } } }], { hint: 'b_1' });
    expect(await shown({})).toEqual([{ _id: 1, key: { b: 'x' } }]);
    expect(await shown({ _id: 0 })).toEqual([{ key: { b: 'x' } }]);
    expect(await shown({ _id: 0, a: 0 })).toEqual([{ b: 'x', key: { b: 'x' } }]);
    const find = (projection: Document): Promise<unknown> =>
      harness.db.collection('rows').findOne({ b: 'x' }, { projection: { ...projection, key: { $meta: 'indexKey' } }, hint: 'b_1' });
    expect(await find({ _id: 0 })).toEqual({ a: [3, 1], b: 'x', key: { b: 'x' } });
  });

  it('stays with what takes the place of a document', async () => {
    const rows = await run([{ $sort: { _id: -1 } }, { $replaceRoot: { newRoot: { b: '$b' } } }, { $project: { _id: 1, key } }]);
    expect(rows).toMatchObject([{ key: [3] }, { key: [2] }, { key: [1] }]);
  });
});

describe("{ $meta: 'sortKey' }", () => {
  it('has the values that a find sorted by', async () => {
    const found = await harness.db
      .collection('rows')
      .find({}, { sort: { a: 1, b: -1 }, projection: { key } })
      .toArray();
    expect(found.map(({ _id, key: values }) => [_id, values])).toEqual([
      [3, [null, null]],
      [2, [null, 'y']],
      [1, [1, 'x']],
    ]);
  });

  it.each([
    ['the first stage', [{ $sort: { _id: -1 } }, { $project: { _id: 1, key } }]],
    ['a later one', [{ $set: { more: 1 } }, { $sort: { _id: -1 } }, { $match: {} }, { $project: { _id: 1, key } }]],
    [
      'one in a pipeline inside',
      [
        { $limit: 1 },
        { $lookup: { from: 'rows', as: 'all', pipeline: [{ $sort: { _id: -1 } }, { $project: { _id: 1, key } }] } },
        { $unwind: '$all' },
        { $replaceWith: '$all' },
      ],
    ],
  ])('has those of $sort where it is %s', async (_where, pipeline) => {
    expect(await run(pipeline)).toEqual([3, 2, 1].map((_id) => ({ _id, key: [_id] })));
  });

  it('is refused where nothing was sorted, and where a collation decided', async () => {
    await expect(harness.db.collection('rows').find({}, { projection: { key } }).toArray()).rejects.toMatchObject({ code: 2 });
    await expect(run([{ $project: { _id: 1, key } }])).rejects.toMatchObject({ code: 40218 });
    await expect(run([{ $sort: { b: 1 } }, { $project: { _id: 1, key } }], { collation: { locale: 'en' } })).rejects.toMatchObject({
      code: 115,
    });
  });
});
