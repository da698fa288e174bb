import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { start, type Harness } from '../harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await start();
});

afterAll(async () => {
  await harness.stop();
});

/** @returns the rows that a projection of one field gives for a document */
async function rowOf(expression: unknown, doc: Record<string, unknown> = {}): Promise<unknown> {
  const [row] = await harness.db.aggregate([{ $documents: [doc] }, { $project: { value: expression } }]).toArray();
  return row;
}

describe('paths where CURRENT is bound', () => {
  const doc = { a: 1, x: { a: 7, b: { c: 8 } }, list: [{ a: 5 }, { a: 6 }] };

  it('begin at what it is bound to', async () => {
    expect(await rowOf({ $let: { vars: { CURRENT: '$x' }, in: ['$a', '$b.c', '$$CURRENT.a', '$$ROOT.a'] } }, doc)).toEqual({
      value: [7, 8, 7, 1],
    });
    expect(await rowOf({ $map: { input: '$list', as: 'CURRENT', in: '$a' } }, doc)).toEqual({ value: [5, 6] });
    expect(await rowOf({ $let: { vars: { CURRENT: '$missing' }, in: { $ifNull: ['$a', 'none'] } } }, doc)).toEqual({ value: 'none' });
  });

  it('see the document outside of it', async () => {
    expect(await rowOf({ $add: ['$a', { $let: { vars: { CURRENT: '$x' }, in: '$a' } }] }, doc)).toEqual({ value: 8 });
  });

  it('find fields of stored documents', async () => {
    const stored = harness.db.collection('stored');
    await stored.insertOne({ ...doc });
    const rows = await stored
      .aggregate([{ $group: { _id: null, all: { $sum: { $let: { vars: { CURRENT: '$x' }, in: '$a' } } } } }])
      .toArray();
    expect(rows).toEqual([{ _id: null, all: 7 }]);
  });
});

describe('dates', () => {
  it.each(['$toUpper', '$toLower'])('of years that have no four digits are no text: %s', async (operator) => {
    for (const at of [new Date(8e15), new Date(-1e15)])
      await expect(rowOf({ [operator]: '$at' }, { at })).rejects.toMatchObject({ code: 18537 });
    expect(await rowOf({ $substrBytes: ['$at', 0, 10] }, { at: new Date(0) })).toEqual({ value: '1970-01-01' });
  });

  it('are left out where what stands for null is missing', async () => {
    expect(await rowOf({ $dateToString: { date: null, onNull: '$$REMOVE' } })).toEqual({});
    expect(await rowOf({ $dateFromString: { dateString: '$missing', onNull: '$$REMOVE' } })).toEqual({});
    expect(await rowOf({ $dateToString: { date: '$missing' } })).toEqual({ value: null });
    expect(await rowOf({ $dateFromString: { dateString: null } })).toEqual({ value: null });
  });
});

describe('parameters', () => {
  it('have no names that every object has', async () => {
    await expect(rowOf({ $filter: { input: [1], cond: true, toString: 1 } })).rejects.toMatchObject({ code: 28647 });
    await expect(rowOf({ $cond: { if: true, then: 1, else: 2, constructor: 3 } })).rejects.toMatchObject({ code: 17083 });
  });
});
