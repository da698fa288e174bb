import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Binary, BSONRegExp, Code, DBRef, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID } from 'mongodb';
import type { Paginated } from '@framework/core';
import { startHarness, type Person, type ServiceHarness } from '../harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

const OPTIONS = { paginate: { default: 3, max: 50 }, cursors: true, multi: true, total: 'none' } as const;
type Page = Paginated<Person>;
type Find = (query: object) => Promise<Page>;

const finder = (options: object = {}): Find => {
  const service = harness.service({ ...OPTIONS, ...options });
  return async (query) => (await service.find({ query: query as Record<string, unknown> })) as Page;
};

/** The ids of all pages, in both directions. */
async function walk(find: Find, query: object): Promise<readonly [unknown[], unknown[]]> {
  const ids = ({ data }: Page): unknown[] => data.map(({ _id }) => _id);
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

async function sorted($sort: Record<string, 1 | -1>): Promise<unknown[]> {
  return (await harness.database.db.collection('people').find().sort($sort).toArray()).map(({ _id }) => _id);
}

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  'nothing and the ends of the order': [null, undefined, new MinKey(), new MaxKey(), 1, 'a'],
  'numbers of all kinds': [
    Number.NaN,
    Decimal128.fromString('NaN'),
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    new Double(-0),
    0,
    Long.fromString('9007199254740993'),
    Long.fromString('-9223372036854775808'),
    2 ** 53,
    Decimal128.fromString('0.1'),
    Decimal128.fromString('9007199254740993.5'),
    0.1,
    null,
  ],
  'texts, objects and bytes': [
    'a',
    '',
    '\u{1f600}',
    '\uffff',
    {},
    { a: 1 },
    { a: { $gt: 1 } },
    { a: [1, { b: null }], c: new Date(1) },
    { a: Long.fromString('9007199254740993') },
    new Binary(Buffer.from('ab')),
    new Binary(Buffer.from('ab'), 5),
    new Binary(Buffer.alloc(0)),
    new UUID('00112233-4455-6677-8899-aabbccddeeff'),
  ],
  'ids, dates and stamps': [
    new ObjectId('000000000000000000000001'),
    new ObjectId('ffffffffffffffffffffffff'),
    new Date(-1),
    new Date(0),
    new Date(8.64e15),
    new Timestamp({ t: 1, i: 2 }),
    new Timestamp({ t: 2, i: 1 }),
    true,
    false,
  ],
  'code and references': [
    new Code('f()'),
    new Code('g()'),
    new Code('f()', { a: 1 }),
    new DBRef('a', new ObjectId()),
    { $z: 1 },
    'a',
    new MaxKey(),
    null,
  ],
};

describe('pages by cursors over', () => {
  it.each(Object.keys(VALUES))('%s give each record once, in both directions', async (name) => {
    const values = VALUES[name]!;
    const collection = harness.database.db.collection('people');
    await collection.insertMany([...values, ...values].map((v, n) => ({ ...(v === undefined ? {} : { v }), n })));
    for (const direction of [1, -1] as const) {
      const expected = await sorted({ v: direction, _id: direction });
      for (const $limit of [1, 4])
        expect([direction, $limit, ...(await walk(finder(), { $sort: { v: direction }, $limit }))]).toEqual([
          direction,
          $limit,
          expected,
          expected,
        ]);
    }
  });

  it('paths that lead into what is no object find nothing there', async () => {
    const collection = harness.database.db.collection('people');
    await collection.insertMany([
      { at: new Date(1) },
      { at: new ObjectId() },
      { at: new Binary(Buffer.from('a')) },
      { at: 'text' },
      { at: { buffer: 1 } },
    ] as object[]);
    for (const path of ['at.buffer', 'at.id', 'at.length', 'at.position', 'at.toString', 'toString']) {
      const expected = await sorted({ [path]: 1, _id: 1 });
      expect([path, ...(await walk(finder(), { $sort: { [path]: 1 }, $limit: 2 }))]).toEqual([path, expected, expected]);
    }
  });

  it('an empty list behind all others is told of, and not left out', async () => {
    const collection = harness.database.db.collection('people');
    for (const [path, empty] of [
      ['v', { v: [] }],
      ['o.v', { o: [] }],
      ['o.v', { o: { v: [] } }],
    ] as const) {
      await harness.reset();
      await collection.insertMany([{ v: 1, o: { v: 1 } }, { n: 1 }, empty] as object[]);
      const find = finder();
      let page = await find({ $sort: { [path]: -1, _id: 1 }, $limit: 1 });
      page = await find({ $sort: { [path]: -1, _id: 1 }, $limit: 1, $after: page.next });
      expect([path, page.data.map(({ n }) => n), typeof page.next]).toEqual([path, [1], 'string']);
      await expect(find({ $sort: { [path]: -1, _id: 1 }, $limit: 1, $after: page.next })).rejects.toMatchObject({
        code: 400,
        message: expect.stringContaining('page with $skip'),
      });
    }
  });
});

it('pages by cursors are not given beside patterns, of which the driver does not read all: the page has none, and one that leads there is 400', async () => {
  const collection = harness.database.db.collection('people');
  for (const v of [/a/i, new BSONRegExp('a', 'x'), { inside: [/a/] }]) {
    await harness.reset();
    await collection.insertMany([{ v: null }, { v }, { v: new MaxKey() }]);
    const find = finder();
    const first = await find({ $sort: { v: 1 }, $limit: 1 });
    await expect(find({ $sort: { v: 1 }, $limit: 1, $after: first.next })).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('a pattern in a sort key'),
    });
    expect(Object.keys(await find({ $sort: { v: 1 } })).sort()).toEqual(['data', 'limit', 'skip', 'total']);
  }
});

describe('a cursor beside values that are too long for it', () => {
  const long = 'x'.repeat(20_000);
  const query = { $sort: { v: 1 }, $limit: 2 } as const;
  const fill = async (): Promise<void> => {
    await harness.database.db
      .collection<{ _id: number }>('people')
      .insertMany([0, 1, 2, 3, 4, 5].map((_id) => ({ _id, v: `${long}${_id}` })));
  };
  const ids = ({ data }: Page): unknown[] => data.map(({ _id }) => _id);

  it('names records, costs one more command, and is as secret as any other', async () => {
    await fill();
    const find = finder();
    const first = await find(query);
    expect(first.next!.length).toBeLessThan(1_000);
    harness.commands.length = 0;
    const second = await find({ ...query, $after: first.next, $select: ['n'] });
    expect([ids(second), Object.keys(second.data[0]!)]).toEqual([[2, 3], ['_id']]);
    expect(harness.commands.map((command) => [command.find, command.projection])).toEqual([
      ['people', { v: 1, _id: 1 }],
      ['people', { n: 1, v: 1, _id: 1 }],
    ]);
    await expect(find({ $sort: { v: -1 }, $after: first.next })).rejects.toMatchObject({ code: 400 });
  });

  it('holds by the records beside the one that has gone, and is 400 with the cure when none of them is where it was', async () => {
    await fill();
    const people = harness.database.db.collection<{ _id: number }>('people');
    const find = finder();
    const first = await find(query);
    const second = await find({ ...query, $after: first.next });
    const last = await find({ ...query, $after: second.next });
    await people.deleteOne({ _id: 1 });
    expect(ids(await find({ ...query, $after: first.next }))).toEqual([2, 3]);
    expect(ids(await find({ ...query, $before: first.next }))).toEqual([0]);
    await people.updateOne({ _id: 0 }, { $set: { v: 'first' } });
    expect(ids(await find({ ...query, $after: first.next }))).toEqual([2, 3]);
    expect(ids(await find({ ...query, $before: first.next }))).toEqual([0]);
    await people.deleteOne({ _id: 4 });
    expect(ids(await find({ ...query, $before: last.previous }))).toEqual([2, 3]);
    await people.updateOne({ _id: 2 }, { $set: { v: 'changed' } });
    await expect(find({ ...query, $after: first.next })).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('start again with the first page'),
    });
  });

  it('is not given beside ids of thousands of characters: the page has none, and one that leads there is 400', async () => {
    await harness.database.db.collection<{ _id: string }>('people').insertMany(['a', 'b', `c${long}`, `d${long}`].map((_id) => ({ _id })));
    const find = finder();
    const { next } = await find({ $limit: 2 });
    expect(Object.keys(await find({ $skip: 1, $limit: 2 })).sort()).toEqual(['data', 'limit', 'skip', 'total']);
    await expect(find({ $limit: 1, $after: next })).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('page with $skip'),
    });
  });
});
