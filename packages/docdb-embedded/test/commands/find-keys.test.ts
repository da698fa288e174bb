import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document, FindOptions } from 'mongodb';
import { Random, Variety } from '@framework-internal/random';
import { start, type Harness } from '../harness.ts';

const SEED = Number(process.env.KEYS_SEED ?? 20261125);
const ROUNDS = Number(process.env.KEYS_ROUNDS ?? 12);

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  const { db } = harness;
  await db.collection('items').insertMany([
    { _id: 1 as never, a: 1, b: 'x' },
    { _id: 2 as never, a: 2, b: 'y' },
    { _id: 3 as never, a: 2, b: 'z' },
    { _id: 4 as never, a: 3 },
    { _id: 5 as never, a: [0, 9], b: 'w' },
    { _id: 6 as never, b: 'v' },
  ]);
  await db.collection('items').createIndex({ a: 1, b: -1 });
  await db.collection('items').createIndex({ b: 'hashed' });
  await db.collection('items').createIndex({ '$**': 1 });
  await db.createCollection('view', { viewOn: 'items', pipeline: [] });
  await db.createCollection('log', { capped: true, size: 4096 });
  await db.collection('log').insertOne({ _id: 1 as never });
});
afterAll(() => harness.stop());

const ids = async (options: FindOptions, filter: Document = {}): Promise<unknown[]> =>
  (await harness.db.collection('items').find(filter, options).toArray()).map(({ _id }) => _id as unknown);
const code = async (command: Document): Promise<unknown> =>
  harness.db.command(command).then(
    () => 'accepted',
    (error: unknown) => (error as { code?: unknown }).code,
  );

describe('min and max', () => {
  it('read an index from one key to before another one', async () => {
    expect(await ids({ min: { _id: 2 }, max: { _id: 4 }, hint: { _id: 1 } })).toEqual([2, 3]);
    expect(await ids({ min: { _id: 5 }, hint: '_id_' })).toEqual([5, 6]);
    expect(await ids({ max: { _id: 3 }, hint: { _id: 1 } })).toEqual([1, 2]);
  });

  it('follow the directions of an index of several fields', async () => {
    expect(await ids({ min: { a: 2, b: 'y' }, max: { a: 3, b: 'a' }, hint: { a: 1, b: -1 } })).toEqual([2]);
    expect(await ids({ min: { a: 2, b: 'z' }, max: { a: 9, b: 'a' }, hint: { a: 1, b: -1 } })).toEqual([3, 2, 4, 5]);
  });

  it('go with a filter, a sort, a limit and a projection', async () => {
    expect(await ids({ min: { _id: 1 }, max: { _id: 6 }, hint: { _id: 1 }, sort: { _id: -1 }, limit: 2 }, { a: { $lt: 3 } })).toEqual([
      5, 3,
    ]);
    const found = harness.db.collection('items').find({}, { min: { _id: 4 }, hint: { _id: 1 }, projection: { _id: 0, a: 1 } });
    expect(await found.toArray()).toEqual([{ a: 3 }, { a: [0, 9] }, {}]);
  });

  it('hold for what a transaction has changed', async () => {
    const session = harness.client.startSession();
    try {
      session.startTransaction();
      const items = harness.db.collection('items');
      await items.insertOne({ _id: 2.5 as never, a: 2 }, { session });
      await items.deleteOne({ _id: 3 as never }, { session });
      expect(
        await ids({
          min: { _id: 2 },
          max: { _id: 4 },
          hint: { _id: 1 },
          sort: { _id: 1 },
          session,
        }),
      ).toEqual([2, 2.5]);
      expect(await ids({ min: { _id: 3 }, max: { _id: 4 }, hint: { _id: 1 }, session })).toEqual([]);
    } finally {
      await session.abortTransaction();
      await session.endSession();
    }
  });

  it('are told by explain', async () => {
    const plan = await harness.db
      .collection('items')
      .find({}, { min: { _id: 2 }, max: { _id: 4 }, hint: { _id: 1 } })
      .explain('executionStats');
    expect(plan).toMatchObject({
      queryPlanner: { winningPlan: { inputStage: { indexName: '_id_' } } },
      executionStats: { nReturned: 2 },
    });
  });

  it.each([
    ['without an index to read', 51173, { min: { a: 1 } }],
    ['with an index that is not there', 2, { min: { a: 1 }, hint: { c: 1 } }],
    ['in the natural order', 291, { min: { _id: 1 }, hint: { $natural: 1 } }],
    ['with fewer fields than the index', 51174, { min: { a: 1 }, hint: { a: 1, b: -1 } }],
    ['with the fields of the index in another order', 51174, { min: { b: 1, a: 1 }, hint: { a: 1, b: -1 } }],
    ['of an index of all fields', 51174, { min: { a: 2 }, hint: { '$**': 1 } }],
    ['of an index of hashes', 51174, { min: { b: 2 }, hint: { b: 'hashed' } }],
    ['with texts that another collation compares', 51174, { min: { a: 1, b: 'x' }, hint: { a: 1, b: -1 }, collation: { locale: 'en' } }],
    ['with the greater key first', 51175, { min: { _id: 4 }, max: { _id: 2 }, hint: { _id: 1 } }],
    ['with the same key twice', 51175, { min: { _id: 4 }, max: { _id: 4 }, hint: { _id: 1 } }],
    ['against the direction of the index', 51175, { min: { a: 2, b: 'a' }, max: { a: 2, b: 'b' }, hint: { a: 1, b: -1 } }],
    ['with different fields', 51176, { min: { _id: 4 }, max: { a: 2 }, hint: { _id: 1 } }],
  ])('are refused %s', async (_what, expected, options) => {
    expect(await code({ find: 'items', ...options })).toBe(expected);
  });

  it('find what comparing the keys of each document finds', async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    const words = ['a', 'ab', 'b', 'B', ''];
    const value = (): unknown => (random.oneIn(3) ? random.pick(words) : random.below(5));
    const rank = (entry: unknown): number => (typeof entry === 'number' ? 0 : 1);
    const order = (a: unknown, b: unknown): number =>
      rank(a) - rank(b) || Number((a as number) > (b as number)) - Number((a as number) < (b as number));
    for (let round = 0; round < ROUNDS; round++) {
      const items = harness.db.collection(`between${String(round)}`);
      const directions = { a: random.oneIn(2) ? 1 : -1, b: random.oneIn(2) ? 1 : -1 } as const;
      const inIndex = (x: Document, y: Document): number => order(x.a, y.a) * directions.a || order(x.b, y.b) * directions.b;
      const docs: Document[] = Array.from({ length: 30 }, (_, _id) => ({
        _id,
        a: value(),
        b: value(),
      }));
      await items.insertMany(docs);
      await items.createIndex(directions);
      for (let n = 0; n < 10; n++) {
        const [one, other]: [Document, Document] = [
          { a: value(), b: value() },
          { a: value(), b: value() },
        ];
        const [min, max] = inIndex(one, other) > 0 ? [other, one] : [one, other];
        if (inIndex(min, max) === 0) continue;
        const options = {
          hint: directions,
          ...(random.oneIn(4) ? {} : { min }),
          ...(random.oneIn(4) ? {} : { max }),
        };
        if (!('min' in options) && !('max' in options)) continue;
        const wanted = docs
          .filter((doc) => !('min' in options && inIndex(min, doc) > 0) && !('max' in options && inIndex(doc, max) >= 0))
          .sort(inIndex);
        const found = await items.find({}, options).toArray();
        expect(found.map(({ a, b }: Document) => ({ a, b }) as Document)).toEqual(wanted.map(({ a, b }) => ({ a, b }) as Document));
        variety.tried(JSON.stringify([round, options]));
        variety.took('min' in options ? ('max' in options ? 'both' : 'min') : 'max');
        variety.took(wanted.length === 0 ? 'none' : 'some');
      }
    }
    console.log(variety.report('KEYS_SEED', SEED));
    variety.expect(ROUNDS * 7, { both: ROUNDS * 3, min: ROUNDS, max: ROUNDS, some: ROUNDS * 5 });
  });
});

describe('returnKey', () => {
  const keys = (command: Document): Promise<unknown> =>
    harness.db.command({ find: 'items', returnKey: true, ...command }).then(({ cursor }) => (cursor as { firstBatch: unknown }).firstBatch);

  it('sends the key of the index instead of the document', async () => {
    expect(await keys({ filter: { a: 2 }, projection: { _id: 1 } })).toEqual([
      { a: 2, b: 'z' },
      { a: 2, b: 'y' },
    ]);
    expect(await keys({ filter: { _id: 3 } })).toEqual([{ _id: 3 }]);
    expect(await keys({ filter: {}, hint: { a: 1, b: -1 }, limit: 1 })).toEqual([{ a: null, b: 'v' }]);
  });

  it('sends of an array the element that was found', async () => {
    expect(await keys({ filter: { a: 9 } })).toEqual([{ a: 9, b: 'w' }]);
    expect(await keys({ filter: { a: { $gte: 0, $lt: 1 } } })).toEqual([{ a: 0, b: 'w' }]);
  });

  it('sends the hash that an index of hashes has', async () => {
    const [wanted] = await harness.db
      .collection('items')
      .aggregate([{ $match: { _id: 4 } }, { $project: { _id: 0, b: { $toHashedIndexKey: '$missing' } } }])
      .toArray();
    expect(await keys({ filter: { b: null }, hint: { b: 'hashed' } })).toEqual([wanted]);
  });

  it('sends nothing of what no index found', async () => {
    expect(await keys({ filter: { _id: { $ne: 1 } }, hint: { $natural: 1 }, limit: 2 })).toEqual([{}, {}]);
  });
});

describe('showRecordId', () => {
  it('adds the number of the document, as a long', async () => {
    const found = await harness.db
      .collection('items')
      .find({}, { showRecordId: true, promoteLongs: false, projection: { _id: 1 } })
      .toArray();
    const numbers = found.map(({ $recordId }) => $recordId as { _bsontype: string; toNumber(): number });
    expect(numbers.map(({ _bsontype }) => _bsontype)).toEqual(Array(6).fill('Long'));
    expect(new Set(numbers.map((number) => number.toNumber())).size).toBe(6);
  });

  it('adds nothing to keys', async () => {
    const { cursor } = await harness.db.command({ find: 'items', filter: { _id: 3 }, returnKey: true, showRecordId: true });
    expect((cursor as Document).firstBatch).toEqual([{ _id: 3 }]);
  });
});

describe('$meta', () => {
  it('tells a pipeline the key of the index and the number of the document', async () => {
    const pipeline = [{ $match: { a: 2 } }, { $project: { key: { $meta: 'indexKey' }, record: { $type: { $meta: 'recordId' } } } }];
    expect(await harness.db.collection('items').aggregate(pipeline).toArray()).toEqual([
      { _id: 3, key: { a: 2, b: 'z' }, record: 'long' },
      { _id: 2, key: { a: 2, b: 'y' }, record: 'long' },
    ]);
  });

  it('tells a find the key of the index, and nothing where there is none', async () => {
    const projection = { key: { $meta: 'indexKey' } };
    expect(await harness.db.collection('items').findOne({ _id: 3 as never }, { projection })).toMatchObject({ b: 'z', key: { _id: 3 } });
    expect(await harness.db.collection('items').findOne({}, { projection, hint: { $natural: 1 } })).not.toHaveProperty('key');
  });
});

it.each([
  ['min', { min: { _id: 1 }, hint: { _id: 1 } }],
  ['max', { max: { _id: 1 }, hint: { _id: 1 } }],
  ['returnKey', { returnKey: true }],
  ['showRecordId', { showRecordId: true }],
])('a view does not take %s', async (_name, options) => {
  expect(await code({ find: 'view', ...options })).toBe(168);
});

it('what waits at the end of a capped collection does not take min', async () => {
  expect(await code({ find: 'log', tailable: true, min: { _id: 1 }, hint: { _id: 1 } })).toBe(2);
});
