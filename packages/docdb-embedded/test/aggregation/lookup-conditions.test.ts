import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await start();
  await harness.db.collection<Document & { _id: number }>('others').insertMany([
    { _id: 1, a: 1, b: 5, c: 1 },
    { _id: 2, a: 1, b: 1, c: 1 },
    { _id: 3, a: 2, b: 9, c: 1 },
    { _id: 4, a: 1, b: 5, c: 2 },
  ]);
});

afterAll(async () => {
  await harness.stop();
});

describe('conditions of a joined pipeline beside the equality that it joins by', () => {
  const above = { $expr: { $gt: ['$b', '$$y'] } };
  const equal = { $expr: { $eq: ['$a', '$$x'] } };

  it.each([
    ['in an $or', { ...equal, c: 1, $or: [above, { b: -1 }] }],
    ['beside another in an $and', { $and: [equal, { c: 1, ...above }] }],
    ['in a $nor', { $and: [equal, { c: 1 }], $nor: [{ $nor: [above] }] }],
  ])('see the variables for many documents too: %s', async (_where, filter) => {
    const docs = Array.from({ length: 8 }, (_unused, y) => ({ x: 1, y }));
    const found = await harness.db
      .aggregate([
        { $documents: docs },
        { $lookup: { from: 'others', let: { x: '$x', y: '$y' }, as: 'found', pipeline: [{ $match: filter }] } },
        { $project: { found: '$found._id' } },
      ])
      .toArray();
    expect(found.map((doc) => doc.found as unknown)).toEqual([[1, 2], [1], [1], [1], [1], [], [], []]);
  });
});
