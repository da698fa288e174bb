import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start } from '../harness.ts';
import { answeredDuring } from '../turns.ts';
import { WireClient } from '../wire-client.ts';

const KINDS = 10;
const ALIKE = 11;
const COUNT = KINDS * ALIKE;
let running: Awaited<ReturnType<typeof start>>;

/** More than the 100 MB that a stage may keep. */
beforeAll(async () => {
  running = await start();
  const large = running.db.collection<{ _id: number }>('large');
  for (let part = 0; part < ALIKE; part++) {
    const first = part * KINDS;
    await large.insertMany(
      Array.from({ length: KINDS }, (_none, kind) => ({ _id: first + kind, n: first + kind, kind, part, text: 'x'.repeat(1_000_000) })),
    );
  }
});
afterAll(() => running.stop());

const made = (...pipeline: Document[]): Promise<Document[]> => running.db.collection('large').aggregate(pipeline).toArray();
const sum = { $group: { _id: null, n: { $sum: '$n' } } };
const all = (COUNT * (COUNT - 1)) / 2;

describe('what has no room in memory goes through', () => {
  it('the branches of a facet', async () => {
    const page = [{ $sort: { n: -1 } }, { $skip: 2 }, { $limit: 2 }, { $project: { n: 1 } }];
    expect(await made({ $facet: { page, total: [{ $count: 'n' }], sum: [sum], none: [{ $match: { n: -1 } }] } })).toEqual([
      {
        page: [
          { _id: 107, n: 107 },
          { _id: 106, n: 106 },
        ],
        total: [{ n: COUNT }],
        sum: [{ _id: null, n: all }],
        none: [],
      },
    ]);
  });

  it('a facet of which no branch wants all', async () => {
    const first = (n: number): Document[] => [{ $limit: n }, { $count: 'n' }];
    expect(await made({ $facet: { one: first(1), three: first(3) } })).toEqual([{ one: [{ n: 1 }], three: [{ n: 3 }] }]);
  });

  it('buckets', async () => {
    const output = { n: { $sum: '$n' }, documents: { $sum: 1 }, text: { $max: { $strLenBytes: '$text' } } };
    expect(await made({ $bucket: { groupBy: '$n', boundaries: [10, 50, 100], default: 'other', output } })).toEqual([
      { _id: 10, n: 1180, documents: 40, text: 1_000_000 },
      { _id: 50, n: 3725, documents: 50, text: 1_000_000 },
      { _id: 'other', n: all - 1180 - 3725, documents: 20, text: 1_000_000 },
    ]);
  });

  it.each([{ $out: 'written' }, { $merge: { into: 'written' } }])('what %j writes', async (stage) => {
    const written = running.db.collection('written');
    expect(await made(stage)).toEqual([]);
    expect(await written.aggregate([sum]).toArray()).toEqual([{ _id: null, n: all }]);
    await written.drop();
  });

  it('a choice by chance', async () => {
    const chosen = await made({ $sample: { size: 5 } }, { $project: { n: 1, text: { $strLenBytes: '$text' } } });
    expect(new Set(chosen.map(({ n }) => n as number)).size).toBe(5);
  });

  it('a choice by chance of all', async () => {
    const bytes = { $group: { _id: null, n: { $sum: '$n' }, bytes: { $sum: { $strLenBytes: '$text' } } } };
    expect(await made({ $sample: { size: 1000 } }, bytes)).toEqual([{ _id: null, n: all, bytes: COUNT * 1_000_000 }]);
  });
});

it('the documents that a union adds need no room in memory', async () => {
  await running.db.collection('one').insertOne({ n: 1000 });
  const counted = { $group: { _id: null, n: { $sum: '$n' }, documents: { $sum: 1 } } };
  expect(
    await running.db
      .collection('one')
      .aggregate([{ $unionWith: 'large' }, counted])
      .toArray(),
  ).toEqual([{ _id: null, n: 1000 + all, documents: COUNT + 1 }]);
});

const byKind = { partitionBy: '$kind', sortBy: { part: 1 } };

describe('documents that memory has no room for', () => {
  it('are told of the others of their partition, in the order that is asked for', async () => {
    const output = { at: { $documentNumber: {} } };
    const rows = await made({ $setWindowFields: { ...byKind, output } }, { $project: { kind: 1, part: 1, at: 1 } });
    expect(rows.map(({ at }) => Number(at))).toEqual(rows.map(({ part }) => Number(part) + 1));
    expect(rows.map(({ kind, part }) => Number(kind) * ALIKE + Number(part))).toEqual(
      Array.from({ length: ALIKE * KINDS }, (_none, at) => at),
    );
  });

  it('get the value of the document before by $fill', async () => {
    const some = { $set: { filled: { $cond: [{ $eq: ['$part', 0] }, '$kind', null] } } };
    const fill = { $fill: { ...byKind, output: { filled: { method: 'locf' } } } };
    expect(await made(some, fill, { $group: { _id: { $eq: ['$filled', '$kind'] }, n: { $sum: 1 } } })).toEqual([
      { _id: true, n: ALIKE * KINDS },
    ]);
  });

  it('get a value each by $fill', async () => {
    expect(
      await made({ $fill: { output: { other: { value: { $add: ['$kind', 1] } } } } }, { $group: { _id: null, n: { $sum: '$other' } } }),
    ).toEqual([{ _id: null, n: ALIKE * 55 }]);
  });

  it('are divided among buckets', async () => {
    expect(await made({ $bucketAuto: { groupBy: '$kind', buckets: 5 } })).toEqual(
      [0, 2, 4, 6, 8].map((min) => ({ _id: { min, max: Math.min(min + 2, 9) }, count: ALIKE * 2 })),
    );
  });

  it.each(['full', 'partition'])('have others between them where the bounds are those of %s', async (bounds) => {
    const densify = { $densify: { field: 'kind', partitionByFields: ['part'], range: { step: 0.5, bounds } } };
    expect(await made(densify, { $group: { _id: '$text', n: { $sum: 1 } } }, { $project: { _id: 0 } })).toEqual(
      expect.arrayContaining([{ n: ALIKE * KINDS }, { n: ALIKE * (KINDS - 1) }]),
    );
  });

  it('have others between them where nothing divides them', async () => {
    const densify = { $densify: { field: 'kind', range: { step: 0.5, bounds: 'full' } } };
    expect(await made(densify, { $group: { _id: null, n: { $sum: 1 } } })).toEqual([{ _id: null, n: ALIKE * KINDS + KINDS - 1 }]);
  });

  it('of one partition are refused', async () => {
    const all = { $setWindowFields: { sortBy: { part: 1 }, output: { at: { $documentNumber: {} } } } };
    await expect(made(all)).rejects.toMatchObject({ code: 292 });
  });
});

it('an expression that divides documents is asked once for each', async () => {
  const divided = { $setWindowFields: { partitionBy: { $rand: {} }, output: { alike: { $count: {} } } } };
  expect(await made(divided, { $group: { _id: '$alike', n: { $sum: 1 } } })).toEqual([{ _id: 1, n: ALIKE * KINDS }]);
});

it('each document is as likely to be chosen as others', async () => {
  const times = new Map<number, number>();
  await running.db.collection('ten').insertMany(Array.from({ length: 10 }, (_none, n) => ({ n })));
  const wire = await WireClient.connect(running.server);
  for (let round = 0; round < 1000; round++) {
    const { cursor } = await wire.ask('test', { aggregate: 'ten', pipeline: [{ $sample: { size: 3 } }], cursor: {} });
    for (const { n } of (cursor as { firstBatch: { n: number }[] }).firstBatch) times.set(n, (times.get(n) ?? 0) + 1);
  }
  wire.close();
  // 300 times on average, with a deviation of 14.5: seven of those.
  expect([...times.values()].filter((count) => count > 200 && count < 400)).toHaveLength(10);
});

describe('a facet', () => {
  it('fails with what one of its branches fails with', async () => {
    const failing = [{ $project: { n: { $divide: ['$n', { $subtract: ['$n', 5] }] } } }];
    await expect(made({ $facet: { fine: [sum], failing, ordered: [{ $sort: { n: -1 } }] } })).rejects.toMatchObject({ code: 2 });
  });

  it('keeps no more than its document may have', async () => {
    await expect(made({ $facet: { all: [{ $match: {} }] } })).rejects.toMatchObject({ code: 4031700 });
  });
});

it('others have their turn while a query is explained', async () => {
  const many = running.db.collection('many');
  await many.insertMany(Array.from({ length: 15_000 }, (_none, n) => ({ n, text: 'x'.repeat(100) })));
  const explained = (): Promise<Document> => many.find({}).sort({ n: 1, text: -1 }).explain('executionStats');
  const { result, answered } = await answeredDuring(running.db, explained);
  expect(result).toMatchObject({ executionStats: { nReturned: 15_000 } });
  expect(answered).toBeGreaterThan(100);
});
