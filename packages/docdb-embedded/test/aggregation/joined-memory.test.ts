import { expect, it } from '@jest/globals';
import { HashJoin } from '../../src/aggregation/hash-join.ts';
import { atOnce } from '../../src/aggregation/stages/in-turns.ts';
import { start } from '../harness.ts';

it('a document that finds more than memory should hold is refused with 292, in a collection that has no room there', () => {
  const docs = Array.from({ length: 20 }, (_none, _id) => ({ _id, text: 'x'.repeat(1000) }));
  const join = (most: number): HashJoin =>
    new HashJoin({ read: () => [docs.slice(0, 10), docs.slice(10)], valuesOf: () => [1], collator: undefined }, 2000, most);
  const one = { values: [1], test: () => true };
  expect(atOnce(join(40_000).find([one, one]))).toEqual([docs, docs]);
  expect(() => atOnce(join(20_000).find([one, one]))).toThrow(expect.objectContaining({ code: 292 }));
  expect(atOnce(join(20_000).find([{ ...one, test: (doc) => doc._id === 3 }]))).toEqual([[docs[3]]]);
});

it('a $graphLookup that reaches more than memory should hold is refused with 292', async () => {
  const { db, stop } = await start();
  const text = 'x'.repeat(15 * 1024 * 1024);
  const items = db.collection<{ _id: number; next: number; text: string }>('items');
  for (let _id = 0; _id < 7; _id++) await items.insertOne({ _id, next: _id + 1, text });
  const reached = (maxDepth: number): Promise<unknown> =>
    items
      .aggregate([
        { $match: { _id: 0 } },
        { $graphLookup: { from: 'items', startWith: '$next', connectFromField: 'next', connectToField: '_id', as: 'reached', maxDepth } },
        { $project: { _id: 0, reached: { $size: '$reached' } } },
      ])
      .toArray();
  expect(await reached(3)).toEqual([{ reached: 4 }]);
  await items.insertOne({ _id: 7, next: 8, text });
  await expect(reached(9)).rejects.toMatchObject({ code: 292 });
  await stop();
});
