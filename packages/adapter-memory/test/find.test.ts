import { expect, it } from '@jest/globals';
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
