import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framework, type Query } from '@framework/core';
import type { DocDbServiceOptions } from '../../src/index.ts';
import { startHarness, type ServiceHarness } from '../harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

const params = { query: { name: 'Ann' }, docdb: { upsert: true } };
const service = (options: Partial<DocDbServiceOptions> = {}): ReturnType<ServiceHarness['service']> =>
  harness.service({ multi: true, ...options });

describe('a patch of several with params.docdb.upsert', () => {
  it('makes the record of its conditions where it finds none, and gives it back', async () => {
    const [made, ...more] = await service().patch(null, { age: 1 }, params);
    expect([made, ...more]).toEqual([{ _id: made?._id, name: 'Ann', age: 1 }]);
    expect(await service().find()).toEqual([made]);
    const selected = { ...params, query: { name: 'Bea', $select: ['age'] } };
    expect(await service().patch(null, { age: 2 }, selected)).toEqual([{ _id: expect.anything(), age: 2 }]);
  });

  it.each<['ids' | 'count', unknown]>([
    ['ids', [{ _id: expect.anything() }]],
    ['count', { count: 1 }],
  ])('says so as %s', async (returning, told) => {
    expect(await service({ returning }).patch(null, { age: 1 }, params)).toEqual(told);
    expect(await service().find()).toMatchObject([{ name: 'Ann', age: 1 }]);
  });

  it('changes those that it finds', async () => {
    await service().create([{ name: 'Ann' }, { name: 'Ann' }]);
    expect(await service().patch(null, { age: 1 }, params)).toMatchObject([{ age: 1 }, { age: 1 }]);
    expect(await service().find()).toHaveLength(2);
  });

  it('does not make a record again that another call has removed meanwhile', async () => {
    const collection = harness.database.db.collection('people');
    await service().create({ name: 'Ann', age: 0 });
    const Model = new Proxy(collection, {
      get(target, name: keyof typeof collection) {
        if (name !== 'updateMany') return Reflect.get(target, name, target) as unknown;
        return async (...args: Parameters<typeof collection.updateMany>) => {
          await target.deleteMany({});
          return target.updateMany(...args);
        };
      },
    });
    expect(await service({ Model }).patch(null, { age: 1 }, params)).toEqual([]);
    expect(await service().find()).toEqual([]);
  });

  it.each<[string, Query, unknown]>([
    ['names none', { name: 'Ann' }, expect.stringMatching(/^[0-9a-f]{24}$/)],
    ['names several', { name: 'Ann', key: { $in: ['a', 'b'] } }, expect.stringMatching(/^[0-9a-f]{24}$/)],
    ['has a pattern', { name: 'Ann', key: /^a/ }, expect.stringMatching(/^[0-9a-f]{24}$/)],
    ['names one', { name: 'Ann', key: 'a' }, 'a'],
    ['names one of one', { name: 'Ann', key: { $in: ['a'] } }, 'a'],
    ['names one within others', { $and: [{ name: 'Ann' }, { $or: [{ key: { $eq: 'a' } }] }] }, 'a'],
  ])('makes it with an id by which calls find it, where the query %s', async (_title, query, key) => {
    for (const returning of ['records', 'count'] as const) {
      await harness.reset();
      await service({ id: 'key', returning, operators: ['$eq'] }).patch(null, { age: 1 }, { query, docdb: { upsert: true } });
      const [made] = (await service({ id: 'key' }).find()) as Record<string, unknown>[];
      expect(made).toEqual({ _id: expect.anything(), key, name: 'Ann', age: 1 });
      expect(await service({ id: 'key' }).get(made?.key as string)).toEqual(made);
    }
  });

  it('makes no object of parts of an id that the query names', async () => {
    const refused = { code: 400, message: expect.stringMatching(/^Invalid id '{"a":1}'/) as unknown };
    for (const query of [{ '_id.a': 1 }, { '_id.a': { $eq: 1 } }])
      await expect(service({ operators: ['$eq'] }).patch(null, { age: 1 }, { ...params, query })).rejects.toMatchObject(refused);
    expect(await service().find()).toEqual([]);
  });

  it('makes it with an id where parts of records are kept from the caller too', async () => {
    const app = framework().use('people', service({ id: 'key', hidden: ['address.code'] }));
    const [made] = await app.service('people').patch(null, { address: { town: 'x' } } as never, { ...params, provider: 'rest' });
    expect(made).toMatchObject({ name: 'Ann', address: { town: 'x' }, key: expect.stringMatching(/^[0-9a-f]{24}$/) });
  });
});
