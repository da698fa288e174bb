import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { startHarness, type ServiceHarness } from '../harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.reset());
afterAll(() => harness.database.close());

it('a patch of several in an order that they do not have is refused, and changes nothing', async () => {
  const service = harness.service({ multi: true });
  const made = await service.create([
    { name: 'Ann', a: [1], b: [2] },
    { name: 'Bob', a: [3], b: [4] },
  ]);
  await expect(service.patch(null, { age: 1 }, { query: { $sort: { a: 1, b: 1 } } })).rejects.toMatchObject({ code: 400 });
  expect(await service.find()).toEqual(made);
});

it('a patch of several gives their ids in the order of its query', async () => {
  const service = harness.service({ multi: true, returning: 'ids' });
  await service.create([{ name: 'Bob' }, { name: 'Cid' }, { name: 'Ann' }]);
  const found = (await service.find({ query: { $sort: { name: -1 } }, paginate: false })).map(({ _id }) => _id);
  expect(await service.patch(null, { age: 1 }, { query: { $sort: { name: -1 } } })).toEqual(found.map((_id) => ({ _id })));
});
