import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { transaction } from '../src/index.ts';
import { startHarness, type ServiceHarness } from './harness.ts';

describe('what is larger than the database takes is 400 and changes nothing', () => {
  let harness: ServiceHarness;
  const told = { code: 400, message: 'A record is larger than the database stores' };
  const half = 'x'.repeat(9_000_000);

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(async () => {
    await harness.reset();
    await harness.service().create({ _id: 'a', name: 'Ann', half });
  });

  it.each<[string, unknown]>([
    ['more than it stores', 'x'.repeat(17_000_000)],
    ['text beyond what its driver writes', 'x'.repeat(18_000_000)],
    ['bytes beyond that', Buffer.alloc(18_000_000)],
    ['a list beyond that', Array.from({ length: 1800 }, () => 'x'.repeat(10_000))],
  ])('in every method: %s', async (_of, value) => {
    const service = harness.service({ multi: true });
    const data = { name: 'Ann', value };
    for (const call of [
      () => service.create(data),
      () => service.create([{ name: 'Bob' }, data]),
      () => service.update('a', data),
      () => service.patch('a', data),
      () => service.patch(null, data),
      () => service.find({ query: { name: half + half } }),
    ])
      await expect(call()).rejects.toMatchObject(told);
    expect(await service.find({ query: { $select: ['name'] } })).toEqual([{ _id: 'a', name: 'Ann' }]);
  });

  it('where a record grows by it', async () => {
    const service = harness.service({ multi: true });
    await expect(service.patch('a', { other: half })).rejects.toMatchObject(told);
    await expect(service.patch(null, { other: half })).rejects.toMatchObject(told);
  });

  it('and leaves a transaction as it is, when it was not sent', async () => {
    const service = harness.service();
    await transaction(harness.database.client, async (session) => {
      await service.create({ _id: 'b', name: 'Bob' }, { docdb: { session } });
      await expect(service.create({ name: half + half }, { docdb: { session } })).rejects.toMatchObject(told);
    });
    expect(await service.get('b')).toEqual({ _id: 'b', name: 'Bob' });
  });

  it('also in the number of keys to sort by', async () => {
    const sort = (keys: number): object => Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${String(at)}`, 1]));
    expect(await harness.service().find({ query: { $sort: sort(32) } })).toHaveLength(1);
    await expect(harness.service().find({ query: { $sort: sort(33) } })).rejects.toMatchObject({
      code: 400,
      message: 'The database sorts by 32 properties at most',
    });
  });
});
