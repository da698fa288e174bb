import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  const items = harness.db.collection('items');
  await items.createIndexes([{ key: { a: 1 } }, { key: { a: 1, b: 1 } }, { key: { b: 1 } }]);
  await items.insertMany([
    { _id: 1, a: 1, b: 1 },
    { _id: 2, a: 1, b: 2 },
    { _id: 3, a: 2, b: 1 },
  ] as never[]);
});

const only = (query: Document, indexes: unknown[], others: Document = {}): Promise<Document> =>
  harness.db.command({ planCacheSetFilter: 'items', query, indexes, ...others });
const listed = async (): Promise<Document[]> => (await harness.db.command({ planCacheListFilters: 'items' })).filters as Document[];

/** The index that a query uses, or the stage in its place. */
async function used(filter: Document, others: Document = {}): Promise<unknown> {
  const told = await harness.db.command({ explain: { find: 'items', filter, ...others }, verbosity: 'queryPlanner' });
  let plan = told.queryPlanner.winningPlan as Document;
  while (plan.inputStage) plan = plan.inputStage as Document;
  return plan.indexName ?? plan.stage;
}

describe('an index filter', () => {
  it('leaves the queries of its shape certain indexes, whatever values they look for', async () => {
    expect(await used({ a: 1, b: 1 })).toBe('a_1_b_1');
    await only({ a: 1, b: 1 }, [{ b: 1 }]);
    expect(await used({ a: 7, b: { $eq: 8 } })).toBe('b_1');
    expect(await used({ $and: [{ b: 2 }, { a: 2 }] })).toBe('b_1');
    expect(await harness.db.collection('items').find({ a: 1, b: 1 }).toArray()).toEqual([{ _id: 1, a: 1, b: 1 }]);
    expect(await used({ a: 1 })).not.toBe('b_1');
    expect(await used({ a: 1, b: { $gt: 1 } })).toBe('a_1_b_1');
  });

  it('goes before a hint, and is told by explain', async () => {
    await only({ a: 1 }, ['a_1_b_1']);
    expect(await used({ a: 1 }, { hint: { a: 1 } })).toBe('a_1_b_1');
    const told = await harness.db.command({ explain: { find: 'items', filter: { a: 3 } } });
    expect(told.queryPlanner.indexFilterSet).toBe(true);
  });

  it('is for one sort, projection and collation', async () => {
    await only({ a: 1 }, ['a_1_b_1'], { sort: { b: 1 }, projection: { a: 1 }, collation: { locale: 'en' } });
    expect(await used({ a: 1 })).toBe('a_1');
    expect(await used({ a: 1 }, { sort: { b: 1 }, projection: { a: 1 }, collation: { locale: 'en' } })).toBe('a_1_b_1');
    expect(await used({ a: 1 }, { sort: { b: 1 }, projection: { a: 1 } })).toBe('a_1_b_1');
    await only({ a: 1 }, ['a_1'], { sort: { b: 1 } });
    expect(await used({ a: 1 }, { sort: { b: 1 } })).toBe('a_1');
  });

  it('reads everything where its indexes are gone, and finds ids by themselves', async () => {
    await only({ b: 1 }, ['none']);
    await only({ _id: 1 }, ['none']);
    expect(await used({ b: 2 })).toBe('COLLSCAN');
    expect(await used({ _id: 2 })).toBe('_id_');
    expect(await harness.db.collection('items').countDocuments({ b: 1 })).toBe(2);
  });

  it('takes the place of the one of its shape, and goes alone or with all', async () => {
    await only({ a: 1 }, [{ a: 1 }]);
    await only({ b: 1 }, [{ b: 1 }]);
    await only({ a: 9 }, ['a_1_b_1']);
    expect(await listed()).toEqual([
      { query: { a: 9 }, sort: {}, projection: {}, indexes: ['a_1_b_1'] },
      { query: { b: 1 }, sort: {}, projection: {}, indexes: [{ b: 1 }] },
    ]);
    await harness.db.command({ planCacheClearFilters: 'items', query: { b: 5 } });
    expect(await listed()).toHaveLength(1);
    await harness.db.collection('items').dropIndex('a_1_b_1');
    expect(await listed()).toHaveLength(1);
    await harness.db.command({ planCacheClearFilters: 'items' });
    expect(await listed()).toEqual([]);
  });

  it('is one of a thousand at most', async () => {
    const set = Array.from({ length: 1000 }, async (_, at) => only({ [`field${String(at)}`]: 1 }, ['a_1']));
    await Promise.all(set);
    await expect(only({ one: 1, more: 1 }, ['a_1'])).rejects.toMatchObject({ code: 2 });
    await only({ field7: 2 }, ['b_1']);
    expect(await listed()).toHaveLength(1000);
  });

  it('is refused where it says nothing', async () => {
    const missing = { planCacheSetFilter: 'none', query: {}, indexes: ['a_1'] };
    await expect(harness.db.command(missing)).rejects.toMatchObject({ code: 2 });
    await expect(only({ a: { $nope: 1 } }, ['a_1'])).rejects.toMatchObject({ code: 2 });
    for (const indexes of [[], [1], [{}]]) await expect(only({ a: 1 }, indexes)).rejects.toMatchObject({ code: 2 });
    for (const part of [{ sort: 1 }, { projection: [] }, { collation: {} }, { query: 'a' }])
      await expect(only({ a: 1 }, ['a_1'], part)).rejects.toMatchObject({ code: 2 });
    await expect(harness.db.command({ planCacheClearFilters: 'items', sort: { a: 1 } })).rejects.toMatchObject({ code: 2 });
    await expect(harness.db.command({ planCacheClear: 'a\0b' })).rejects.toMatchObject({ code: 73 });
    await harness.db.createCollection('view', { viewOn: 'items' });
    await expect(harness.db.command({ planCacheListFilters: 'view' })).rejects.toMatchObject({ code: 166 });
  });
});
