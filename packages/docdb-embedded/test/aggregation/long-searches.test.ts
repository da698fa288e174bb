import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { start, type Harness } from '../harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await start();
});

afterAll(async () => {
  await harness.stop();
});

/** @returns what an expression gives for a document */
async function valueOf(expression: unknown, doc: Record<string, unknown>): Promise<unknown> {
  const [row] = await harness.db.aggregate([{ $documents: [doc] }, { $project: { value: expression } }], { maxTimeMS: 60_000 }).toArray();
  return row?.value as unknown;
}

const SOURCE = 'a'.repeat(600_000);
const LATE = `${'a'.repeat(300_000)}b`;
const EARLY = `b${'a'.repeat(300_000)}`;

describe('searches for long parts in long texts', () => {
  it.each(['$indexOfCP', '$indexOfBytes'])('%s takes no time that grows with the product of both', async (operator) => {
    expect(await valueOf({ [operator]: ['$source', '$part'] }, { source: SOURCE, part: LATE })).toBe(-1);
    expect(await valueOf({ [operator]: ['$source', '$part'] }, { source: `${SOURCE}b`, part: LATE })).toBe(300_000);
  });

  it('$split and $replaceAll take none either', async () => {
    expect(await valueOf({ $size: { $split: ['$source', '$part'] } }, { source: SOURCE, part: EARLY })).toBe(1);
    expect(
      await valueOf({ $replaceAll: { input: '$source', find: '$part', replacement: 'c' } }, { source: `a${EARLY}b`, part: EARLY }),
    ).toBe('acb');
  });

  it.each<[string, string, number[], number, number]>([
    ['aabaabaac', 'aabaac', [], 3, 3],
    ['ababab', 'abab', [1], 2, 2],
    ['ababab', 'abab', [0, 3], 0, -1],
    ['ä€aä€', 'ä€', [1], 3, 6],
    ['', '', [], 0, 0],
    ['abc', '', [1], 1, 1],
    ['abc', '', [3], -1, -1],
  ])('find the same as short ones: %p in %p', async (source, part, bounds, points, bytes) => {
    expect(await valueOf({ $indexOfCP: ['$source', '$part', ...bounds] }, { source, part })).toBe(points);
    expect(await valueOf({ $indexOfBytes: ['$source', '$part', ...bounds] }, { source, part })).toBe(bytes);
  });
  const long = 'xy'.repeat(50);

  it('divide and replace by parts of any length', async () => {
    const source = `1${long}2${long}3`;
    expect(await valueOf({ $split: ['$source', long] }, { source })).toEqual(['1', '2', '3']);
    expect(await valueOf({ $replaceOne: { input: '$source', find: long, replacement: { $literal: '$' } } }, { source })).toBe(
      `1$2${long}3`,
    );
    expect(await valueOf({ $replaceAll: { input: '$source', find: long, replacement: { $literal: '$&' } } }, { source })).toBe('1$&2$&3');
    expect(await valueOf({ $replaceAll: { input: 'abc', find: '', replacement: '-' } }, { source })).toBe('-a-b-c-');
    expect(await valueOf({ $replaceOne: { input: 'abc', find: '', replacement: '-' } }, { source })).toBe('-abc');
  });
});
