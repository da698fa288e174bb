import { describe, expect, it } from '@jest/globals';
import { MemoryService, type MemoryServiceOptions } from '../src/index.ts';

type Row = Record<string, any>;

const service = (options: MemoryServiceOptions = {}): MemoryService<any, any, any, any> =>
  new MemoryService({ multi: true, paginate: { default: 3, max: 50 }, cursors: true, ...options });

/** A value as the driver of a database makes them. */
class DriverValue {
  readonly _bsontype: string;
  readonly #text: string;
  constructor(type: string, text: string) {
    this._bsontype = type;
    this.#text = text;
  }
  toHexString(): string {
    return this.#text;
  }
  toString(): string {
    return this.#text;
  }
}

/** The ids of all pages, in both directions. */
async function walk(find: (query: object) => Promise<Row>, query: object): Promise<readonly [unknown[], unknown[]]> {
  const ids = ({ data }: Row): unknown[] => data.map(({ id }: Row) => id);
  let page = await find(query);
  const forward = ids(page);
  while (typeof page.next === 'string' && forward.length < 200) {
    page = await find({ ...query, $after: page.next });
    forward.push(...ids(page));
  }
  expect(page.next).toBeNull();
  const backward = ids(page);
  while (typeof page.previous === 'string' && backward.length < 200) {
    page = await find({ ...query, $before: page.previous });
    backward.unshift(...ids(page));
  }
  expect(page.previous).toBeNull();
  return [forward, backward];
}

describe('pages by cursors in memory', () => {
  it('lead through values of all types, each record once and in both directions', async () => {
    const values = [
      Number.NaN,
      -0,
      0,
      Number.NEGATIVE_INFINITY,
      10n ** 150n,
      -5n,
      2n ** 53n + 1n,
      2 ** 53,
      new Date(-1),
      /a/,
      /a/gi,
      new Uint8Array([1, 255]),
      new Uint8Array(),
      Buffer.from('ab'),
      new DriverValue('ObjectId', '000000000000000000000001'),
      new DriverValue('Long', '9007199254740993'),
      new DriverValue('Decimal128', '0.1'),
      { a: { b: [1, 'x', null, { c: new Date(1) }] } },
      JSON.parse('{"__proto__":{"a":1},"b":2}'),
      {},
      '\ud800',
      '"\\\u0000',
      null,
      undefined,
    ];
    const people = service();
    await people.create([...values, ...values].map((v) => ({ v })));
    const find = async (query: object): Promise<any> => people.find({ query });
    for (const direction of [1, -1]) {
      const all = await people.find({ paginate: false, query: { $sort: { v: direction, id: direction } } });
      const expected = (all as Row[]).map(({ id }) => id);
      expect(expected).toHaveLength(2 * values.length);
      for (const $limit of [1, 5])
        expect([direction, ...(await walk(find, { $sort: { v: direction }, $limit }))]).toEqual([direction, expected, expected]);
    }
  });

  it('name records where values are too long, hold by those beside one that has gone, and say when none is left', async () => {
    const long = 'x'.repeat(20_000);
    const people = service({ store: [0, 1, 2, 3, 4, 5].map((id) => ({ id, v: `${long}${id}` })) });
    const find = async (query: object): Promise<any> => people.find({ query: { $sort: { v: 1 }, $limit: 2, ...query } });
    const ids = async (query: object): Promise<unknown[]> => (await find(query)).data.map(({ id }: Row) => id);
    const { next } = await find({});
    expect(next.length).toBeLessThan(300);
    const { previous } = await find({ $skip: 3, $after: next });
    await people.remove(1);
    expect([await ids({ $after: next }), await ids({ $before: next })]).toEqual([[2, 3], [0]]);
    await people.patch(0, { v: 'first' });
    expect([await ids({ $after: next }), await ids({ $before: next })]).toEqual([[2, 3], [0]]);
    await people.remove(5);
    expect(await ids({ $before: previous })).toEqual([3, 4]);
    await people.patch(2, { v: 'changed' });
    await expect(find({ $after: next })).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('start again with the first page'),
    });
  });

  it('name only records that the caller may find', async () => {
    const long = 'x'.repeat(20_000);
    const people = service({ store: [0, 1, 2, 3].map((id) => ({ id, v: `${long}${id}`, of: id % 2 })) });
    const { next } = (await people.find({ query: { $sort: { v: 1 }, $limit: 1, of: 0 } })) as Row;
    await expect(people.find({ query: { $sort: { v: 1 }, of: 1, $after: next } })).rejects.toMatchObject({ code: 400 });
  });

  it('name records by the longest ids that there may be, whatever is in them', async () => {
    const long = 'x'.repeat(20_000);
    const people = service({ store: ['a', 'b', 'c'].map((letter) => ({ id: letter + '\u0001'.repeat(1023), v: long })) });
    const find = async (query: object): Promise<any> => people.find({ query });
    const [forward, backward] = await walk(find, { $sort: { v: 1 }, $limit: 1 });
    expect([forward.map((id) => String(id)[0]), backward.length]).toEqual([['a', 'b', 'c'], 3]);
  });

  it('hold for one order, however many letters it has', async () => {
    const name = 'n'.repeat(3_000);
    const people = service({ store: [1, 2, 3].map((n) => ({ [name]: n, n })) });
    const find = async (query: object): Promise<any> => people.find({ query });
    const query = { $sort: { [name]: -1, n: 1 }, $limit: 1 };
    expect(await walk(find, query)).toEqual([
      [2, 1, 0],
      [2, 1, 0],
    ]);
    const { next } = await find(query);
    await expect(find({ ...query, $sort: { [name]: -1, n: -1 }, $after: next })).rejects.toMatchObject({ code: 400 });
  });

  it('end at a list in a sort key: the page has none, and one that leads there is 400 with the cure', async () => {
    const people = service({ store: [{ v: 1 }, { v: 2 }, { v: [3, 4] }, { v: 5 }] });
    const first = (await people.find({ query: { $sort: { v: 1 }, $limit: 2 } })) as Row;
    await expect(people.find({ query: { $sort: { v: 1 }, $after: first.next } })).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('page with $skip'),
    });
    expect(Object.keys(await people.find({ query: { $sort: { v: 1 } } })).sort()).toEqual(['data', 'limit', 'skip', 'total']);
  });

  it('show nothing of the values that records are sorted by, which the server may keep from whoever gets a page', async () => {
    const people = service({ store: ['alpha', 'beta'].map((score) => ({ score })) });
    const long = service({ store: ['alpha', 'beta'].map((score) => ({ score: score.repeat(5_000), id: `${score}-id` })) });
    for (const of of [people, long]) {
      const { next } = (await of.find({ query: { $sort: { score: 1 }, $limit: 1 } })) as Row;
      const bytes = Buffer.from(next, 'base64url').toString('latin1');
      expect([bytes.includes('alpha'), bytes.length > 20]).toEqual([false, true]);
    }
  });

  it('take nothing that only looks like a cursor', async () => {
    const people = service({ store: [{ v: 1 }, { v: 2 }] });
    const query = { $sort: { v: 1 }, $limit: 1 };
    const { next } = (await people.find({ query })) as Row;
    const bytes = Buffer.from(next, 'base64url');
    const changed = bytes.map((byte, at) => (at === bytes.length - 20 ? byte ^ 1 : byte));
    for (const $after of [5, [next], {}, '', '!', 'x'.repeat(12_001), `${next}AAAA`, Buffer.from(changed).toString('base64url')])
      await expect(people.find({ query: { ...query, $after } })).rejects.toMatchObject({ code: 400 });
    expect(((await people.find({ query: { ...query, $after: next } })) as Row).data).toEqual([{ v: 2, id: 1 }]);
  });

  it('lead on in pages over plain HTTP, where nothing can be encrypted', async () => {
    const { subtle } = crypto;
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
    try {
      const people = service({ store: [1, 2, 3, 4].map((v) => ({ v })) });
      const find = async (query: object): Promise<any> => people.find({ query });
      expect(await walk(find, { $sort: { v: -1 }, $limit: 1 })).toEqual([
        [3, 2, 1, 0],
        [3, 2, 1, 0],
      ]);
    } finally {
      Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true });
    }
  });
});
