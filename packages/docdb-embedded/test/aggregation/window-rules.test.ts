import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

async function windowed(docs: Document[], spec: Document): Promise<Document[]> {
  const collection = harness.db.collection('windowed');
  await collection.deleteMany({});
  if (docs.length > 0) await collection.insertMany(docs);
  return collection.aggregate([{ $setWindowFields: spec }, { $project: { _id: 0 } }]).toArray();
}

describe('$setWindowFields', () => {
  it('ranks as equal what its order does not tell apart, lists by their least element', async () => {
    const docs = [{ a: [3, 1] }, { a: [] }, { a: [1, 9] }, { a: null }, { a: 1 }, {}];
    const ranks = { rank: { $rank: {} }, dense: { $denseRank: {} } };
    const found = await windowed(docs, { sortBy: { a: 1 }, output: ranks });
    expect(found.map(({ rank, dense }) => [rank, dense])).toEqual([
      [1, 1],
      [2, 2],
      [2, 2],
      [4, 3],
      [4, 3],
      [4, 3],
    ]);
  });

  it.each(['documents', 'range'])('takes bounds in %s that are worked out of constants', async (kind) => {
    const docs = [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }];
    const window = { [kind]: [{ $subtract: [1, 2] }, { $add: [0, 0] }] };
    const found = await windowed(docs, { sortBy: { n: 1 }, output: { sum: { $sum: '$n', window } } });
    expect(found.map(({ sum }) => sum as number)).toEqual([0, 1, 3, 5]);
  });

  it.each([
    ['bounds that are backwards once they are worked out', { v: { $sum: 1, window: { documents: [{ $add: [1, 1] }, 1] } } }, 5339900],
    ['bounds of a document', { v: { $sum: 1, window: { documents: ['$n', 1] } } }, 9],
    ['bounds that are worked out of a document', { v: { $sum: 1, window: { documents: [{ $add: ['$n', 1] }, 1] } } }, 9],
    ['a field within another one', { 'a.b': { $sum: 1 }, a: { $sum: 1 } }, 6307900],
    ['a number of a document', { v: { $firstN: { input: '$n', n: '$n' } } }, 5787902],
    ['a number with a fraction', { v: { $maxN: { input: '$n', n: 2.5 } } }, 5787903],
    ['a number below one', { v: { $topN: { output: '$n', sortBy: { n: 1 }, n: 0 } } }, 5787908],
    ['what is no operand', { v: { $lastN: 'n' } }, 5787801],
  ])('refuses %s, also without a document', async (_what, output, code) => {
    await expect(windowed([], { sortBy: { n: 1 }, output })).rejects.toMatchObject({ code });
  });

  it.each([
    [{ v: { sum: '$n' } }, 'Expected a $-prefixed window function, sum'],
    [{ v: { $summ: '$n', windoww: {} } }, 'Unrecognized window function, $summ'],
    [{ v: { $sum: '$n', windoww: {} } }, 'Window function $sum found an unknown argument: windoww'],
  ])('says of %j what is wrong', async (output, message) => {
    await expect(windowed([], { output })).rejects.toThrow(message);
  });

  it('takes a number out of variables', async () => {
    const collection = harness.db.collection('windowed');
    await windowed([{ n: 1 }, { n: 2 }, { n: 3 }], { output: {} });
    const output = { v: { $firstN: { input: '$n', n: '$$most' } } };
    const found = await collection.aggregate([{ $setWindowFields: { sortBy: { n: 1 }, output } }], { let: { most: 2 } }).toArray();
    expect(found.map(({ v }) => v as number[])).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  it('does not part documents by lists', async () => {
    await expect(windowed([{ a: [1] }], { partitionBy: '$a', output: { v: { $sum: 1 } } })).rejects.toMatchObject({ code: 14 });
  });
});
