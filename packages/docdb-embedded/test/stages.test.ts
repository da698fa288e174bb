import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
});

async function failure(pipeline: Document[], collection = 'from'): Promise<unknown> {
  return harness.db
    .collection(collection)
    .aggregate(pipeline)
    .toArray()
    .then(
      () => 'nothing failed',
      (error: unknown) => (error as { code?: unknown }).code,
    );
}

const into = (): Promise<Document[]> => harness.db.collection('into').find({}).sort({ _id: 1 }).toArray();

describe('$merge', () => {
  it('writes all documents but those that do not fit', async () => {
    await harness.db.collection('from').insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }] as never[]);
    await harness.db.collection('into').insertOne({ _id: 2, old: true } as never);
    expect(await failure([{ $sort: { _id: 1 } }, { $merge: { into: 'into', whenMatched: 'fail' } }])).toBe(11000);
    expect(await into()).toEqual([{ _id: 1 }, { _id: 2, old: true }, { _id: 3 }]);
  });

  it('works out its variables for each document', async () => {
    await harness.db.collection('from').insertOne({ _id: 1, a: 10 } as never);
    await harness.db.collection('into').insertOne({ _id: 1, x: 99 } as never);
    const merge = { into: 'into', let: { twice: { $multiply: ['$a', 2] } }, whenMatched: [{ $set: { got: '$$twice', own: '$$new.a' } }] };
    await harness.db
      .collection('from')
      .aggregate([{ $merge: merge }])
      .toArray();
    expect(await into()).toEqual([{ _id: 1, x: 99, got: 20, own: 10 }]);
  });

  it('refuses to write where there is a view', async () => {
    await harness.db.collection('from').insertOne({ a: 1 });
    await harness.db.createCollection('view', { viewOn: 'from', pipeline: [] });
    expect(await failure([{ $merge: { into: 'view' } }])).toBe(166);
  });
});

describe('a pipeline', () => {
  it('that tells what search indexes there are reads no state of a snapshot', async () => {
    const session = harness.client.startSession({ snapshot: true });
    await expect(harness.db.collection('any').listSearchIndexes({ session }).toArray()).rejects.toMatchObject({
      code: 72,
      errmsg: expect.stringContaining('Current readConcern: snapshot'),
    });
    await session.endSession();
    await expect(harness.db.collection('any').listSearchIndexes().toArray()).rejects.toMatchObject({ code: 31082 });
  });

  it.each([[1], [null], ['$match']])('says that a stage is a document and not %j', async (stage) => {
    const command = { aggregate: 'from', pipeline: [{ $match: {} }, stage], cursor: {} };
    await expect(harness.db.command(command)).rejects.toMatchObject({
      code: 14,
      errmsg: "Each element of the 'pipeline' array must be an object",
    });
  });

  it('has its first stages checked where they become a query', async () => {
    await harness.db.collection('from').insertOne({ a: 1 });
    expect(await failure([{ $match: {} }, { $collStats: {} }])).toBe(40602);
    expect(await failure([{ $sort: {} }])).toBe(15976);
  });

  it('is not followed into more pipelines than a server follows', async () => {
    await harness.db.collection('from').insertOne({ a: 1 });
    let pipeline: Document[] = [];
    for (let depth = 0; depth < 21; depth++) pipeline = [{ $unionWith: { coll: 'from', pipeline } }];
    expect(await failure(pipeline)).toBe(232);
    expect(await failure(Array.from({ length: 1001 }, () => ({ $match: {} })))).toBe(7749501);
  });

  it('nested too deeply is answered, and the connection goes on', async () => {
    let deep: Document = {};
    for (let depth = 0; depth < 220; depth++) deep = { a: deep };
    expect(await failure([{ $replaceRoot: { newRoot: deep } }])).toBe(15);
    expect(await harness.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  it('with what this database has not is refused and writes nothing', async () => {
    await harness.db.collection('from').insertOne({ at: new Date(0) });
    expect(await failure([{ $out: { db: 'test', coll: 'into', timeseries: { timeField: 'at' } } }])).toBe(72);
    expect(await into()).toEqual([]);
  });
});

describe('$densify and $fill', () => {
  it('make the documents between others, and fill what they lack', async () => {
    const day = (number: number): Date => new Date(Date.UTC(2024, 0, number));
    await harness.db.collection('from').insertMany([
      { _id: 1, room: 'a', at: day(1), warm: 10 },
      { _id: 2, room: 'a', at: day(4), warm: 16 },
      { _id: 3, room: 'b', at: day(2), warm: 5 },
    ] as never[]);
    const rows = await harness.db
      .collection('from')
      .aggregate([
        { $densify: { field: 'at', partitionByFields: ['room'], range: { step: 1, unit: 'day', bounds: 'partition' } } },
        { $fill: { partitionByFields: ['room'], sortBy: { at: 1 }, output: { warm: { method: 'linear' }, _id: { value: 'made' } } } },
      ])
      .toArray();
    expect(rows).toEqual([
      { _id: 1, room: 'a', at: day(1), warm: 10 },
      { _id: 'made', room: 'a', at: day(2), warm: 12 },
      { _id: 'made', room: 'a', at: day(3), warm: 14 },
      { _id: 2, room: 'a', at: day(4), warm: 16 },
      { _id: 3, room: 'b', at: day(2), warm: 5 },
    ]);
  });

  it('make no more than a server makes, and refuse what has no steps', async () => {
    await harness.db.collection('from').insertMany([{ n: 0 }, { n: 1e9 }]);
    const densify = (range: Document): Document[] => [{ $densify: { field: 'n', range } }];
    expect(await failure(densify({ step: 1, bounds: 'full' }))).toBe(5897900);
    expect(await failure(densify({ step: 0, bounds: 'full' }))).toBe(5733401);
    expect(await failure(densify({ step: 1, unit: 'day', bounds: 'full' }))).toBe(6053600);
    const days = { step: 1, unit: 'millisecond', bounds: [new Date(0), new Date(1e12)] };
    expect(await failure([...densify(days).map(({ $densify }) => ({ $densify: { ...$densify, field: 'day' } }))])).toBe(5897900);
    expect(await failure([{ $fill: { output: { n: { method: 'best' } } } }])).toBe(6050202);
  });
});

describe('$graphLookup', () => {
  it.each<[string, Document, number]>([
    ['a depth that is no number', { maxDepth: 'x' }, 40100],
    ['a depth below 0', { maxDepth: -1 }, 40101],
    ['a depth with a fraction', { maxDepth: 1.5 }, 40102],
    ['a field of depths that is no text', { depthField: 1 }, 40103],
    ['a restriction that is no filter', { restrictSearchWithMatch: 'x' }, 40185],
  ])('is refused with %s', async (_what, more, code) => {
    const spec = { from: 'from', startWith: '$a', connectFromField: 'a', connectToField: 'b', as: 'found', ...more };
    expect(await failure([{ $graphLookup: spec }])).toBe(code);
  });
});

describe('buckets', () => {
  const output = { letters: { $addToSet: { $toLower: '$t' } } };

  it.each<[string, Document]>([
    ['$bucket', { $bucket: { groupBy: '$t', boundaries: ['a', 'b', 'c'], default: 'none', output } }],
    ['$bucketAuto', { $bucketAuto: { groupBy: '$t', buckets: 2, output } }],
  ])('of %s compare texts by the collation of the command', async (_name, stage) => {
    await harness.db.collection('from').insertMany([{ t: 'A' }, { t: 'a' }, { t: 'B' }, { t: 'b' }]);
    const found = await harness.db
      .collection('from')
      .aggregate([stage], { collation: { locale: 'en', strength: 2 } })
      .toArray();
    expect(found.map(({ letters }) => letters as unknown)).toEqual([['a'], ['b']]);
  });
});
