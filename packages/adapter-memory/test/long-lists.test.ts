import { describe, expect, it, jest } from '@jest/globals';
import { MemoryService } from '../src/index.ts';

/** Texts and numbers, each of them twice, not in their order. */
const listFrom = (first: number, count: number): unknown[] =>
  Array.from({ length: count * 2 }, (_, index) => {
    const value = first + ((index * 7) % count);
    return value % 2 === 0 ? value : `t${String(value)}`;
  });

describe('a long list in an index', () => {
  it('is found by its elements beside short ones, also where it is changed and removed', async () => {
    const indexed = new MemoryService({ multi: true, indexes: ['tags'] });
    const plain = new MemoryService({ multi: true });
    const same = async (): Promise<void> => {
      const conditions = [5, 't7', { $gt: 90, $lt: 120 }, { $gte: 't1' }, { $lt: 3 }, { $gte: 150, $lte: 151 }, 't401', 'none', null];
      for (const tags of conditions) {
        const [first, second] = [await indexed.find({ query: { tags } }), await plain.find({ query: { tags } })];
        expect([tags, first]).toEqual([tags, second]);
      }
    };
    for (const service of [indexed, plain]) {
      await service.create([{ tags: [5, null] }, { tags: 't7' }, { tags: [] }, { tags: [100, 't1', 100] }, {}, { tags: null }]);
      await service.create({ tags: listFrom(0, 160) });
      await service.create({ tags: listFrom(80, 200) });
      await service.create({ tags: [150, 't401'] });
    }
    await same();
    for (const service of [indexed, plain]) {
      await service.patch(7, { tags: [5, 't7'] });
      await service.patch(0, { tags: listFrom(300, 120) });
    }
    await same();
    for (const service of [indexed, plain]) await service.remove(6);
    await same();
  });

  it('costs comparisons in proportion to its length, and not to the square of it', async () => {
    const service = new MemoryService({ indexes: ['times'] });
    const times = Array.from({ length: 2000 }, (_, index) => new Date((index * 7919) % 2000));
    const getTime = jest.spyOn(Date.prototype, 'getTime');
    await service.create({ times });
    await service.patch(0, { seen: true });
    const comparisons = getTime.mock.calls.length / 2;
    getTime.mockRestore();
    // Each element is sorted a few times: that takes its place among 2,000, eleven comparisons.
    expect(comparisons).toBeLessThan(2000 * 11 * 12);
  });
});
