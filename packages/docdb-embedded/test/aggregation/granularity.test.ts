import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Decimal128, Double, Long } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

/** The bounds of the buckets that values fall into, as text, each with how many they are. */
async function buckets(values: readonly unknown[], granularity: string, count = 5): Promise<unknown[]> {
  const docs = harness.db.collection('numbers');
  await docs.deleteMany({});
  await docs.insertMany(values.map((v) => ({ v })));
  const rows = await docs.aggregate([{ $bucketAuto: { groupBy: '$v', buckets: count, granularity } }]).toArray();
  return rows.map(({ _id, count: n }) => [String(_id.min), String(_id.max), n]);
}

const hundred = Array.from({ length: 100 }, (_none, n) => n);

describe('$bucketAuto with a granularity', () => {
  it.each([
    ['R5', ['0 25 25', '25 63 38', '63 100 37']],
    ['R20', ['0 20 20', '20 40 20', '40 63 23', '63 90 27', '90 100 10']],
    ['R80', ['0 19.5 20', '19.5 41.2 22', '41.2 61.5 20', '61.5 82.5 21', '82.5 103 17']],
    ['1-2-5', ['0 20 20', '20 50 30', '50 100 50']],
    ['E24', ['0 20 20', '20 43 23', '43 68 25', '68 91 23', '91 100 9']],
    ['POWERSOF2', ['0 32 32', '32 64 32', '64 128 36']],
  ])('ends buckets at numbers of the series %s', async (granularity, expected) => {
    expect((await buckets(hundred, granularity)).map((row) => (row as unknown[]).join(' '))).toEqual(expected);
  });

  it('rounds numbers of each type, however large or small', async () => {
    expect(await buckets([0.8, 0.5, new Double(8), 1000], 'POWERSOF2', 4)).toEqual([
      ['0.25', '1', 2],
      ['1', '16', 1],
      ['16', '1024', 1],
    ]);
    expect(await buckets([Long.MAX_VALUE, 1], '1-2-5', 2)).toEqual([
      ['0.5', '2', 1],
      ['2', '10000000000000000000', 1],
    ]);
    expect(await buckets([5e-324, 1.7e308], 'E6', 2)).toEqual([
      ['0', '1e-322', 1],
      ['1e-322', 'Infinity', 1],
    ]);
    expect(await buckets([Decimal128.fromString('0.03'), Decimal128.fromString('1E+6000')], '1-2-5', 2)).toEqual([
      ['0.020', '0.050', 1],
      ['0.050', '2.0E+6000', 1],
    ]);
  });

  it('begins the bucket behind one of zeros below its first number', async () => {
    expect(await buckets([0, 0, 5, 6], 'E6', 2)).toEqual([
      ['0', '4.7', 2],
      ['4.7', '6.800000000000001', 2],
    ]);
  });

  it.each([
    [40257, 1, 'R7'],
    [40258, 'a', 'R5'],
    [40258, null, 'R5'],
    [40259, NaN, 'R5'],
    [40260, -1, 'R5'],
    [11785400, Infinity, 'POWERSOF2'],
  ])('answers %d for %s with %s', async (code, value, granularity) => {
    await expect(buckets([value], granularity)).rejects.toMatchObject({ code });
  });
});
