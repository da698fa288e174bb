import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

  it('is refused where it doubles at each level', async () => {
    const doubled = { $reduce: { input: { $range: [0, 60] }, initialValue: {}, in: { a: '$$value', b: '$$value' } } };
    await expect(harness.db.aggregate([{ $documents: [{}] }, { $project: { doubled } }]).toArray()).rejects.toMatchObject({ code: 10334 });
  });

  it.each([
    ['compared', { $eq: ['$$one', '$$other'] }],
    ['grouped by', { $size: { $setUnion: [['$$one']] } }],
  ])('keeps to the time of the command where it is %s', async (_how, expression) => {
    const doubled = { $reduce: { input: { $range: [0, 40] }, initialValue: {}, in: { a: '$$value', b: '$$value' } } };
    const asked = harness.db.aggregate(
      [{ $documents: [{ start: {} }] }, { $project: { value: { $let: { vars: { one: doubled, other: doubled }, in: expression } } } }],
      { maxTimeMS: 1000 },
    );
    await expect(asked.toArray()).rejects.toMatchObject({ code: 50 });
  });
});
