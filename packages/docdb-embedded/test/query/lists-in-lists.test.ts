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

  describe.each([false, true])('that a place in the list names, by an index: %s', (indexed) => {
    const ids = async (condition: unknown, path = 'a.0'): Promise<unknown[]> =>
      (
        await items()
          .find({ [path]: condition } as Document)
          .sort({ _id: 1 })
          .toArray()
      ).map(({ _id }) => _id as unknown);
    beforeEach(async () => {
      await items().drop();
      if (indexed) await items().createIndex({ 'a.0': 1 });
      await items().insertMany([[[1]], [1], { 0: [1] }, [[[1]]], [[1, 2], 3], [[], 1]].map((a, at) => ({ _id: at as never, a })));
    });

    it.each<[string, unknown, number[]]>([
      ['a value', 1, [1, 2]],
      ['a list', [1], [0, 2]],
      ['one of several values', { $in: [1, 5] }, [1, 2]],
      ['a range', { $gt: 0 }, [1, 2]],
      ['no value', { $ne: 1 }, [0, 3, 4, 5]],
      ['all of some values', { $all: [1] }, [1, 2]],
      ['a kind of value', { $type: 'number' }, [1, 2]],
      ['a list as such', { $type: 'array' }, [0, 2, 3, 4, 5]],
      ['a size', { $size: 1 }, [0, 2, 3]],
      ['an element', { $elemMatch: { $eq: 1 } }, [0, 2, 4]],
    ])('is that list for %s', async (_name, condition, expected) => {
      expect(await ids(condition)).toEqual(expected);
    });

    it('is one of many branches, and a list further inside', async () => {
      const branches = Array.from({ length: 40 }, (_unused, at) => ({ 'a.0': at }));
      const found = await items()
        .find({ $or: branches } as Document)
        .sort({ _id: 1 })
        .toArray();
      expect(found.map(({ _id }) => _id as unknown)).toEqual([1, 2]);
      expect(await ids(1, 'a.0.0')).toEqual([0, 2, 4]);
      expect(await ids([1], 'a.0.0')).toEqual([3]);
    });

    it('comes behind all numbers, alone and beside others', async () => {
      const sorted = async (sort: Record<string, 1 | -1>): Promise<unknown[]> =>
        (
          await items()
            .find({ _id: { $in: [0, 1, 4] } } as Document)
            .sort(sort)
            .toArray()
        ).map(({ _id }) => _id as unknown);
      expect(await sorted({ 'a.0': 1 })).toEqual([1, 0, 4]);
      expect(await sorted({ 'a.0': -1, _id: 1 })).toEqual([4, 0, 1]);
    });
  });

  it('is one value of distinct, with an index and without', async () => {
    await items().insertOne({ a: [[]] });
    expect(await items().distinct('a')).toEqual([[]]);
    await items().createIndex({ a: 1 });
    expect(await items().distinct('a')).toEqual([[]]);
  });
});
