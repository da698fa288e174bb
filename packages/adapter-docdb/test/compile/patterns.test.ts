import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DocDbService } from '../../src/index.ts';
import { startHarness, type Person, type ServiceHarness } from '../harness.ts';

let harness: ServiceHarness;
let service: DocDbService<Person, Partial<Person>>;
beforeAll(async () => {
  harness = await startHarness();
  service = harness.service({ multi: true, operators: ['$regex', '$options', '$not', '$all'] });
  await service.create(['a\nb', 'axb', 'A\nB', 'xa-b'].map((name) => ({ name })));
});
afterAll(() => harness.database.close());

it.each([
  ['s lets a point be a line end', /a.b/s, ['a\nb', 'axb', 'xa-b']],
  ['s stands beside i', /a.b/is, ['a\nb', 'axb', 'A\nB', 'xa-b']],
  ['g changes nothing of what is found', /a.b/g, ['axb', 'xa-b']],
  ['g stands beside m', /^b/gm, ['a\nb']],
  ['u changes nothing here', /a.b/u, ['axb', 'xa-b']],
])('the flag %s, as in the language', async (_title, pattern, found) => {
  const names = async (condition: unknown): Promise<string[]> =>
    ((await service.find({ query: { name: condition } })) as Person[]).map(({ name }) => name);
  for (const condition of [pattern, { $in: [pattern] }, { $regex: pattern }, { $all: [pattern] }])
    expect(await names(condition)).toEqual(found);
  const others = ['a\nb', 'axb', 'A\nB', 'xa-b'].filter((name) => !found.includes(name));
  for (const condition of [{ $nin: [pattern] }, { $not: pattern }]) expect(await names(condition)).toEqual(others);
});

it('takes the pattern that a hook has made for a caller from outside in each of its forms, and the text of a caller only where it is linear', async () => {
  const names = async (condition: unknown): Promise<string[]> =>
    ((await service.find({ provider: 'rest', query: { name: condition } })) as Person[]).map(({ name }) => name);
  const pattern = /.*x.*b$/i;
  for (const condition of [pattern, { $in: [pattern] }, { $regex: pattern }, { $not: { $not: { $regex: pattern } } }, { $all: [pattern] }])
    expect(await names(condition)).toEqual(['axb', 'xa-b']);
  expect(await names({ $regex: /^X/, $options: 'i' })).toEqual(['xa-b']);
  await expect(names({ $regex: pattern.source })).rejects.toMatchObject({
    code: 400,
    message: expect.stringContaining('may take too long'),
  });
});
