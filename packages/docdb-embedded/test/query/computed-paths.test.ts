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
});
