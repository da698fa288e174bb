import { describe, expect, it } from '@jest/globals';
import { MemoryService } from '../src/index.ts';

it.each([
  { 'parts.a': 1, id: 1 },
  { 'parts.a': 1, id: -1 },
  { 'parts.a': -1, id: 1 },
  { 'parts.a': 1, 'parts.b': -1 },
  { parts: 1, 'parts.a': 1 },
  { id: -1, 'parts.a': 1 },
] as const)('the first records in the order %j are those of all, also where elements of lists have no properties', async ($sort) => {
  const service = new MemoryService({ multi: true, startId: 1 });
  await service.create([
    { parts: [{ a: 1 }, 'text'] },
    {},
    { parts: [{ a: 0 }] },
    { parts: ['text'] },
    { parts: [] },
    { parts: [{ b: 1 }, { a: 5 }] },
    { parts: [[{ a: -1 }], { a: 2, b: 3 }] },
    { parts: [null, { a: 3 }] },
    { parts: [{ a: 0, b: 2 }, { a: 4 }] },
  ]);
  const all = await service.find({ query: { $sort }, paginate: false });
  for (const $limit of [1, 2, 3, 5, 8]) expect(await service.find({ query: { $sort, $limit } })).toEqual(all.slice(0, $limit));
});

describe('a write to several records in an order that they do not have', () => {
  const records = [
    { id: 1, a: [1], b: [2] },
    { id: 2, a: [3], b: [4] },
  ];
  it.each([
    ['remove', (service: MemoryService, query: object) => service.remove(null, { query: { ...query } })],
    ['patch', (service: MemoryService, query: object) => service.patch(null, { seen: true }, { query: { ...query } })],
    [
      'patch by which they lose it',
      (service: MemoryService, query: object) => service.patch(null, { c: [1], d: [2] }, { query: { ...query } }),
    ],
  ])('is refused, and writes nothing: %s', async (name, write) => {
    const service = new MemoryService({ multi: true });
    await service.create(records);
    const $sort = name.includes('lose') ? { c: 1, d: 1 } : { a: 1, b: 1 };
    await expect(write(service, { $sort })).rejects.toMatchObject({ code: 400 });
    expect(await service.find()).toEqual(records);
  });

  it('is made where it is one record, which needs no order', async () => {
    const service = new MemoryService({ multi: true });
    await service.create(records);
    expect(await service.remove(null, { query: { id: 1, $sort: { a: 1, b: 1 } } })).toEqual([records[0]]);
  });
});
