import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

describe('a computed field of a projection', () => {
  it.each<[string, Document, Document]>([
    ['below a list', { a: [{ b: 1 }, 2] }, { a: [{ b: { c: 'new' } }, { b: { c: 'new' } }] }],
    ['below a list in a document', { a: { b: [{ c: 1 }, 2] } }, { a: { b: [{ c: 'new' }, { c: 'new' }] } }],
    [
      'below lists in lists',
      { a: [[], [{ b: [[1, 2], { c: 1, d: 1 }] }]] },
      { a: [[], [{ b: [[{ c: 'new' }, { c: 'new' }], { c: 'new' }] }]] },
    ],
    ['below what is no document', { a: { b: 1 } }, { a: { b: { c: 'new' } } }],
    ['below nothing', { x: 1 }, { a: { b: { c: 'new' } } }],
  ])('keeps the shape of what is on its way: %s', async (_name, document, expected) => {
    const items = harness.db.collection('items');
    await items.deleteMany({});
    await items.insertOne(document);
    const projection = { _id: 0, 'a.b.c': 'new' };
    expect(await items.findOne({}, { projection })).toEqual(expected);
    expect(await items.aggregate([{ $project: projection }]).toArray()).toEqual([expected]);
  });

  it.each<[string, Document, Document, Document]>([
    ['of a list', { 'a.b': 1, 'a.c': 'new' }, { a: [1, { b: 2, d: 3 }, [4]] }, { a: [{ c: 'new' }, { b: 2, c: 'new' }, [{ c: 'new' }]] }],
    ['of a list in a document', { 'a.x.b': 1, 'a.x.c': 'new' }, { a: { x: [1] } }, { a: { x: [{ c: 'new' }] } }],
    ['of no list', { 'a.b': 1, 'a.c': 'new' }, { a: 1 }, { a: { c: 'new' } }],
    ['beside a list', { 'a.b': 1, c: 'new' }, { a: [1, { b: 2 }] }, { a: [{ b: 2 }], c: 'new' }],
  ])('makes a document of each value beside a field that is shown: %s', async (_name, fields, document, expected) => {
    const items = harness.db.collection('items');
    await items.deleteMany({});
    await items.insertOne(document);
    const projection = { _id: 0, ...fields };
    expect(await items.findOne({}, { projection })).toEqual(expected);
    expect(await items.aggregate([{ $project: projection }]).toArray()).toEqual([expected]);
  });
});

describe('a field that is named twice', () => {
  it.each<[Document, number, number]>([
    [{ 'a.b': 1, a: { b: 1 } }, 31250, 40176],
    [{ a: { b: '$x' }, 'a.b': 1 }, 31250, 40176],
    [{ 'a.b': '$x', a: { b: '$$REMOVE' } }, 31250, 40176],
    [{ 'a.b': '$x', a: 1 }, 31250, 40176],
    [{ a: '$x', 'a.b': 1 }, 31249, 40176],
    [{ _id: 1, '_id.a': '$x' }, 31249, 40176],
  ])('is refused: %j', async (fields, shown, added) => {
    const items = harness.db.collection('items');
    await expect(items.findOne({}, { projection: fields })).rejects.toMatchObject({ code: shown });
    await expect(items.aggregate([{ $project: fields }]).toArray()).rejects.toMatchObject({ code: shown });
    await expect(items.aggregate([{ $addFields: fields }]).toArray()).rejects.toMatchObject({ code: added });
  });
});
