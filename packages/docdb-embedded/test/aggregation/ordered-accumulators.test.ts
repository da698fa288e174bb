import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Decimal128, type Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

async function grouped(docs: Document[], field: Document, id: unknown = null): Promise<Document[]> {
  const collection = harness.db.collection('ordered');
  await collection.deleteMany({});
  await collection.insertMany(docs);
  return collection.aggregate([{ $group: { _id: id, found: field } }, { $sort: { _id: 1 } }]).toArray();
}

describe('$top, $bottom, $topN and $bottomN', () => {
  const lists = [{ a: [2, 3] }, { a: [5, 1] }, { a: [4] }];

  it.each([
    ['$topN', 1, [[5, 1], [2, 3], [4]]],
    ['$topN', -1, [[5, 1], [4], [2, 3]]],
    ['$bottomN', 1, [[5, 1], [2, 3], [4]]],
  ])('order lists as %s of %i does a sort, by their least or greatest element', async (operator, direction, found) => {
    const [group] = await grouped(lists, { [operator]: { n: 3, output: '$a', sortBy: { a: direction } } });
    expect(group?.found).toEqual(found);
  });

  it('order by paths through lists', async () => {
    const docs = [{ a: [{ b: 5 }, { b: 1 }] }, { a: { b: 3 } }, { a: [{ b: 2 }] }];
    const [group] = await grouped(docs, { $topN: { n: 2, output: '$a', sortBy: { 'a.b': 1 } } });
    expect(group?.found).toEqual([[{ b: 5 }, { b: 1 }], [{ b: 2 }]]);
  });

  it.each(['$topN', '$bottomN'])('order by the score of a search for %s, as the stage $sort does', async (operator) => {
    const collection = harness.db.collection('texts');
    await collection.deleteMany({});
    await collection.insertMany(
      ['apples doughnuts', 'pears pears', 'apples apples apples', 'apples apples pears'].map((text) => ({ text })),
    );
    await collection.createIndex({ text: 'text' });
    const score = { $meta: 'textScore' };
    const search = { $match: { $text: { $search: 'apples pears' } } };
    const sorted = await collection.aggregate([search, { $sort: { score } }]).toArray();
    const [group] = await collection
      .aggregate([search, { $group: { _id: null, found: { [operator]: { n: 4, output: '$text', sortBy: { score } } } } }])
      .toArray();
    expect(group?.found).toEqual(sorted.map(({ text }) => text as string));
    expect(sorted[3]).toMatchObject({ text: 'apples doughnuts' });
  });

  it.each([
    [{ a: 'up' }, 15974],
    [{ a: 2 }, 15975],
    [{ a: { $meta: 'textScore', b: 1 } }, 9],
    [{ a: { b: 1 } }, 17312],
    [{ $natural: 1 }, 16410],
  ])('refuse %j as an order', async (sortBy, code) => {
    await expect(grouped([{ a: 1 }], { $top: { output: '$a', sortBy } })).rejects.toMatchObject({ code });
  });
});

describe('the number of $firstN and its kin', () => {
  const docs = ['x', 'x', 'x', 'y', 'y', 'y'].map((state, n) => ({ state, n }));

  it.each(['$firstN', '$lastN', '$minN', '$maxN', '$topN', '$bottomN'])('is worked out of the key of the group by %s', async (operator) => {
    const n = { $cond: [{ $eq: ['$st', 'x'] }, 3, 1] };
    const rest = operator.startsWith('$top') || operator.startsWith('$bottom') ? { output: '$n', sortBy: { n: 1 } } : { input: '$n' };
    const groups = await grouped(docs, { [operator]: { n, ...rest } }, { st: '$state' });
    expect(groups.map(({ found }) => (found as unknown[]).length)).toEqual([3, 1]);
  });

  it('has to fit into 64 bits', async () => {
    const of = (n: string): Promise<Document[]> => grouped(docs, { $firstN: { input: '$n', n: Decimal128.fromString(n) } });
    expect((await of('9223372036854775807'))[0]?.found).toHaveLength(6);
    await expect(of('9223372036854775808')).rejects.toMatchObject({ code: 31109 });
  });

  it('comes of no key in $bucketAuto', async () => {
    const collection = harness.db.collection('ordered');
    const run = (n: unknown): Promise<Document[]> =>
      collection.aggregate([{ $bucketAuto: { groupBy: '$n', buckets: 1, output: { found: { $firstN: { input: '$n', n } } } } }]).toArray();
    await grouped(docs, { $sum: 1 });
    expect((await run({ $add: [1, 1] }))[0]?.found).toEqual([0, 1]);
    await expect(run({ $add: ['$n', 1] })).rejects.toMatchObject({ code: 4544714 });
  });
});
