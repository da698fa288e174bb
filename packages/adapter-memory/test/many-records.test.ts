import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MemoryService } from '../src/index.ts';

const COUNT = 20_000;

/** The later ones come first in order, as the newest do. */
const records = (): { id: number; n: number }[] => Array.from({ length: COUNT }, (_, id) => ({ id, n: COUNT - id }));

/** Elements of lists that were moved to make room, or to fill it. */
let moved = 0;
const { splice } = Array.prototype;
beforeEach(() => {
  moved = 0;
  jest.spyOn(Array.prototype, 'splice').mockImplementation(function (this: unknown[], ...args: unknown[]) {
    moved += this.length - Number(args[0]);
    return Reflect.apply(splice, this, args) as unknown[];
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('many records cost work in proportion to their number, and not to the square of it', () => {
  it.each([9, 99, 999, 2222, 10_000])('where they are sorted for a page behind %d of them', async ($skip) => {
    const service = new MemoryService({ store: records(), paginate: { default: 3 } });
    const page = await service.find({ query: { $sort: { n: 1 }, $skip } });
    expect(page).toMatchObject({ total: COUNT, data: [{ n: $skip + 1 }, { n: $skip + 2 }, { n: $skip + 3 }] });
    expect(moved).toBeLessThan(COUNT * 200);
  });

  it('where they are put into an index, and written and removed together', async () => {
    const service = new MemoryService({ store: records(), indexes: ['n'], multi: true });
    expect(await service.find({ query: { n: { $gt: 49, $lte: 51 } } })).toEqual([
      { id: COUNT - 51, n: 51 },
      { id: COUNT - 50, n: 50 },
    ]);
    expect(await service.patch(null, { n: -1 }, { query: { n: { $lte: 3000 } } })).toHaveLength(3000);
    expect(await service.find({ query: { n: 50 } })).toEqual([]);
    expect(await service.find({ query: { n: -1, id: { $lt: COUNT - 2998 } } })).toHaveLength(2);
    expect(await service.remove(null, { query: { n: -1 } })).toHaveLength(3000);
    expect(await service.find({ query: { n: { $lt: 3002 } } })).toEqual([{ id: COUNT - 3001, n: 3001 }]);
    expect(moved).toBeLessThan(COUNT * 200);
  });

  it('and a few that are written find their places one by one', async () => {
    const service = new MemoryService({ store: records(), indexes: ['n'], multi: true });
    for (let id = 0; id < 5; id++) {
      await service.patch(id, { n: 0 });
      await service.patch(id, { n: [0.5, id] });
      await service.create({ id: COUNT + id, n: 0 });
      await service.remove(COUNT + id);
      expect(await service.find({ query: { n: 0.5, $select: ['id'] } })).toHaveLength(id + 1);
      expect(await service.find({ query: { n: COUNT - id } })).toEqual([]);
    }
    expect(await service.find({ query: { n: 0 } })).toEqual([{ id: 0, n: [0.5, 0] }]);
  });
});
