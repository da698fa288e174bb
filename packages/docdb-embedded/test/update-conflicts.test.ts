import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const items = () => harness.db.collection('items');
beforeEach(async () => {
  await items().deleteMany({});
  await items().insertOne({ list: [{ a: 0 }, { a: 1 }] });
});

async function update(changes: Document, arrayFilters?: Document[], filter: Document = {}): Promise<Document> {
  const change = { q: filter, u: changes, ...(arrayFilters ? { arrayFilters } : {}) };
  const { writeErrors } = await harness.db.command({ update: 'items', updates: [change] }).catch((error: unknown) => error as Document);
  const [error] = (writeErrors as Document[] | undefined) ?? [];
  return error ? { code: error.code, errmsg: error.errmsg } : {};
}

const list = async (): Promise<unknown> => (await items().findOne())?.list;

describe('two changes of an update', () => {
  const first = [{ 'x.a': 0 }, { 'y.a': { $lt: 1 } }];

  it.each<[string, Document, Document[] | undefined, Document, string]>([
    ['by two filters', { $set: { 'list.$[x].b': 1, 'list.$[y].b': 2 } }, first, {}, 'list.0.b'],
    ['by two operators', { $set: { 'list.$[x].b': 1 }, $inc: { 'list.$[y].b': 2 } }, first, {}, 'list.0.b'],
    ['one of the whole', { $set: { 'list.$[x]': 1, 'list.$[y].b': 2 } }, first, {}, 'list.0'],
    ['by place and match', { $set: { 'list.0.b': 1, 'list.$.b': 2 } }, undefined, { 'list.a': 0 }, 'list.0.b'],
  ])('do not change the same element, %s', async (_name, changes, arrayFilters, filter, at) => {
    expect(await update(changes, arrayFilters, filter)).toMatchObject({ code: 40, errmsg: expect.stringContaining(`conflict at '${at}'`) });
    expect(await list()).toEqual([{ a: 0 }, { a: 1 }]);
  });

  it('do not name elements of one list in both ways', async () => {
    const paths = ['list.$[].b', 'list.0.b', 'list.$.b'];
    for (const [one = '', other = ''] of [paths.slice(0, 2), [paths[0], paths[2]]])
      expect(await update({ $set: { [one]: 1, [other]: 1 } }, undefined, { 'list.a': 0 })).toMatchObject({ code: 40 });
  });

  it('may change other elements, or other fields of one', async () => {
    expect(await update({ $set: { 'list.$[x].b': 1, 'list.$[y].b': 2 } }, [{ 'x.a': 0 }, { 'y.a': 1 }])).toEqual({});
    expect(await update({ $set: { 'list.$[x].c': 1, 'list.$[y].d': 2 } }, first)).toEqual({});
    expect(await list()).toEqual([
      { a: 0, b: 1, c: 1, d: 2 },
      { a: 1, b: 2 },
    ]);
  });
});

describe('an update that is none', () => {
  it('is refused, and is no fault of the database', async () => {
    expect(await update({ $set: { a: 1 }, constructor: { b: 1 } })).toMatchObject({ code: 9 });
    for (const operand of [5, [], [5], { x: 1 }])
      expect(await update({ $set: { 'list.$[x]': 1 } }, [{ $or: operand }])).toMatchObject({ code: 2 });
    expect(await update({ $set: { 'list.$[x': 1 } })).toMatchObject({ code: 28 });
  });
});

describe('fields that are made by renaming', () => {
  it('come in the order of their new names', async () => {
    const named = async (changes: Document): Promise<unknown> => {
      await items().deleteMany({});
      await items().insertOne({ z: 1 });
      expect(await update(changes)).toEqual({});
      const names = { $map: { input: { $objectToArray: '$$ROOT' }, in: '$$this.k' } };
      const [row] = await items()
        .aggregate([{ $unset: '_id' }, { $replaceWith: { names } }])
        .toArray();
      return row?.names;
    };
    expect(await named({ $rename: { z: 'b' }, $set: { c: 1, a: 1 } })).toEqual(['a', 'b', 'c']);
    expect(await named({ $set: { a: 1 } })).toEqual(['z', 'a']);
    expect(await named({ $rename: { z: '7' } })).toEqual(['7']);
  });
});
