import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';
import { answeredDuring } from '../turns.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  const many = Array.from({ length: 20_000 }, (_none, at) => ({ at, next: (at + 1) % 20_000, text: `text ${String(at)}`.padEnd(500) }));
  await harness.db.collection('many').insertMany(many);
  await harness.db.collection('few').insertMany(Array.from({ length: 6 }, (_none, at) => ({ at })));
});
afterAll(() => harness.stop());

const COUNTED = { $project: { found: { $size: '$found' } } };

it.each<[string, Document]>([
  ['$lookup by a field', { $lookup: { from: 'many', localField: 'at', foreignField: 'at', as: 'found' } }],
  [
    '$lookup by a correlated pipeline',
    { $lookup: { from: 'many', let: { at: '$at' }, pipeline: [{ $match: { $expr: { $eq: ['$at', '$$at'] } } }], as: 'found' } },
  ],
  [
    '$lookup by any other pipeline',
    {
      $lookup: {
        from: 'many',
        let: { at: '$at' },
        pipeline: [{ $match: { $expr: { $eq: [{ $mod: ['$at', 20_000] }, '$$at'] } } }],
        as: 'found',
      },
    },
  ],
  [
    '$graphLookup',
    { $graphLookup: { from: 'many', startWith: '$at', connectFromField: 'next', connectToField: 'at', maxDepth: 0, as: 'found' } },
  ],
])('others have their turn while one document is joined: %s', async (_name, stage) => {
  const joined = harness.db.collection('few').aggregate([{ $limit: 1 }, stage, COUNTED]);
  const { result, answered } = await answeredDuring(harness.db, () => joined.toArray());
  expect(result.map(({ found }) => found as number)).toEqual([1]);
  expect(answered).toBeGreaterThan(100);
});
