import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const items = () => harness.db.collection('items');
beforeEach(async () => {
  await items().deleteMany({});
});

const hidden = { projection: { _id: 0 } };

describe('a list in a list', () => {
  it.each<[string, Document, Document[]]>([
    ['compared with a value', { $elemMatch: { $gt: 4, $lt: 6 } }, [{ a: [5] }]],
    ['one of several values', { $elemMatch: { $in: [5, 6] } }, [{ a: [5] }]],
    ['a kind of value', { $elemMatch: { $type: 'number' } }, [{ a: [5] }]],
    ['a list', { $elemMatch: { $eq: [5] } }, [{ a: [[5]] }]],
    ['no value', { $elemMatch: { $ne: 5 } }, [{ a: [[5]] }, { a: [[[5]]] }]],
    ['looked through by another $elemMatch', { $elemMatch: { $elemMatch: { $gt: 4, $lt: 6 } } }, [{ a: [[5]] }]],
  ])('is an element as it is for $elemMatch: %s', async (_name, condition, expected) => {
    await items().insertMany([{ a: 5 }, { a: [5] }, { a: [[5]] }, { a: [[[5]]] }]);
    expect(await items().find({ a: condition }, hidden).toArray()).toEqual(expected);
    const chosen = await items()
      .find({ a: condition }, { projection: { _id: 0, a: condition } })
      .toArray();
    expect(chosen).toEqual(expected);
  });

  it('hides what is below it from $slice, and from no other projection', async () => {
    const a = [{ b: [1, 2], c: 1 }, [{ b: [3, 4], c: 1 }, { b: [[{ b: 5 }]] }], 6];
    await items().insertOne({ a });
    const shown = (projection: Document): Promise<unknown> => items().findOne({}, { projection: { _id: 0, ...projection } });
    expect(await shown({ 'a.b': { $slice: 1 } })).toEqual({ a: [{ b: [1], c: 1 }, [{ b: [3, 4], c: 1 }, { b: [[{ b: 5 }]] }], 6] });
    expect(await shown({ 'a.b': { $slice: 1 }, 'a.c': 0 })).toEqual({ a: [{ b: [1] }, [{ b: [3, 4] }, { b: [[{ b: 5 }]] }], 6] });
  });

  it('is one value of distinct, with an index and without', async () => {
    await items().insertOne({ a: [[]] });
    expect(await items().distinct('a')).toEqual([[]]);
    await items().createIndex({ a: 1 });
    expect(await items().distinct('a')).toEqual([[]]);
  });
});
