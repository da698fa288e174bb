import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startHarness, type ServiceHarness } from './harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

it.each([Infinity, -1, 0.5, 2 ** 31, Number.NaN, '5'])(
  'a time that the database does not take is refused at once, and not with each call: maxTimeMS %p',
  (maxTimeMS) => {
    expect(() => harness.service({ maxTimeMS: maxTimeMS as number })).toThrow(
      `The option 'maxTimeMS' of DocDbService is a whole number of milliseconds up to 2147483647, or 0 for no limit, and not ${String(maxTimeMS)}`,
    );
  },
);

it.each([0, 1, 2 ** 31 - 1])('any other is taken: %p', async (maxTimeMS) => {
  await expect(harness.service({ maxTimeMS }).find()).resolves.toBeInstanceOf(Array);
});

it.each([
  [-1, '-1'],
  [0.5, '0.5'],
  [Number.NaN, 'NaN'],
  ['5', "'5'"],
])('writes to several are bounded by a whole number: not %p', (maxMulti, said) => {
  expect(() => harness.service({ maxMulti: maxMulti as number })).toThrow(
    `The option 'maxMulti' of DocDbService is a whole number, or Infinity for no limit, and not ${said}`,
  );
});

it('writes to several may be without a bound', async () => {
  const service = harness.service({ multi: true, maxMulti: Infinity });
  await service.create([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  harness.commands.length = 0;
  const counted = { adapter: { returning: 'count' } } as const;
  expect(await service.patch(null, { age: 1 }, {})).toHaveLength(3);
  expect(await service.patch(null, { age: 2 }, counted)).toEqual({ count: 3 });
  expect(await service.remove(null, { query: { name: 'a' } })).toHaveLength(1);
  expect(await service.remove(null, counted)).toEqual({ count: 2 });
  const limits = harness.commands.flatMap((command) => (command.find === undefined ? [] : [command.limit as unknown]));
  expect(limits.filter((limit) => limit === Infinity)).toEqual([]);
});
