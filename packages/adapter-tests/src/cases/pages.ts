import assert from 'node:assert/strict';
import { created, found, recordOf, recordsOf, refused } from '../asserting.ts';
import type { AdapterCase, CaseRecord, CaseService } from '../types.ts';

const FIVE = Array.from({ length: 5 }, (_, n) => ({ n }));

async function page(service: CaseService, query: CaseRecord, params: object = {}): Promise<unknown[]> {
  const { total, limit, skip, data } = recordOf(await service.find({ query: { $sort: { n: 1 }, ...query }, ...params }));
  return [total, limit, skip, recordsOf(data).map(({ n }) => n)];
}

/** Values of one property, in an order that is none; each is there twice. */
const VALUES: readonly CaseRecord[] = [
  {},
  { v: null },
  ...[0, -0, 1, -1, 2.5, 1e300, '', 'a', 'B', 'ab', '\u{1f600}', '\uffff', true, false].map((v) => ({ v })),
  ...[new Date(0), new Date(5), {}, { x: 1 }, { x: 2 }, { x: { y: [1, 'z', { w: null }] } }, { x: new Date(5) }].map((v) => ({ v })),
];

/** What is too long for an address, alike at its beginning or else. */
const LONG: readonly string[] = [500, 5_000, 12_000].flatMap((length) => [
  `${'x'.repeat(length)}a`,
  `${'x'.repeat(length)}b`,
  `${'\u00e9\u{1f600}'.repeat(length / 2)}"`,
]);

/** Longest cursor that reaches every server in an address. */
const LONGEST = 12_000;

/** The ids of a page, as text: where they are wrong, what is printed is short. */
function idsOf(records: unknown, id: string): string[] {
  return recordsOf(records).map((record) => String(record[id]));
}

/** The ids of all pages, from the first page to the last one; asserts that the way back leads through the same. */
async function walked(service: CaseService, query: CaseRecord, id: string): Promise<string[]> {
  const read = async (more: CaseRecord): Promise<CaseRecord> => recordOf(await service.find({ query: { ...query, ...more } }));
  const ways: string[][] = [];
  let page = await read({});
  for (const [name, filter] of [
    ['next', '$after'],
    ['previous', '$before'],
  ] as const) {
    const pages = [idsOf(page.data, id)];
    while (page[name] !== null) {
      const cursor = page[name];
      assert.ok(pages.length < 100, 'the pages do not end');
      assert.ok(typeof cursor === 'string' && cursor.length <= LONGEST, `no '${name}' that fits, after ${String(pages.length)} pages`);
      page = await read({ [filter]: cursor });
      pages.push(idsOf(page.data, id));
    }
    ways.push((name === 'next' ? pages : pages.reverse()).flat());
  }
  const [forward = [], backward] = ways;
  assert.deepEqual(backward, forward);
  return forward;
}

/** Asserts that pages lead through all records in the order of one page with all. */
async function leadsThrough(service: CaseService, $sort: CaseRecord, $limit: number, id: string): Promise<void> {
  const all = await service.find({ query: { $sort: { ...$sort, [id]: Object.values($sort).at(-1) } }, paginate: false });
  assert.deepEqual(await walked(service, { $sort, $limit }, id), idsOf(all, id));
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
    title: 'cursors lead through values of all types, up and down, and give each record once',
    needs: 'cursors',
    async run({ service, id }) {
      const own = await service({ paginate: { default: 4, max: 10 }, cursors: true });
      await created(own, ...VALUES, ...VALUES);
      for (const direction of [1, -1]) for (const limit of [1, 7]) await leadsThrough(own, { v: direction }, limit, id);
    },
  },
  {
    title: 'cursors lead through texts of any length, and no cursor is longer than an address may be',
    needs: 'cursors',
    async run({ service, id }) {
      const own = await service({ paginate: { default: 4, max: 10 }, cursors: true });
      await created(own, ...LONG.map((v, n) => ({ v, n })), ...LONG.map((v, n) => ({ v, n: n + 0.5, o: { v, list: [v] } })));
      for (const direction of [1, -1]) await leadsThrough(own, { v: direction }, 4, id);
      await leadsThrough(own, { o: -1, v: 1 }, 3, id);
    },
  },
  {
    title: 'cursors beside long texts hold while records come and go',
    needs: 'cursors',
    async run({ service, id }) {
      const own = await service({ paginate: { default: 2, max: 5 }, cursors: true });
      const long = 'x'.repeat(20_000);
      const records = await created(own, ...[0, 2, 4, 6, 8, 10].map((n) => ({ v: `${long}${String(10 + n)}`, n })));
      const page = async (query: CaseRecord): Promise<CaseRecord> => recordOf(await own.find({ query: { $sort: { v: 1 }, ...query } }));
      const names = ({ data }: CaseRecord): unknown[] => recordsOf(data).map(({ n }) => n);
      const first = await page({});
      assert.deepEqual(names(first), [0, 2]);
      // The last one of the page goes, then all of it.
      await own.remove(records[1]?.[id]);
      await created(own, { v: `${long}11`, n: 1 });
      assert.ok(names(await page({ $after: first.next })).includes(4));
      await own.remove(records[0]?.[id]);
      const second = await page({ $after: first.next });
      assert.deepEqual(names(second), [4, 6]);
      assert.deepEqual(names(await page({ $before: second.previous })), [1]);
      // One that is elsewhere now is not the place any longer.
      await own.patch(records[3]?.[id], { v: `${long}99` });
      const third = await page({ $after: second.next });
      assert.deepEqual(names(third), [8, 10]);
      // Where nothing is left of the end of the first page, that may be said, but not guessed.
      await own.remove(records[2]?.[id]);
      const late = page({ $after: first.next });
      await late.then(
        (found) => assert.deepEqual(names(found), [8, 10]),
        () => refused(late, 400),
      );
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
