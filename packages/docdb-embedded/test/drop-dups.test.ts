import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

describe('the option dropDups of an index', () => {
  it.each([true, false])('is taken with %s and deletes nothing, as old drivers and tools give it', async (dropDups) => {
    const indexes = [{ key: { i: 1 }, name: 'i_1', unique: true, dropDups }];
    await harness.db.dropDatabase();
    await harness.db.collection('items').insertMany([{ i: 1 }, { i: 2 }]);
    expect(await harness.db.command({ createIndexes: 'items', indexes })).toMatchObject({ ok: 1, numIndexesAfter: 2 });
    await harness.db.collection('items').dropIndexes();
    await harness.db.collection('items').insertOne({ i: 2 });
    await expect(harness.db.command({ createIndexes: 'items', indexes })).rejects.toMatchObject({ code: 11000 });
    expect(await harness.db.collection('items').countDocuments({})).toBe(3);
  });
});
