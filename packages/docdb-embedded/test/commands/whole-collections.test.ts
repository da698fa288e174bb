import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start } from '../harness.ts';
import { answeredDuring } from '../turns.ts';

const COUNT = 110;
let running: Awaited<ReturnType<typeof start>>;

/** More than the 100 MB that a stage may keep. */
beforeAll(async () => {
  running = await start();
  for (let first = 0; first < COUNT; first += 10)
    await running.db
      .collection('large')
      .insertMany(Array.from({ length: 10 }, (_none, at) => ({ _id: (first + at) as never, n: first + at, text: 'x'.repeat(1_000_000) })));
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

it('each document is as likely to be chosen as others', async () => {
  const times = new Map<number, number>();
  await running.db.collection('ten').insertMany(Array.from({ length: 10 }, (_none, n) => ({ n })));
  for (let round = 0; round < 1000; round++)
    for (const { n } of await running.db
      .collection('ten')
      .aggregate<{ n: number }>([{ $sample: { size: 3 } }])
      .toArray())
      times.set(n, (times.get(n) ?? 0) + 1);
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
  await many.insertMany(Array.from({ length: 60_000 }, (_none, n) => ({ n, text: 'x'.repeat(100) })));
  const explained = (): Promise<Document> => many.find({}).sort({ n: 1, text: -1 }).explain('executionStats');
  const { result, answered } = await answeredDuring(running.db, explained);
  expect(result).toMatchObject({ executionStats: { nReturned: 60_000 } });
  expect(answered).toBeGreaterThan(100);
});
