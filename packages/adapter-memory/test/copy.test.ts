import { describe, expect, it } from '@jest/globals';
import { MemoryService } from '../src/index.ts';

interface Item {
  id: number;
  value?: unknown;
}

class Decimal {
  readonly d = [12];
  toJSON(): string {
    return String(this.d[0]);
  }
}

describe('values of which nothing would be stored', () => {
  it.each([
    ['a set', () => new Set(['a'])],
    ['an address', () => new URL('http://localhost/')],
    ['an error', () => new Error('broken')],
    ['bytes without a view', () => new ArrayBuffer(2)],
    ['what gives values one by one', () => ['a'].values()],
    ['a number in an object', () => Object(5) as unknown],
    ['what JSON has as a text', () => new Decimal()],
  ])('%s is refused, and nothing is written', async (_name, make) => {
    const service = new MemoryService<Item>({ multi: true });
    await service.create({ id: 1 });
    for (const value of [make(), [{ inside: make() }]]) {
      const refused = { code: 400, message: expect.stringMatching(/^'value(\[0]\.inside)?' can not be stored/) as unknown };
      await expect(service.create({ value })).rejects.toMatchObject(refused);
      await expect(service.create([{ id: 2 }, { value }])).rejects.toMatchObject(refused);
      await expect(service.update(1, { value })).rejects.toMatchObject(refused);
      await expect(service.patch(1, { value })).rejects.toMatchObject(refused);
      await expect(service.patch(null, { value })).rejects.toMatchObject(refused);
    }
    expect(await service.find()).toEqual([{ id: 1 }]);
  });
});

it('a gap in a list is nothing, as in a database', async () => {
  const service = new MemoryService<Item>();
  // oxlint-disable-next-line no-sparse-arrays -- a list with a gap is what is tested
  expect(await service.create({ id: 1, value: [1, , 3] })).toStrictEqual({ id: 1, value: [1, null, 3] });
  expect(await service.find({ query: { value: null } })).toHaveLength(1);
});
