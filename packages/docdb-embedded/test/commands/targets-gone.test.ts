import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from 'mongodb';
import { type Harness, start } from '../harness.ts';

interface Job {
  readonly _id: number;
  readonly state: string;
  readonly rank: number;
}

let harness: Harness;
let jobs: Collection<Job>;
beforeAll(async () => {
  harness = await start();
  jobs = harness.db.collection<Job>('jobs');
});
afterAll(() => harness.stop());

/** More than a write looks through by itself. */
const MANY = 3000;
const WORKERS = 8;

describe('a document that others remove while it is looked for', () => {
  beforeEach(async () => {
    await jobs.deleteMany({});
    await jobs.insertMany(Array.from({ length: MANY }, (_none, at) => ({ _id: at, state: 'new', rank: at })));
  });
  const each = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: WORKERS }, work));
  const sort = { rank: 1 } as const;

  it('is replaced by another one for each of those who remove one', async () => {
    const taken = await each(() => jobs.findOneAndDelete({ state: 'new' }, { sort }));
    expect(taken.map((job) => job?._id).sort()).toEqual([...Array(WORKERS).keys()]);
    expect(await jobs.countDocuments({})).toBe(MANY - WORKERS);
  });

  it('is replaced by another one for those who delete one', async () => {
    const results = await each(() => jobs.deleteOne({ state: 'new', rank: { $gte: 2000 } }));
    expect(results.map(({ deletedCount }) => deletedCount)).toEqual(Array(WORKERS).fill(1));
  });

  it('makes no upsert insert while others fit', async () => {
    const work = { $set: { state: 'taken' } };
    const results = await Promise.all([
      ...Array.from({ length: WORKERS }, () => jobs.findOneAndDelete({ state: 'new' }, { sort })),
      ...Array.from({ length: WORKERS }, () => jobs.findOneAndUpdate({ state: 'new' }, work, { sort, upsert: true })),
    ]);
    expect(results.filter((job) => job === null)).toEqual([]);
    expect(await jobs.countDocuments({})).toBe(MANY - WORKERS);
  });
});
