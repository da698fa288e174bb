import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await start();
});

afterAll(async () => {
  await harness.stop();
});

describe('one value many times over', () => {
  it('is refused before it has room in memory', async () => {
    const large = harness.db.aggregate([
      { $documents: [{ text: 'x'.repeat(1_000_000) }] },
      { $project: { many: { $map: { input: { $range: [0, 100_000] }, in: '$text' } } } },
    ]);
    await expect(large.toArray()).rejects.toMatchObject({ code: 10334 });
    expect(await harness.db.aggregate([{ $documents: [{ a: 1 }] }]).toArray()).toEqual([{ a: 1 }]);
  });

  it('is refused where it doubles at each level, as soon as it is too large', async () => {
    const doubled = { $reduce: { input: { $range: [0, 60] }, initialValue: {}, in: { a: '$$value', b: '$$value' } } };
    const asked = harness.db.aggregate([{ $documents: [{}] }, { $project: { doubled } }]).toArray();
    await expect(asked).rejects.toThrow('what was made has more than 17825792 bytes');
    await expect(asked).rejects.toMatchObject({ code: 10334 });
  });

  it.each([
    ['compared', { $eq: ['$$one', '$$other'] }],
    ['grouped by', { $size: { $setUnion: [['$$one']] } }],
  ])('keeps to the time of the command where it is %s', async (_how, expression) => {
    const doubled = { $reduce: { input: { $range: [0, 40] }, initialValue: {}, in: { a: '$$value', b: '$$value' } } };
    const asked = harness.db.aggregate(
      [{ $documents: [{ start: {} }] }, { $project: { value: { $let: { vars: { one: doubled, other: doubled }, in: expression } } } }],
      { maxTimeMS: 200 },
    );
    await expect(asked.toArray()).rejects.toMatchObject({ code: 50 });
  });

  it('ends no process where a document is sorted by what it has many times over', async () => {
    const pipeline = [
      { $documents: [{ numbers: { $range: [0, 1_000_000] } }] },
      { $project: { many: { $map: { input: { $range: [0, 400] }, in: { a: '$numbers' } } } } },
      { $sort: { 'many.a': 1 } },
    ];
    await expect(harness.db.aggregate(pipeline).toArray()).rejects.toMatchObject({ code: 146 });
    expect(await harness.db.aggregate([{ $documents: [{ a: 1 }] }]).toArray()).toEqual([{ a: 1 }]);
  });

  const twice = { $reduce: { input: { $range: [0, 50] }, initialValue: {}, in: { a: '$$value', b: '$$value' } } };
  const lists = { $reduce: { input: { $range: [0, 50] }, initialValue: { k: 1 }, in: { a: ['$$value', '$$value'] } } };
  const deep = `many${'.a'.repeat(30)}`;
  /** What says that it is too large, in the place of 292. */
  const OF_STAGE: Readonly<Record<string, number>> = { 'handed over': 4031700, pushed: 146, 'kept by its order': 146 };
  it.each<[string, Document[], object?]>([
    ['sent', []],
    ['hashed', [{ $project: { hash: { $toHashedIndexKey: '$many' } } }]],
    ['measured', [{ $project: { size: { $bsonSize: '$many' } } }]],
    ['pushed', [{ $group: { _id: 1, all: { $push: '$many' } } }]],
    ['sorted', [{ $sort: { many: 1 } }]],
    ['kept by its order', [{ $group: { _id: 1, first: { $topN: { n: 1, sortBy: { many: 1 }, output: 1 } } } }]],
    ['handed over', [{ $facet: { all: [{ $match: {} }] } }]],
    ['divided', [{ $setWindowFields: { partitionBy: '$many', output: { count: { $count: {} } } } }]],
    ['stored', [{ $out: 'stored' }]],
    ['gone into', [{ $redact: '$$DESCEND' }]],
    ['compared in lists', [{ $project: { same: { $eq: ['$many', '$other'] } } }], lists],
    ['grouped by in lists', [{ $group: { _id: '$many' } }], lists],
    ['read', [{ $project: { part: `$${deep}` } }], lists],
    ['set', [{ $set: { [deep]: 1 } }], lists],
    ['shown in part', [{ $project: { [deep]: 1 } }], lists],
    ['taken out', [{ $unset: deep }], lists],
    ['looked for', [{ $match: { [deep]: 5 } }], lists],
    ['sorted by a part', [{ $sort: { [deep]: 1 } }], lists],
  ])('ends with an error in its time where it is %s', async (how, stages, value = twice) => {
    const pipeline = [{ $documents: [{ n: 1 }] }, { $set: { many: value, other: value } }, ...stages];
    const ended: unknown = await harness.db
      .aggregate(pipeline, { maxTimeMS: 40 })
      .toArray()
      .catch((error: unknown) => error);
    // The time is over, it is too large for its stage, or to be a document.
    expect(ended).toMatchObject({ code: expect.any(Number) });
    expect([50, OF_STAGE[how] ?? 292, 10334]).toContain((ended as { code: number }).code);
  });
});
