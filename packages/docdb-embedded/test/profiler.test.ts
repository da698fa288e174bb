import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.collection('items').insertMany([{ a: 1 }, { a: 2 }]);
});

const profile = (level: number, options: Document = {}): Promise<Document> => harness.db.command({ profile: level, ...options });
const noted = (filter: Document = {}): Promise<Document[]> => harness.db.collection('system.profile').find(filter).toArray();

describe('the profiler', () => {
  it('notes every command at level 2, with what came of it, before its answer is there', async () => {
    expect(await profile(2)).toMatchObject({ was: 0, slowms: 100 });
    const items = harness.db.collection('items');
    await items.find({ a: 1 }).toArray();
    await items.insertMany([{ a: 3 }, { a: 4 }]);
    await items.updateMany({ a: { $gt: 2 } }, { $set: { b: 1 } });
    await items.deleteOne({ a: 4 });
    await items.insertOne({ _id: 1 } as never);
    await expect(items.aggregate([{ $nope: 1 }]).toArray()).rejects.toMatchObject({ code: 40324 });
    const entries = await noted({ ns: 'test.items' });
    expect(entries.map(({ op }) => op as string)).toEqual(['query', 'insert', 'update', 'remove', 'insert', 'command']);
    expect(entries[0]).toMatchObject({
      command: { find: 'items', filter: { a: 1 } },
      nreturned: 1,
      ts: expect.any(Date),
      client: '127.0.0.1',
    });
    expect(entries[0]?.millis).toBeGreaterThanOrEqual(0);
    expect(entries[1]).toMatchObject({ ninserted: 2 });
    expect(entries[2]).toMatchObject({ nMatched: 2, nModified: 2 });
    expect(entries[3]).toMatchObject({ ndeleted: 1 });
    expect(entries[5]).toMatchObject({ ok: 0, errCode: 40324, errName: 'Location40324' });
    expect(await profile(0)).toMatchObject({ was: 2 });
    const count = (await noted()).length;
    await items.findOne({});
    expect(await noted()).toHaveLength(count);
  });

  it('notes at level 1 what takes long, or what a filter lets through', async () => {
    await profile(1, { slowms: 1_000_000 });
    await harness.db.collection('items').findOne({ a: 1 });
    expect(await noted()).toEqual([]);
    await profile(1, { slowms: 0 });
    await harness.db.collection('items').findOne({ a: 1 });
    expect(await noted({ op: 'query', ns: 'test.items' })).toHaveLength(1);
    await profile(1, { slowms: 1_000_000, filter: { op: 'insert', ninserted: { $gt: 1 } } });
    await harness.db.collection('items').insertOne({ a: 5 });
    await harness.db.collection('items').insertMany([{ a: 6 }, { a: 7 }]);
    expect(await noted({ op: 'insert' })).toHaveLength(1);
    expect((await profile(-1)).filter).toEqual({ op: { $eq: 'insert' }, ninserted: { $gt: 1 } });
    await profile(1, { filter: 'unset' });
    expect((await profile(-1)).filter).toBeUndefined();
    await profile(0, { slowms: 100 });
  });

  it('keeps a collection of a megabyte, in which long commands are cut', async () => {
    await profile(2);
    await harness.db.collection('items').insertOne({ text: 'x'.repeat(200_000) });
    const [entry] = await noted({ op: 'insert' });
    expect(entry?.command.$truncated).toHaveLength(10_000);
    for (let i = 0; i < 40; i += 1) await harness.db.collection('items').findOne({ text: 'y'.repeat(40_000) });
    const [known] = await harness.db.listCollections({ name: 'system.profile' }).toArray();
    expect(known).toMatchObject({ options: { capped: true, size: 1_048_576 } });
    const { size, count } = await harness.db.command({ collStats: 'system.profile' });
    expect(size).toBeLessThanOrEqual(1_048_576);
    expect(count).toBeGreaterThan(10);
    await profile(0);
  });

  it('is of one database, goes with it, and its collection stays while it is on', async () => {
    await profile(1, { slowms: -1 });
    await expect(harness.db.command({ drop: 'system.profile' })).rejects.toMatchObject({ code: 20 });
    expect(await harness.client.db('other').command({ profile: -1 })).toMatchObject({ was: 0 });
    await harness.db.dropDatabase();
    expect(await profile(-1)).toMatchObject({ was: 0 });
    expect(await harness.db.listCollections().toArray()).toEqual([]);
  });

  it('takes levels as numbers that are cut off, and refuses what it cannot note by', async () => {
    await profile(1.9);
    expect(await profile(7)).toMatchObject({ was: 1 });
    expect(await profile(0)).toMatchObject({ was: 1 });
    await expect(profile(1, { filter: 'all' })).rejects.toMatchObject({ code: 2 });
    await expect(profile(1, { filter: { $nope: 1 } })).rejects.toMatchObject({ code: 2 });
    await expect(profile(1, { sampleRate: 2 })).rejects.toMatchObject({ code: 2 });
    expect(await profile(-1)).toMatchObject({ was: 0 });
  });
});
