import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { Usage } from '../src/commands/usage.ts';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

describe('$collStats', () => {
  it('shows how often documents of a collection were read and written, and how long it took', async () => {
    const timed = harness.db.collection('timed');
    await timed.insertMany([{ n: 1 }, { n: 2 }, { n: 3 }]);
    for await (const _found of timed.find({}, { batchSize: 2 }));
    await timed.countDocuments();
    await timed.distinct('n');
    await timed.findOneAndUpdate({ n: 1 }, { $set: { n: 5 } });
    await timed.createIndex({ n: 1 });
    const [shown] = await timed.aggregate([{ $collStats: { latencyStats: {} } }]).toArray();
    const { reads, writes, commands, transactions } = shown?.latencyStats as Record<string, { ops: number; latency: number }>;
    expect([reads, writes, commands, transactions].map((share) => share?.ops)).toEqual([4, 2, 1, 0]);
    expect(reads?.latency).toBeGreaterThan(0);
    expect(writes?.latency).toBeGreaterThan(0);
  });

  it('shows nothing for a collection that nobody has used', async () => {
    const [shown] = await harness.db
      .collection('unused')
      .aggregate([{ $collStats: { latencyStats: {} } }])
      .toArray();
    expect(shown?.latencyStats.reads).toEqual({ ops: 0, latency: 0, queryableEncryptionLatencyMicros: 0 });
  });
});

describe('top', () => {
  it('shows how often and how long each collection was used, and by what', async () => {
    const users = harness.db.collection('used');
    await users.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }] as never[]);
    for await (const _user of users.find({}, { batchSize: 2 }));
    await users.updateOne({ _id: 1 as never }, { $set: { n: 1 } });
    await users.deleteOne({ _id: 2 as never });
    await users.distinct('n');
    await expect(users.insertOne({ _id: 1 as never })).rejects.toMatchObject({ code: 11000 });
    await expect(harness.db.command({ find: 'used', filter: { $nope: 1 } })).rejects.toMatchObject({ code: 2 });
    const { totals } = (await harness.client.db('admin').command({ top: 1 })) as { totals: Record<string, never> };
    const used: Record<string, { time: number; count: number }> = totals[users.namespace] ?? {};
    expect(totals.note).toBe('all times in microseconds');
    expect(Object.fromEntries(Object.entries(used).map(([kind, { count }]) => [kind, count]))).toEqual({
      total: 8,
      readLock: 4,
      writeLock: 4,
      queries: 2,
      getmore: 1,
      insert: 2,
      update: 1,
      remove: 1,
      commands: 1,
    });
    expect(used.total?.time).toBeGreaterThan(0);
    expect(used.total?.time).toBe((used.readLock?.time ?? 0) + (used.writeLock?.time ?? 0));
  });

  it('shows no collection that there is not, and is for the admin database', async () => {
    await harness.db.collection('dropped').insertOne({});
    await harness.db.collection('dropped').drop();
    await harness.db.collection('never').findOne({});
    const { totals } = (await harness.client.db('admin').command({ top: 1 })) as { totals: Document };
    expect(Object.keys(totals).filter((ns) => /\.(dropped|never)$/.test(ns))).toEqual([]);
    await expect(harness.db.command({ top: 1 })).rejects.toMatchObject({ code: 13 });
  });

  it('counts ten thousand collections at most, and lets the first one go', () => {
    const usage = new Usage();
    for (let n = 0; n < 10_002; n++) usage.note(`a.c${String(n)}`, 'find', 1);
    const counted = Object.keys(usage.totals(() => true));
    expect(counted.length - 1).toBe(10_000);
    expect(counted).not.toContain('a.c1');
    expect(counted).toContain('a.c2');
  });

  it('keeps nothing of a name that no collection has, so that long ones do not fill the memory', () => {
    const usage = new Usage();
    usage.note(`a.${'c'.repeat(254)}`, 'find', 1);
    usage.note(`a.${'c'.repeat(253)}`, 'find', 1);
    expect(Object.keys(usage.totals(() => true))).toEqual(['note', `a.${'c'.repeat(253)}`]);
  });
});
