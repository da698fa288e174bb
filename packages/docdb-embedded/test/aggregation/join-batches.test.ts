import { describe, expect, it } from '@jest/globals';
import { JoinBatches } from '../../src/aggregation/join-batches.ts';
import { start } from '../harness.ts';
import { answeredDuring } from '../turns.ts';

/** The sizes that a join of batches takes, where the time of each is worked out of its size. */
function sizes(cost: (size: number) => number, bytes = 0): number[] {
  const batches = new JoinBatches(8);
  return Array.from({ length: 12 }, () => {
    const { size } = batches;
    batches.note({ documents: size, bytes, milliseconds: cost(size) });
    return size;
  });
}

describe('a join takes', () => {
  it('one document at once where each takes long', () => {
    expect(sizes((size) => size * 50).slice(-3)).toEqual([1, 1, 1]);
  });

  it('as many as fit between two turns', () => {
    expect(sizes((size) => size * 0.2).slice(-3)).toEqual([32, 32, 32]);
  });

  it('more and more where each takes no time', () => {
    expect(sizes(() => 0).slice(0, 4)).toEqual([8, 32, 128, 512]);
  });

  it('many where the other collection is read for each batch anyway', () => {
    expect(Math.min(...sizes((size) => 300 + size * 0.01).slice(-3))).toBeGreaterThan(500);
  });

  it('fewer where they are joined with much', () => {
    expect(sizes(() => 1, 100_000_000).slice(-3)).toEqual([1, 1, 1]);
  });
});

it('others have their turn while documents are joined', async () => {
  const { db, stop } = await start();
  await db.collection('many').insertMany(Array.from({ length: 200 }, (_none, n) => ({ n })));
  const none = [{ $match: { $expr: { $eq: [{ $add: ['$n', '$$n'] }, -1] } } }];
  const joined = [
    { $lookup: { from: 'many', let: { n: '$n' }, pipeline: none, as: 'found' } },
    { $match: { 'found.n': { $exists: true } } },
  ];
  const { result, answered } = await answeredDuring(db, () => db.collection('many').aggregate(joined).toArray());
  expect(result).toEqual([]);
  expect(answered).toBeGreaterThan(100);
  await stop();
}, 60_000);
