import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
});
