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
});

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

describe('a field whose name begins like an operator', () => {
  it.each<[string, Document, Document]>([
    ['$set', { $set: { $price: 1, other: 2 } }, { $price: 1, other: 2 }],
    ['$inc', { $inc: { $price: 1 } }, { $price: 1 }],
    ['$push', { $push: { $prices: 1 } }, { $prices: [1] }],
    ['$setOnInsert', { $setOnInsert: { $price: 1 } }, { $price: 1 }],
    ['a path', { $set: { '$price.net': 1 } }, { $price: { net: 1 } }],
  ])('is of a document that an upsert with %s makes', async (_name, update, expected) => {
    await items().updateOne({ sku: 'a' }, update, { upsert: true });
    expect(await items().findOne({}, { projection: { _id: 0 } })).toEqual({ sku: 'a', ...expected });
    await items().deleteMany({});
    const after = await items().findOneAndUpdate({ sku: 'b' }, update, { upsert: true, returnDocument: 'after', projection: { _id: 0 } });
    expect(after).toEqual({ sku: 'b', ...expected });
  });

  it('is refused in a document that is there, and changes nothing', async () => {
    await items().insertOne({ sku: 'a' });
    for (const update of [{ $set: { other: 1, $price: 1 } }, { $inc: { '$price.net': 1 } }, { $push: { $prices: 1 } }])
      expect(await failure(items().updateOne({ sku: 'a' }, update as Document, { upsert: true }))).toBe(52);
    expect(await failure(items().updateOne({ sku: 'a' }, { $setOnInsert: { $price: 1 } }, { upsert: true }))).toBe(undefined);
    expect(await items().findOne({}, { projection: { _id: 0 } })).toEqual({ sku: 'a' });
  });

  it('is no mistake where nothing is updated', async () => {
    expect(await items().updateOne({ sku: 'none' }, { $set: { $price: 1 } })).toMatchObject({ matchedCount: 0, upsertedCount: 0 });
  });
});

describe('what a search found out about a document', () => {
  beforeEach(async () => {
    await items().createIndexes([{ key: { text: 'text' } }, { key: { at: '2dsphere' } }]);
    await items().insertMany([
      { _id: 'one' as never, text: 'word', at: [0, 0] },
      { _id: 'two' as never, text: 'word word word', at: [1, 0] },
    ]);
  });

  it('is in what a findAndModify answers, of the document as it was found', async () => {
    const search = { $text: { $search: 'word' } };
    const score = { $meta: 'textScore' };
    const [best] = await items().find(search, { projection: { score } }).sort({ score }).limit(1).toArray();
    expect(best).toMatchObject({ _id: 'two', text: 'word word word' });
    expect(best?.score).toBeGreaterThan(1);
    expect(await items().findOne(search, { sort: { score }, projection: { _id: 1, score } })).toEqual({
      _id: 'two',
      score: best?.score as unknown,
    });
    for (const returnDocument of ['before', 'after'] as const)
      expect(
        await items().findOneAndUpdate(search, { $set: { n: 1 } }, { sort: { score }, projection: { score, _id: 1 }, returnDocument }),
      ).toMatchObject({
        _id: 'two',
        score: best?.score as unknown,
      });
    expect(await items().findOneAndDelete(search, { sort: { score }, projection: { _id: 1, score } })).toEqual({
      _id: 'two',
      score: best?.score as unknown,
    });
    expect(await failure(items().findOneAndDelete({ text: 'word' }, { projection: { score } }))).toBe(40218);
    expect(await items().countDocuments()).toBe(1);
  });

  it('is how far it is away, where that was asked for', async () => {
    const near = { at: { $near: { $geometry: { type: 'Point', coordinates: [0, 0] } } } };
    const far = { $meta: 'geoNearDistance' };
    const found = await items()
      .find(near, { projection: { _id: 1, far } })
      .toArray();
    expect(found.map((doc) => [doc._id, Math.round(doc.far as number)])).toEqual([
      ['one', 0],
      ['two', 111319],
    ]);
    expect(await items().findOneAndUpdate(near, { $set: { n: 1 } }, { projection: { _id: 1, far } })).toEqual({ _id: 'one', far: 0 });
    expect(
      await failure(
        items()
          .find(near, { projection: { score: { $meta: 'textScore' } } })
          .toArray(),
      ),
    ).toBe(40218);
  });
});

describe('the positional element of what a findAndModify answers', () => {
  it('is that of the document before, and refused for the one after', async () => {
    await items().insertOne({ tags: ['a', 'b'] });
    const change = (returnDocument: 'before' | 'after'): Promise<unknown> =>
      items().findOneAndUpdate({ tags: 'b' }, { $set: { n: 1 } }, { returnDocument, projection: { _id: 0, 'tags.$': 1 } });
    expect(await change('before')).toEqual({ tags: ['b'] });
    await items().updateOne({}, { $set: { n: 0 } });
    expect(await failure(change('after'))).toBe(2);
    expect(await items().findOne({}, { projection: { _id: 0 } })).toEqual({ tags: ['a', 'b'], n: 0 });
  });
});

describe('a mistake in an update', () => {
  it.each<[string, number, Document | Document[], Document?]>([
    ['a stage that there is not', 40324, [{ $never: 1 }]],
    ['a stage that updates may not have', 72, [{ $match: {} }]],
    ['two stages in one', 40323, [{ $set: { a: 1 }, $unset: 'b' }]],
    ['an expression that there is not', 168, [{ $set: { a: { $never: 1 } } }]],
    ['a variable that there is not', 17276, [{ $set: { a: '$$never' } }]],
    ['a number that is none, to add', 14, { $inc: { a: 'x' } }],
    ['a number that is none, to multiply by', 14, { $mul: { a: 'x' } }],
    ['a list that is none, to push', 2, { $push: { a: { $each: 1 } } }],
    ['a place that is none', 2, { $push: { a: { $each: [], $position: 'x' } } }],
    ['a list that is none, of a set', 14, { $addToSet: { a: { $each: 1 } } }],
    ['a test that there is not', 2, { $pull: { a: { $never: 1 } } }],
    ['a list that is none, to pull', 2, { $pullAll: { a: 1 } }],
    ['an end of a list that there is not', 9, { $pop: { a: 2 } }],
    ['an operation on bits that there is not', 2, { $bit: { a: { never: 1 } } }],
    ['a kind of date that there is not', 2, { $currentDate: { a: 'x' } }],
    ['an array filter that there is not', 2, { $set: { 'a.$[one]': 1 } }],
    ['one array filter too few', 2, { $set: { 'a.$[one]': 1, 'b.$[two]': 1 } }, { arrayFilters: [{ one: 1 }] }],
  ])('is told where nothing is found: %s', async (_name, code, update, options = {}) => {
    await items().insertOne({ sku: 'a' });
    for (const operation of [
      items().updateOne({ sku: 'b' }, update, options),
      items().updateMany({ sku: 'b' }, update, options),
      items().findOneAndUpdate({ sku: 'b' }, update, options),
      harness.db.collection('nothing').updateOne({}, update, options),
    ])
      expect(await failure(operation)).toBe(code);
  });
});
