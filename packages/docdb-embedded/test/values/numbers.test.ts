import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Decimal128, type Document, Double, Int32, Long } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const RAW = { promoteValues: false, promoteLongs: false };
const LARGEST = Long.fromString('9223372036854775807');

/** What an expression gives, with its type. */
async function evaluated(expression: unknown): Promise<unknown> {
  const [doc] = await harness.db.aggregate([{ $documents: [{}] }, { $project: { value: expression } }], RAW).toArray();
  return doc?.value as unknown;
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'nothing failed',
    (error: unknown) => Number(String((error as { code?: unknown }).code)),
  );
}

describe('numbers', () => {
  const numbers = (): ReturnType<Harness['db']['collection']> => harness.db.collection('numbers');
  beforeEach(async () => {
    await numbers().deleteMany({});
  });

  it('past 64 bits are refused by $inc and $mul, and the document stays', async () => {
    await numbers().insertOne({ n: LARGEST });
    expect(await failure(numbers().updateOne({}, { $inc: { n: 1 } }))).toBe(2);
    expect(await failure(numbers().updateOne({}, { $mul: { n: Long.fromNumber(2) } }))).toBe(2);
    expect(await numbers().findOne({}, { ...RAW, projection: { _id: 0 } })).toEqual({ n: LARGEST });
  });

  it('are summed without what each addition loses, on the way too', async () => {
    await numbers().insertMany(Array.from({ length: 1000 }, () => ({ v: 0.1 })));
    const [group] = await numbers()
      .aggregate([{ $group: { _id: null, sum: { $sum: '$v' }, mean: { $avg: '$v' } } }])
      .toArray();
    expect(group).toEqual({ _id: null, sum: 100, mean: 0.1 });
    const [ints] = await numbers()
      .aggregate([{ $limit: 1 }, { $project: { _id: 0, sum: { $sum: [LARGEST, new Int32(1), new Int32(-1)] } } }], RAW)
      .toArray();
    expect(ints).toEqual({ sum: LARGEST });
  });

  it('of too many digits for the type are refused', async () => {
    expect(await failure(evaluated({ $toLong: Decimal128.fromString('9.999999999999999999999999999999999E+6144') }))).toBe(241);
    expect(await failure(evaluated({ $toInt: new Double(2147483648) }))).toBe(241);
    expect(await evaluated({ $toLong: Decimal128.fromString('9223372036854775807.9') })).toEqual(LARGEST);
    expect(await failure(evaluated({ $abs: Long.fromString('-9223372036854775808') }))).toBe(28680);
  });

  it('keep 64 bits where they are rounded, and the sign of zero', async () => {
    expect(await evaluated({ $ceil: LARGEST })).toEqual(LARGEST);
    expect(await evaluated({ $round: [LARGEST, 2] })).toEqual(LARGEST);
    expect(String(await evaluated({ $round: Decimal128.fromString('-0.5') }))).toBe('-0');
    expect(await evaluated({ $toString: new Double(-0) })).toBe('-0');
  });

  it('become bytes and come back', async () => {
    for (const [value, to] of [
      [new Int32(-2), 'int'],
      [LARGEST, 'long'],
      [new Double(1.5), 'double'],
    ] as const)
      for (const byteOrder of ['little', 'big']) {
        const bytes = { $convert: { input: value, to: 'binData', byteOrder } };
        expect(await evaluated({ $convert: { input: bytes, to, byteOrder } })).toEqual(value);
      }
  });
});

describe('an hour that comes twice', () => {
  it('counts twice between dates', async () => {
    const expression = (unit: string): Document => ({
      $dateDiff: {
        startDate: new Date('2021-11-07T05:00:00Z'),
        endDate: new Date('2021-11-07T07:00:00Z'),
        unit,
        timezone: 'America/New_York',
      },
    });
    expect(await evaluated(expression('hour'))).toEqual(Long.fromNumber(2));
    expect(await evaluated(expression('day'))).toEqual(Long.fromNumber(0));
  });

  it('is in a zone that is named as the list of zones does', async () => {
    expect(await failure(evaluated({ $hour: { date: new Date(0), timezone: 'america/new_york' } }))).toBe(40485);
  });

  it('is read from a text of digits without trying each way to divide them', async () => {
    const format = '%d'.repeat(200);
    expect(await failure(evaluated({ $dateFromString: { dateString: `${'1'.repeat(399)}x`, format } }))).toBe(241);
  });
});
