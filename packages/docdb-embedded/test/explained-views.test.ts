import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
const command = (operation: Document): Promise<Document> => harness.db.command(operation);

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

beforeAll(async () => {
  harness = await start();
  await harness.db.collection('goods').insertMany([{ price: 1 }, { price: 5 }, { price: 9 }]);
  await harness.db.createCollection('dear', {
    viewOn: 'goods',
    pipeline: [{ $match: { price: { $gt: 3 } } }],
    collation: { locale: 'en' },
  });
});
afterAll(() => harness.stop());

describe('a view', () => {
  it.each<[string, Document]>([
    ['find', { find: 'dear', filter: { price: { $lt: 9 } } }],
    ['count', { count: 'dear', query: { price: { $lt: 9 } } }],
    ['distinct', { distinct: 'dear', key: 'price', query: { price: { $lt: 9 } } }],
  ])('is explained for %s as the pipeline on its collection', async (_name, operation) => {
    const explained = await command({ explain: operation, verbosity: 'executionStats' });
    const [cursor] = (explained.stages ?? [{ $cursor: explained }]) as [Document];
    const { queryPlanner, executionStats } = cursor.$cursor as { queryPlanner: Document; executionStats: Document };
    expect(queryPlanner.namespace).toBe(harness.db.collection('goods').namespace);
    expect(executionStats).toMatchObject({ nReturned: 1, totalDocsExamined: 3 });
  });

  it.each<[string, Document]>([
    ['find', { find: 'dear' }],
    ['count', { count: 'dear' }],
    ['distinct', { distinct: 'dear', key: 'price' }],
  ])('is explained for %s with no other collation than its own', async (_name, operation) => {
    expect(await failure(command({ explain: { ...operation, collation: { locale: 'fr' } } }))).toBe(167);
    expect(await failure(command({ explain: { ...operation, collation: { locale: 'en' } } }))).toBeUndefined();
  });

  it('is not written to, which its explanation says, too', async () => {
    expect(await failure(command({ explain: { delete: 'dear', deletes: [{ q: {}, limit: 0 }] } }))).toBe(166);
    expect(await failure(command({ explain: { findAndModify: 'dear', query: {}, update: { $set: { a: 1 } } } }))).toBe(166);
  });

  it('is not made of views that compare texts in another way', async () => {
    expect(await failure(command({ create: 'other', viewOn: 'dear', collation: { locale: 'fr' } }))).toBe(167);
    const join = { $lookup: { from: 'dear', localField: 'price', foreignField: 'price', as: 'same' } };
    expect(await failure(command({ create: 'joined', viewOn: 'goods', pipeline: [join] }))).toBe(167);
    expect(await failure(command({ create: 'joined', viewOn: 'goods', pipeline: [join], collation: { locale: 'en' } }))).toBeUndefined();
    expect(await failure(command({ collMod: 'joined', viewOn: 'dear', pipeline: [] }))).toBeUndefined();
  });

  it('is not called as the collection of views is', async () => {
    expect(await failure(command({ create: 'system.views', viewOn: 'goods' }))).toBe(73);
  });
});
