import assert from 'node:assert/strict';
import { created, found, recordOf, recordsOf, refused } from '../asserting.ts';
import type { AdapterCase, CaseRecord, CaseService } from '../types.ts';

const FIVE = Array.from({ length: 5 }, (_, n) => ({ n }));

async function page(service: CaseService, query: CaseRecord, params: object = {}): Promise<unknown[]> {
  const { total, limit, skip, data } = recordOf(await service.find({ query: { $sort: { n: 1 }, ...query }, ...params }));
  return [total, limit, skip, recordsOf(data).map(({ n }) => n)];
}

/** Pages, by numbers and by cursors. */
export const pageCases: readonly Omit<AdapterCase, 'section'>[] = [
  {
    title: 'pages have total, limit, skip and data',
    async run({ service }) {
      const own = await service({ paginate: { default: 2, max: 3 } });
      await created(own, ...FIVE);
      assert.deepEqual(await page(own, {}), [5, 2, 0, [0, 1]]);
      assert.deepEqual(await page(own, { $limit: 10, $skip: 3 }), [5, 3, 3, [3, 4]]);
      assert.deepEqual(await page(own, { $limit: 1, $skip: 7 }), [5, 1, 7, []]);
      assert.deepEqual(await page(own, { $limit: 0 }), [5, 0, 0, []]);
      assert.deepEqual(await page(own, { n: { $gt: 2 } }), [2, 2, 0, [3, 4]]);
    },
  },
  {
    title: 'params.paginate turns pages off and on, for one call',
    async run({ service }) {
      const own = await service({ paginate: { default: 2, max: 3 } });
      await created(own, ...FIVE);
      assert.equal(recordsOf(await own.find({ paginate: false })).length, 5);
      assert.deepEqual(await page(own, {}, { paginate: { default: 4 } }), [5, 4, 0, [0, 1, 2, 3]]);
      assert.deepEqual(await page(own, {}), [5, 2, 0, [0, 1]]);
      const off = await service();
      await created(off, ...FIVE);
      assert.equal(recordsOf(await off.find()).length, 5);
    },
  },
  {
    title: 'cursors lead through all records in both directions, whatever comes and goes meanwhile',
    needs: 'cursors',
    async run({ service, id }) {
      const own = await service({ paginate: { default: 2, max: 5 }, cursors: true });
      const records = await created(own, ...[4, 2, 2, 8, 6].map((n) => ({ n })));
      const read = async (query: CaseRecord): Promise<CaseRecord> => recordOf(await own.find({ query: { $sort: { n: 1 }, ...query } }));
      const names = ({ data }: CaseRecord): unknown[] => recordsOf(data).map(({ n }) => n);
      const first = await read({});
      assert.deepEqual([names(first), first.previous], [[2, 2], null]);
      await own.remove(records[1]?.[id]);
      await created(own, { n: 1 }, { n: 5 });
      const second = await read({ $after: first.next });
      assert.deepEqual(names(second), [4, 5]);
      const third = await read({ $after: second.next });
      assert.deepEqual([names(third), third.next], [[6, 8], null]);
      assert.deepEqual(names(await read({ $before: third.previous })), [4, 5]);
      for (const query of [
        { $after: 'x' },
        { $after: 5 },
        { $after: first.next, $sort: { n: -1 } },
        { $after: first.next, $before: first.next },
      ])
        await refused(read(query), 400);
    },
  },
  {
    title: 'more records than maxMulti are not written at all',
    needs: 'maxMulti',
    async run({ service }) {
      const own = await service({ multi: true, maxMulti: 2 });
      await created(own, ...FIVE);
      await refused(own.patch(null, { n: 9 }), 400);
      await refused(own.remove(null), 400);
      assert.deepEqual(await found(own, { $sort: { n: 1 } }, 'n'), [0, 1, 2, 3, 4]);
      assert.equal(recordsOf(await own.remove(null, { query: { n: { $lt: 2 } } })).length, 2);
    },
  },
  {
    title: 'a larger $skip than maxSkip from outside is 400',
    needs: 'maxSkip',
    async run({ service }) {
      const own = await service({ maxSkip: 3 });
      await refused(own.find({ query: { $skip: 4 }, provider: 'rest' }), 400);
      assert.deepEqual(await own.find({ query: { $skip: 3 }, provider: 'rest' }), []);
      assert.deepEqual(await own.find({ query: { $skip: 4 } }), []);
    },
  },
];
