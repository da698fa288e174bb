import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { transaction, type DocDbServiceOptions } from '../../src/index.ts';
import { startHarness, type ServiceHarness } from '../harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(async () => {
  await harness.reset();
  await harness.database.db.collection('people').createIndexes([{ key: { place: '2dsphere' } }]);
  await harness.service({ multi: true }).create([at('near', 9.999), at('here', 10), at('far', 60)]);
});

const point = (x: number): object => ({ type: 'Point', coordinates: [x, 50] });
const at = (name: string, x: number): object => ({ _id: x, name, place: point(x) });
const options: Partial<DocDbServiceOptions> = {
  operators: ['$near', '$nearSphere', '$geometry', '$maxDistance'],
  paginate: { default: 1, max: 10 },
};
const near = { $geometry: point(10), $maxDistance: 5000 };

describe('a search by distance', () => {
  it.each([
    [{ place: { $near: near } }],
    [{ place: { $nearSphere: near } }],
    [{ $and: [{ place: { $near: near } }, { name: { $ne: 'x' } }] }],
  ])('has pages, the nearest first, with the total of what is so near: %j', async (query) => {
    expect(await harness.service(options).find({ query })).toMatchObject({ total: 2, data: [{ name: 'here' }] });
  });

  it('keeps its order where the service has cursors, which have another: its pages name none', async () => {
    const service = harness.service({ ...options, cursors: true });
    const query = { place: { $near: near } };
    expect(await service.find({ query })).toEqual({ total: 2, limit: 1, skip: 0, data: [at('here', 10)] });
    expect(await service.find({ query: { ...query, $skip: 1 } })).toMatchObject({ data: [{ name: 'near' }] });
    const page = (await service.find({ query: { ...query, $sort: { name: -1 } } })) as { next?: string };
    expect(page).toMatchObject({ data: [{ name: 'near' }] });
    expect(await service.find({ query: { ...query, $sort: { name: -1 }, $after: page.next } })).toMatchObject({ data: [{ name: 'here' }] });
  });

  it('is counted up to a number where the service says so', async () => {
    const service = harness.service({ ...options, total: { upTo: 1 } });
    expect(await service.find({ query: { place: { $near: near } } })).toMatchObject({ total: 1, capped: true });
  });

  it('has pages in a transaction', async () => {
    const service = harness.service(options);
    const page = await transaction(harness.database.client, (session) =>
      service.find({ query: { place: { $near: near } }, docdb: { session } }),
    );
    expect(page).toMatchObject({ total: 2, data: [{ name: 'here' }] });
  });

  it('says what is removed where that is only counted', async () => {
    const service = harness.service({ ...options, multi: true, returning: 'count' });
    expect(await service.remove(null, { query: { place: { $near: near } } })).toEqual({ count: 2 });
  });

  it('is 400 where a pipeline takes its conditions', async () => {
    const found = harness.service(options).find({ query: { place: { $near: near } }, pipeline: [] });
    await expect(found).rejects.toMatchObject({ code: 400, message: expect.stringContaining('$geoWithin') });
  });
});
