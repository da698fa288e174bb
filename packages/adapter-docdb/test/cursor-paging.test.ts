import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/testing';
import { ObjectId } from 'mongodb';
import type { Paginated } from '@framework/core';
import { startHarness, type Person, type ServiceHarness } from './harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

const OPTIONS = { paginate: { default: 3, max: 50 }, cursors: true, multi: true, total: 'none' } as const;
type Page = Paginated<Person>;

/** All pages from the first on, and the same from the last back. */
async function walk(find: (query: object) => Promise<Page>, query: object): Promise<{ forward: Person[][]; backward: Person[][] }> {
  const forward: Person[][] = [];
  let page = await find(query);
  expect(page.previous).toBeNull();
  forward.push(page.data);
  while (page.next) {
    page = await find({ ...query, $after: page.next });
    forward.push(page.data);
  }
  const backward: Person[][] = [page.data];
  while (page.previous) {
    page = await find({ ...query, $before: page.previous });
    backward.unshift(page.data);
  }
  return { forward, backward };
}

describe('pages by cursors', () => {
  it('S16 show their secret nowhere: neither the service, nor its options, nor a context that holds it', async () => {
    const [service, other] = [1, 2].map(() => harness.service({ ...OPTIONS, cursors: { secret: 'hunter2 hunter2' } }));
    const printed = [service, service?.options, service?.options.cursors, { service }].flatMap((value) => [
      ...[true, false].map((showHidden) => inspect(value, { depth: 3, customInspect: false, showHidden })),
      inspect(value, { depth: 3 }),
    ]);
    for (const text of [...printed, JSON.stringify(service?.options.cursors)]) expect(text).not.toContain('hunter2');
    // It is known all the same.
    await service?.create([{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }]);
    const { next } = (await service?.find()) as Page;
    expect(await other?.find({ query: { $after: next } })).toMatchObject({ data: [{ name: 'd' }] });
  });

  it('give each record once, forwards and backwards, with one command for each', async () => {
    const service = harness.service(OPTIONS);
    await service.create(Array.from({ length: 10 }, (_, index) => ({ name: `n${index}`, age: index % 3 })));
    const all = (await service.find({ paginate: false, query: { $sort: { age: -1, name: 1 } } })) as Person[];
    harness.commands.length = 0;
    const find = async (query: object): Promise<Page> => (await service.find({ query: { $sort: { age: -1, name: 1 }, ...query } })) as Page;
    const { forward, backward } = await walk(find, {});
    expect(forward.flat()).toEqual(all);
    expect(forward.map((page) => page.length)).toEqual([3, 3, 3, 1]);
    expect(backward.flat()).toEqual(all);
    expect(harness.commands.map((command) => Object.keys(command)[0])).toEqual(Array.from({ length: 7 }, () => 'find'));
  });

  it('are stable while records come and go', async () => {
    const service = harness.service(OPTIONS);
    await service.create(Array.from({ length: 6 }, (_, index) => ({ name: `b${index}` })));
    const sort = { $sort: { name: 1 } };
    const first = (await service.find({ query: sort })) as Page;
    await service.create([{ name: 'a' }, { name: 'b2x' }]);
    await service.remove(first.data[0]?._id as ObjectId);
    const second = (await service.find({ query: { ...sort, $after: first.next } })) as Page;
    expect(second.data.map(({ name }) => name)).toEqual(['b2x', 'b3', 'b4']);
    const back = (await service.find({ query: { ...sort, $before: second.previous } })) as Page;
    expect(back.data.map(({ name }) => name)).toEqual(['a', 'b1', 'b2'].slice(-3));
  });

  it('work for any values, types and directions: 60 generated orders', async () => {
    const values = [
      null,
      undefined,
      1,
      2.5,
      -1,
      Number.NaN,
      'a',
      'b',
      '',
      true,
      false,
      new Date(5),
      new Date(6),
      new ObjectId(),
      { x: 1 },
      { x: 2 },
      1e300,
    ];
    const service = harness.service({ ...OPTIONS, paginate: { default: 4, max: 50 } });
    const random = new Random(42);
    const variety = new Variety();
    await service.create(
      Array.from({ length: 40 }, (_, index) => ({
        name: `n${index}`,
        a: random.pick(values),
        b: random.pick(values),
        c: random.below(3),
      })),
    );
    for (let round = 0; round < 60; round++) {
      const names = new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(['a', 'b', 'c', 'name', '_id'])));
      const $sort = Object.fromEntries([...names].map((name) => [name, random.oneIn(2) ? 1 : -1]));
      const query = { $sort, ...(random.oneIn(3) ? { c: { $lt: 2 } } : {}), ...(random.oneIn(3) ? { $select: ['name'] } : {}) };
      variety.tried(JSON.stringify(query));
      for (const name of [...names, ...Object.keys(query)]) variety.took(name);
      const find = async (more: object): Promise<Page> => (await service.find({ query: more as Record<string, unknown> })) as Page;
      const { forward, backward } = await walk(find, query);
      const expected = (await service.find({
        paginate: false,
        query: { ...query, $sort: { ...$sort, ...('_id' in $sort ? {} : { _id: Object.values($sort).at(-1) }) } },
      })) as Person[];
      expect([$sort, forward.flat()]).toEqual([$sort, expected]);
      expect([$sort, backward.flat()]).toEqual([$sort, expected]);
    }
    console.log(variety.report('orders', 42));
    variety.expect(50, { a: 10, b: 10, c: 10, name: 10, _id: 10, $select: 10 });
  });

  it('are off unless the service allows them, and for find alone', async () => {
    for (const service of [harness.service({ paginate: { default: 3 } }), harness.service()])
      await expect(service.find({ query: { $after: 'x' } })).rejects.toMatchObject({ code: 400 });
    const plain = (await harness.service({ paginate: { default: 3 } }).find()) as Page;
    expect(Object.keys(plain).sort()).toEqual(['data', 'limit', 'skip', 'total']);
    const service = harness.service(OPTIONS);
    const { _id } = await service.create({ name: 'a' });
    for (const call of [
      service.get(_id as ObjectId, { query: { $after: 'x' } }),
      service.patch(null, {}, { query: { $before: 'x' } }),
      service.remove(null, { query: { $after: 'x' } }),
      service.findRaw({ query: { $after: 'x' } }),
      service.find({ query: { $after: 'x' }, pipeline: [] }),
    ])
      await expect(call).rejects.toMatchObject({ code: 400 });
  });

  it('are opaque, and hold for one service and order', async () => {
    const service = harness.service(OPTIONS);
    await service.create(Array.from({ length: 5 }, (_, index) => ({ name: `secret${index}` })));
    const { next } = (await service.find({ query: { $sort: { name: 1 } } })) as { next: string };
    expect(Buffer.from(next, 'base64url').toString('latin1')).not.toContain('secret');
    const other = harness.service({ ...OPTIONS, cursors: { secret: 'another' } });
    const changed = `${next.slice(0, -2)}${next.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const [target, query] of [
      [service, { $sort: { name: -1 }, $after: next }],
      [service, { $after: next }],
      [service, { $sort: { name: 1 }, $after: changed }],
      [service, { $sort: { name: 1 }, $after: next.slice(0, 10) }],
      [service, { $sort: { name: 1 }, $after: '' }],
      [service, { $sort: { name: 1 }, $after: { $ne: null } }],
      [service, { $sort: { name: 1 }, $after: [next] }],
      [service, { $sort: { name: 1 }, $after: next, $before: next }],
      [service, { $sort: { name: 1 }, $after: 'x'.repeat(10_000) }],
      [other, { $sort: { name: 1 }, $after: next }],
    ] as const)
      await expect(target.find({ query: query as Record<string, unknown> })).rejects.toMatchObject({ code: 400 });
    const shared = [harness.service({ ...OPTIONS, cursors: { secret: 's' } }), harness.service({ ...OPTIONS, cursors: { secret: 's' } })];
    const { next: cursor } = (await shared[0]!.find()) as { next: string };
    expect(((await shared[1]!.find({ query: { $after: cursor } })) as Page).data).toHaveLength(2);
  });

  it('are of the secret of the service, or of that of one call, whichever came first', async () => {
    const service = harness.service(OPTIONS);
    await service.create(Array.from({ length: 5 }, (_, index) => ({ name: `n${index}` })));
    const [shared, another] = [{ secret: 's' }, { secret: 'another' }];
    const [one, two] = [harness.service({ ...OPTIONS, cursors: shared }), harness.service({ ...OPTIONS, cursors: shared })];
    const own = ((await one.find({ adapter: { cursors: another } })) as { next: string }).next;
    const { next } = (await one.find()) as { next: string };
    expect(((await two.find({ query: { $after: next } })) as Page).data).toHaveLength(2);
    await expect(two.find({ query: { $after: own } })).rejects.toMatchObject({ code: 400 });
    const page = await two.find({ query: { $after: own }, adapter: { cursors: another } });
    expect((page as Page).data).toHaveLength(2);
  });

  it.each([[{}], [{ secret: '' }], ['secret']])('need a secret for one call, too: %j', async (cursors) => {
    await expect(harness.service(OPTIONS).find({ adapter: { cursors: cursors as never } })).rejects.toThrow(TypeError);
  });

  it('count and restrict as any page, also under a collation', async () => {
    const service = harness.service({ ...OPTIONS, total: 'exact' });
    await service.create(['b', 'A', 'c', 'B', 'a', 'C'].map((name) => ({ name, age: 1 })));
    await service.create({ name: 'x', age: 2 });
    const params = { query: { age: 1, $sort: { name: 1 } }, collation: { locale: 'en', strength: 2 } } as const;
    const first = (await service.find(params as never)) as unknown as Page;
    expect(first.total).toBe(6);
    const second = (await service.find({ ...params, query: { ...params.query, $after: first.next } } as never)) as unknown as Page;
    expect([...first.data, ...second.data].map(({ name }) => name.toLowerCase())).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
    expect(second).toMatchObject({ total: 6, next: null });
  });

  it('tear nothing apart that a collation takes for one id: no record is passed over without a word', async () => {
    const collation = { locale: 'en', strength: 2 } as const;
    const { db } = harness.database;
    const Model = await db.createCollection('collated', { collation });
    const ofCollection = harness.service({ ...OPTIONS, Model, id: 'name' });
    const ofCall = harness.service({ ...OPTIONS, id: 'name' });
    for (const [service, params] of [
      [ofCall, { collation }],
      [ofCollection, {}],
    ] as const) {
      await service.create(['a', 'b', 'B', 'c', 'd'].map((name) => ({ name, age: 1 })) as never);
      const find = async (query: object): Promise<Page> => (await service.find({ ...params, query } as never)) as unknown as Page;
      const first = await find({ $limit: 1 });
      expect(first).toMatchObject({ data: [{ name: 'a' }], previous: null });
      await expect(find({ $limit: 1, $after: first.next })).rejects.toMatchObject({
        code: 400,
        message: expect.stringMatching(/differs from that of another one by nothing but what the collation ignores .* page with \$skip$/),
      });
      // Nothing is known of such a record on the first page, which names no cursor then.
      expect(Object.keys(await find({ $limit: 2 }))).toEqual(['total', 'limit', 'skip', 'data']);
      const { forward, backward } = await walk(find, { $limit: 3, $select: ['age'] });
      expect(forward.map((page) => page.map(({ name }) => name.toLowerCase()))).toEqual([
        ['a', 'b', 'b'],
        ['c', 'd'],
      ]);
      // In which order they come of which the collation makes one, nobody says.
      const sorted = (pages: Person[][]): string[] =>
        pages
          .flat()
          .map(({ name }) => name)
          .sort();
      expect(sorted(backward)).toEqual(sorted(forward));
      expect(sorted(forward)).toEqual(['B', 'a', 'b', 'c', 'd']);
      // Where the conditions leave none of them there is nothing to tear.
      const paged = await walk(find, { $limit: 1, $sort: { age: 1 }, name: { $ne: 'b' } });
      expect(paged.forward.flat()).toHaveLength(3);
    }
    // Without a collation they are two ids.
    const plain = await walk(async (query) => (await ofCall.find({ query } as never)) as unknown as Page, { $limit: 1 });
    expect(plain.forward.flat().map(({ name }) => name)).toEqual(['B', 'a', 'b', 'c', 'd']);
    await Model.drop();
  });

  it('are not given for sort keys that lead through lists, and never repeat a record', async () => {
    const service = harness.service(OPTIONS);
    const prices = [[1, 9], [2], [3, 4], [5, 0], [6]];
    await service.create([
      { name: 'none', age: 0 },
      ...prices.map((list, age) => ({ name: 'x', age, items: list.map((price) => ({ price })), tags: list })),
    ] as never);
    for (const path of ['items.price', 'tags']) {
      const seen: unknown[] = [];
      let page = (await service.find({ query: { $sort: { [path]: -1 } } })) as Page;
      expect(page.data).toHaveLength(3);
      expect([path, 'next' in page, 'previous' in page]).toEqual([path, false, false]);
      // The first page has no list yet, and the second one has.
      page = (await service.find({ query: { $sort: { [path]: 1 }, $limit: 1 } })) as Page;
      while (page.next) {
        seen.push(...page.data.map(({ _id }) => String(_id)));
        const next = service.find({ query: { $sort: { [path]: 1 }, $limit: 1, $after: page.next } }) as Promise<Page>;
        page = await next.catch((error: unknown) => {
          const { code, message } = error as { code: number; message: string };
          expect([code, message]).toEqual([400, expect.stringContaining('can not be paged by cursors')]);
          return { data: [] } as unknown as Page;
        });
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toHaveLength(1);
    }
  });

  it('end where there is nothing', async () => {
    const service = harness.service(OPTIONS);
    expect(await service.find()).toMatchObject({ data: [], next: null, previous: null });
    await service.create({ name: 'a' });
    const page = (await service.find({ query: { $limit: 1 } })) as Page;
    expect(page).toMatchObject({ next: null, previous: null });
  });
});
