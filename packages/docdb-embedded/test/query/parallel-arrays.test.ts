import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

describe('one array that a pipeline gives two fields', () => {
  it.each<[string, object]>([
    ['two fields', { a: 1, c: 1 }],
    ['a field and one below the other', { a: 1, 'c.a': -1 }],
    ['one below each', { 'a.a': 1, 'c.a': 1 }],
  ])('is two arrays to an index of %s', async (what, key) => {
    const items = harness.db.collection<{ _id: number; a: unknown[] }>(`indexed ${what}`);
    await items.createIndex(key as never);
    await items.insertOne({ _id: 1, a: [{ a: 1 }, { a: 2 }] });
    await expect(items.updateOne({ _id: 1 }, [{ $set: { c: '$a' } }])).rejects.toMatchObject({ code: 171 });
    await expect(items.aggregate([{ $set: { _id: 2, c: '$a' } }, { $merge: items.collectionName }]).toArray()).rejects.toMatchObject({
      code: 171,
    });
    expect(await items.find().toArray()).toEqual([{ _id: 1, a: [{ a: 1 }, { a: 2 }] }]);
    expect(await items.deleteMany({})).toMatchObject({ deletedCount: 1 });
  });

  it('is two arrays to a sort', async () => {
    const sorted = harness.db.aggregate([{ $documents: [{ a: [1, 2] }] }, { $set: { c: '$a' } }, { $sort: { a: 1, c: 1 } }]);
    await expect(sorted.toArray()).rejects.toMatchObject({ code: 2 });
  });

  it('stays one array for two fields of its elements', async () => {
    const items = harness.db.collection<{ _id: number; c: unknown[] }>('elements');
    await items.createIndex({ 'c.a': 1, 'c.b': 1, 'c.d.e': 1 });
    await items.insertOne({
      _id: 1,
      c: [
        { a: 1, b: 2, d: [{ e: 3 }] },
        { a: 4, b: 5 },
      ],
    });
    expect(await items.find({ 'c.a': 4, 'c.b': 2 }).hint({ 'c.a': 1, 'c.b': 1, 'c.d.e': 1 }).toArray()).toHaveLength(1);
    await expect(items.updateOne({ _id: 1 }, { $set: { 'c.1.b': [5] } })).resolves.toMatchObject({ modifiedCount: 1 });
    await expect(items.updateOne({ _id: 1 }, { $set: { 'c.1.d': [{ e: 3 }] } })).rejects.toMatchObject({ code: 171 });
  });
});
