import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Decimal128, Long } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await start();
});

afterAll(async () => {
  await harness.stop();
});

/** @returns what an expression gives for a document */
async function valueOf(expression: unknown, doc: Record<string, unknown> = {}): Promise<unknown> {
  const [row] = await harness.db.aggregate([{ $documents: [doc] }, { $project: { value: expression } }]).toArray();
  return row?.value as unknown;
}

const LIST = { list: [1, 2, 3] };

describe('arguments of operators', () => {
  it.each(['$firstN', '$lastN', '$minN', '$maxN'])('%s takes a count above zero only', async (operator) => {
    const of = (n: unknown): Promise<unknown> => valueOf({ [operator]: { input: '$list', n } }, LIST);
    await expect(of(0)).rejects.toMatchObject({ code: 5787908 });
    await expect(of(-1)).rejects.toMatchObject({ code: 5787908 });
    await expect(of(1.5)).rejects.toMatchObject({ code: 5787903 });
    await expect(of('1')).rejects.toMatchObject({ code: 5787902 });
    expect(await of(Long.fromNumber(2 ** 40))).toHaveLength(3);
  });

  it('are integers of 32 bits for $arrayElemAt and $slice', async () => {
    const wide = Long.fromString('9007199254740993');
    await expect(valueOf({ $arrayElemAt: ['$list', wide] }, LIST)).rejects.toMatchObject({ code: 28691 });
    await expect(valueOf({ $arrayElemAt: ['$list', 'x'] }, LIST)).rejects.toMatchObject({ code: 28690 });
    await expect(valueOf({ $slice: ['$list', wide] }, LIST)).rejects.toMatchObject({ code: 28726 });
    await expect(valueOf({ $slice: ['$list', 'x'] }, LIST)).rejects.toMatchObject({ code: 28725 });
    await expect(valueOf({ $slice: ['$list', 0, 1.5] }, LIST)).rejects.toMatchObject({ code: 28728 });
    await expect(valueOf({ $slice: ['$list', 0, 'x'] }, LIST)).rejects.toMatchObject({ code: 28727 });
    expect(await valueOf({ $slice: ['$list', -0, 2] }, LIST)).toEqual([1, 2]);
  });

  it('make the result null where one that is written is missing', async () => {
    expect(await valueOf({ $slice: ['$list', 1, '$missing'] }, LIST)).toBeNull();
    expect(await valueOf({ $round: [1.55, '$missing'] })).toBeNull();
    expect(await valueOf({ $trunc: [1.55, '$missing'] })).toBeNull();
  });

  it('count as true unless they are zero, however small', async () => {
    expect(await valueOf({ $cond: ['$small', 'true', 'false'] }, { small: Decimal128.fromString('1E-400') })).toBe('true');
    expect(await valueOf({ $cond: ['$small', 'true', 'false'] }, { small: Decimal128.fromString('0E-400') })).toBe('false');
  });
});

describe('percentiles', () => {
  it('leave out what is no number', async () => {
    const list = [3, Number.NaN, 1, 2, Number.NaN];
    expect(await valueOf({ $median: { input: '$list', method: 'approximate' } }, { list })).toBe(2);
    const [row] = await harness.db
      .aggregate([
        { $documents: list.map((n) => ({ n })) },
        { $group: { _id: null, all: { $percentile: { input: '$n', p: [0, 0.5, 1], method: 'approximate' } } } },
      ])
      .toArray();
    expect(row?.all).toEqual([1, 2, 3]);
  });
});

describe('$graphLookup', () => {
  it('follows a list of very many values', async () => {
    const nodes = harness.db.collection<{ _id: number; to: number[] }>('nodes');
    await nodes.insertMany([
      { _id: 1, to: Array.from({ length: 200_000 }, (_unused, at) => at + 2) },
      { _id: 2, to: [] },
    ]);
    const [row] = await harness.db
      .aggregate([
        { $documents: [{ start: 1 }] },
        { $graphLookup: { from: 'nodes', startWith: '$start', connectFromField: 'to', connectToField: '_id', as: 'found' } },
        { $project: { found: { $size: '$found' } } },
      ])
      .toArray();
    expect(row).toEqual({ found: 2 });
  });
});
