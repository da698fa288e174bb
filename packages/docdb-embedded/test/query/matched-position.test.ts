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

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

const hidden = { projection: { _id: 0 } };

describe('the place of the element that a filter matched', () => {
  it.each<[string, Document, Document, number]>([
    ['of the condition on it', { a: [1, 2, 3] }, { a: 2 }, 1],
    ['of the last of several conditions on it', { a: [1, 2, 3] }, { $and: [{ a: 1 }, { a: 3 }, { a: 2 }] }, 1],
    ['of the last value that it must have', { a: [1, 2, 3] }, { a: { $all: [1, 3] } }, 2],
    ['of one of several values', { a: [1, 2, 3] }, { $or: [{ a: 3 }, { a: 2 }] }, 1],
    ['of the element that all conditions hold for', { a: [9, 2] }, { a: { $elemMatch: { $gt: 1, $lt: 3 } } }, 1],
    ['of an element that fits all conditions on its list, where there is one', { a: [0, 9, 2] }, { a: { $lt: 3, $gt: 1 } }, 2],
    ['of the condition decided last, where no element fits all', { a: [0, 9] }, { a: { $gt: 1, $lt: 3 } }, 1],
    ['of a list in a list', { a: [[3], 3] }, { a: 3 }, 1],
    ['of another list', { a: [0, 0, 0], b: [1, 2, 3] }, { b: 3 }, 2],
    ['of the outer of two lists', { a: [0, 0], b: [{ c: [1] }, { c: [2, 3] }] }, { 'b.c': 3 }, 1],
    ['of elements with fields', { a: [0, 0], b: [{ c: [1] }, { c: [2, 3] }] }, { b: { $elemMatch: { c: { $elemMatch: { $eq: 3 } } } } }, 1],
    ['not of an element that is named', { a: [0, 1], b: [0] }, { a: 1, 'b.0': 0 }, 1],
  ])('is that %s', async (_name, document, filter, place) => {
    await items().insertOne({ ...document });
    const { a } = document as { a: unknown[] };
    expect(await items().findOne(filter, { projection: { _id: 0, 'a.$': 1 } })).toEqual({ a: [a[place]] });
    await items().updateOne(filter, { $set: { 'a.$': 'found' } });
    expect(await items().findOne({}, hidden)).toEqual({ ...document, a: a.map((value, at) => (at === place ? 'found' : value)) });
  });

  it.each<[string, Document]>([
    ['what is denied', { a: { $ne: 5 } }],
    ['a whole list', { a: [1, 2] }],
    ['how long a list is', { a: { $size: 2 } }],
    ['different fields, of which one fits', { $or: [{ a: 1 }, { b: 1 }] }],
    ['an element that is named', { 'a.0': 1 }],
  ])('is not known from %s', async (_name, filter) => {
    await items().insertOne({ a: [1, 2] });
    expect(await failure(items().findOne(filter, { projection: { 'a.$': 1 } }))).toBe(51246);
    expect(await failure(items().updateOne(filter, { $set: { 'a.$': 0 } }))).toBe(2);
  });

  it('is in the first list on the way, of what a projection shows', async () => {
    await items().insertOne({
      x: { y: [0, 1] },
      a: [{ b: { c: [1] } }, { b: { c: [2, 3] }, d: 1 }],
      e: { f: [1, 2, 3] },
      g: { h: 1 },
      i: [1],
    });
    const shown = (path: string): Promise<unknown> => items().findOne({ 'x.y': 1 }, { projection: { _id: 0, [path]: 1 } });
    expect(await shown('a.b.c.$')).toEqual({ a: [{ b: { c: [2, 3] } }] });
    expect(await shown('e.f.$')).toEqual({ e: { f: [2] } });
    expect(await shown('g.h.$')).toEqual({ g: { h: 1 } });
    expect(await shown('g.none.$')).toEqual({ g: {} });
    expect(await failure(shown('i.$'))).toBe(51247);
    expect(await failure(shown('.$'))).toBe(5392900);
  });

  it('is not shown beside an element that a projection chooses itself', async () => {
    await items().insertOne({ a: [1, 2], b: [{ c: 1 }] });
    const projection = { 'a.$': 1, b: { $elemMatch: { c: 1 } } };
    expect(await failure(items().findOne({ a: 2 }, { projection }))).toBe(31255);
  });
});
