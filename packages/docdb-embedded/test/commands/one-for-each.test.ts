import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Document } from 'mongodb';
import { TargetedStatement } from '../../src/commands/targeted-statement.ts';
import { start, type Harness } from '../harness.ts';
import { inManyTurns } from '../turns.ts';

const WORKERS = 20;
const EACH = 5;
const JOBS = 2000;

let harness: Harness;
const jobs = () => harness.db.collection<{ _id: number; free: boolean; by?: string }>('jobs');
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await jobs().deleteMany({});
  await jobs().insertMany(Array.from({ length: JOBS }, (_none, _id) => ({ _id, free: true })));
});

const takes: readonly [string, (by: string) => Promise<unknown>][] = [
  ['findOneAndUpdate', (by) => jobs().findOneAndUpdate({ free: true }, { $set: { free: false, by } }, { sort: { by: 1, _id: 1 } })],
  ['findOneAndDelete', (by) => jobs().findOneAndDelete({ free: true, by: { $ne: by } }, { sort: { by: 1, _id: 1 } })],
  ['updateOne', (by) => jobs().updateOne({ free: true }, { $set: { free: false, by } }, { sort: { by: 1, _id: 1 } })],
];

describe('many who take one document each, of those that all of them find', () => {
  it.each(takes)('look for it a few times at most, and get another each: %s', async (_name, take) => {
    const search = jest.spyOn(TargetedStatement.prototype, 'search');
    try {
      // Each search lasts so long that others write before its end.
      await inManyTurns(async () => {
        const worker = async (_none: unknown, at: number): Promise<void> => {
          for (let count = 0; count < EACH; count++) await take(`worker ${String(at)}`);
        };
        await Promise.all(Array.from({ length: WORKERS }, worker));
      });
      expect(search.mock.calls.length).toBeGreaterThanOrEqual(WORKERS);
      expect(search.mock.calls.length).toBeLessThanOrEqual(3 * WORKERS * EACH);
    } finally {
      search.mockRestore();
    }
    // Those that come first are taken, and nothing else.
    const left = await jobs().find({ free: true }).sort({ _id: 1 }).toArray();
    expect(left).toHaveLength(JOBS - WORKERS * EACH);
    expect(left[0]?._id).toBe(WORKERS * EACH);
  });

  it('get nothing where others have taken all, and look again where something else has come', async () => {
    await jobs().deleteMany({ _id: { $gte: 3 } });
    await jobs().insertMany(Array.from({ length: JOBS }, (_none, at) => ({ _id: 10 + at, free: false })));
    const taken = await inManyTurns(() =>
      Promise.all(
        Array.from({ length: 5 }, () => jobs().findOneAndUpdate({ free: true }, { $set: { free: false } }, { sort: { _id: -1 } })),
      ),
    );
    const ids = taken.map((doc: Document | null) => (doc?._id as number | undefined) ?? -1);
    expect(ids.sort((a, b) => a - b)).toEqual([-1, -1, 0, 1, 2]);
  });
});
