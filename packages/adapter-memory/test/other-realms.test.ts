import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { MemoryService } from '../src/index.ts';

interface Visit {
  id: number;
  at?: unknown;
  [name: string]: unknown;
}

/** What a worker, a context of `node:vm` or `structuredClone` within tests give. */
const foreign = (code: string): unknown => runInNewContext(code);
const service = (): MemoryService<Visit> => new MemoryService<Visit>({ multi: true, operators: ['$regex'], indexes: ['at'] });

it('stores dates, patterns and maps of another realm as what they are', async () => {
  const visits = service();
  const data = { id: 1, at: foreign('new Date(7)'), by: foreign('/a/i'), named: foreign('new Map([["a", new Date(8)]])') };
  const expected = { id: 1, at: new Date(7), by: /a/i, named: { a: new Date(8) } };
  expect(await visits.create(data)).toEqual(expected);
  expect(await visits.get(1)).toEqual(expected);
  expect(await visits.patch(1, { at: foreign('new Date(9)') })).toEqual({ ...expected, at: new Date(9) });
  expect(await visits.update(1, data)).toEqual(expected);
});

it('stores the dates of a structured clone', async () => {
  const visits = service();
  await visits.create(structuredClone({ id: 1, at: new Date(7), inside: { list: [new Date(8)] } }));
  expect(await visits.get(1)).toEqual({ id: 1, at: new Date(7), inside: { list: [new Date(8)] } });
});

it('finds and sorts by dates and patterns of another realm (interface 4.6)', async () => {
  const visits = service();
  await visits.create([{ at: new Date(3) }, { at: foreign('new Date(1)') }, { at: foreign('new Date(2)') }, { at: 'a text' }]);
  const found = async (query: Record<string, unknown>): Promise<number[]> =>
    ((await visits.find({ query })) as Visit[]).map(({ id }) => id);
  expect(await found({ at: { $gte: new Date(0) }, $sort: { at: 1 } })).toEqual([1, 2, 0]);
  expect(await found({ at: foreign('new Date(1)') })).toEqual([1]);
  expect(await found({ at: { $gt: foreign('new Date(1)') } })).toEqual([0, 2]);
  expect(await found({ at: { $regex: foreign('/TEXT/i') } })).toEqual([3]);
  expect(await found({ id: foreign('/1/') })).toEqual([]);
});

it.each(['new Date(NaN)', 'new Set([1])', 'Object.assign(new Set([1]), { a: 1 })', 'Promise.resolve(1)'])(
  'refuses %s of another realm',
  async (code) => {
    await expect(service().create({ at: foreign(code) })).rejects.toMatchObject({ code: 400 });
  },
);
