import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('items').insertMany([{ _id: 1 as never, v: 'a' }, { _id: 2 as never, v: ['b', 'c'] }, { _id: 3 as never }]);
});
afterAll(() => harness.stop());

describe('$lookup by a field in documents that its pipeline begins with', () => {
  const numbers = { $documents: [{ f: 'a', n: 1 }, { f: 'b', n: 2 }, { f: ['c', 'a'], n: 3 }, { n: 4 }] };
  const found = async (stages: Document[], more: Document = {}): Promise<unknown[]> => {
    const lookup = { localField: 'v', foreignField: 'f', pipeline: stages, as: 'found', ...more };
    const rows = await harness.db
      .collection('items')
      .aggregate([{ $lookup: lookup }, { $sort: { _id: 1 } }])
      .toArray();
    return rows.map(({ found: some }) => (some as Document[]).map(({ n }) => n as unknown));
  };

  it('finds those whose field equals that of the document, and what has none by what has none', async () => {
    expect(await found([numbers])).toEqual([[1, 3], [2, 3], [4]]);
  });

  it('goes on with the rest of the pipeline', async () => {
    expect(await found([numbers, { $match: { n: { $gt: 1 } } }, { $set: { n: { $multiply: ['$n', 10] } } }])).toEqual([
      [30],
      [20, 30],
      [40],
    ]);
  });

  it('makes them of what the document says', async () => {
    const made = {
      $documents: [
        { f: 'a', n: '$$id' },
        { f: 'b', n: { $add: ['$$id', 10] } },
      ],
    };
    expect(await found([made], { let: { id: '$_id' } })).toEqual([[1], [12], []]);
  });

  it.each<[string, Document[], number]>([
    ['without documents of its own', [{ $match: {} }], 9],
    ['with a second list of them', [numbers, numbers], 40602],
    ['of what is no list', [{ $documents: 'a' }], 5858203],
  ])('is refused %s', async (_what, stages, code) => {
    await expect(found(stages)).rejects.toMatchObject({ code });
  });
});
