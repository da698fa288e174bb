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
    ['a new name that stands for elements', 2, { $rename: { a: 'b.$[]' } }],
    ['a new name within the old one', 2, { $rename: { a: 'a.b' } }],
    ['an array filter that names no field', 9, { $set: { 'a.$[one]': 1 } }, { arrayFilters: [{ $alwaysTrue: 1 }] }],
    ['one array filter too few', 2, { $set: { 'a.$[one]': 1, 'b.$[two]': 1 } }, { arrayFilters: [{ one: 1 }] }],
  ])('is told where nothing is found: %s', async (_name, code, update, options = {}) => {
    await items().insertOne({ sku: 'a' });
    for (const attempt of [
      () => items().updateOne({ sku: 'b' }, update, options),
      () => items().updateMany({ sku: 'b' }, update, options),
      () => items().findOneAndUpdate({ sku: 'b' }, update, options),
      () => harness.db.collection('nothing').updateOne({}, update, options),
    ])
      expect(await failure(attempt())).toBe(code);
  });

  it('fails the whole command where it is a stage that there is not', async () => {
    await items().insertOne({ sku: 'a' });
    const updates = [
      { q: { sku: 'a' }, u: { $set: { n: 1 } } },
      { q: { sku: 'b' }, u: [{ $never: 1 }] },
    ];
    expect(await failure(harness.db.command({ update: items().collectionName, updates }))).toBe(40324);
    expect(await items().findOne({}, { projection: { _id: 0 } })).toEqual({ sku: 'a' });
  });
});

describe('the document that an upsert makes', () => {
  it('is not that of an expression', async () => {
    const expression = { $expr: { $eq: ['$a', 1] } };
    for (const filter of [expression, { _id: 1, $or: [{ b: 1 }, { $and: [expression] }] }] as Document[]) {
      expect(await failure(items().updateOne(filter, { $set: { set: true } }, { upsert: true }))).toBe(224);
      expect(await failure(items().findOneAndUpdate(filter, { $set: { set: true } }, { upsert: true }))).toBe(224);
      expect(await failure(items().updateOne(filter, { $set: { set: true } }))).toBe(undefined);
    }
  });

  it.each<[string, Document, Document]>([
    ['in the order of their paths', { z: 1, a: { $eq: 2 } }, { a: 2, z: 1, set: true }],
    ['of one alternative', { $or: [{ a: 1 }] }, { a: 1, set: true }],
    ['of alternatives that are the same', { $or: [{ a: 1 }, { a: 1 }] }, { a: 1, set: true }],
    ['but not of alternatives that differ', { $or: [{ a: 1 }, { a: 2 }] }, { set: true }],
    ['but not of a pattern', { a: /x/, b: { $in: [/x/] }, c: { $all: [/x/] } }, { set: true }],
    ['of a pattern that is meant as a value', { a: { $eq: /x/ } }, { a: /x/, set: true }],
  ])('has the equalities of the filter %s', async (_name, filter, expected) => {
    await items().updateOne(filter, { $set: { set: true } }, { upsert: true });
    const made = await items().findOne({}, { projection: { _id: 0 } });
    expect(JSON.stringify(made)).toBe(JSON.stringify(expected));
    expect(made).toEqual(expected);
  });

  it.each<[string, Document]>([
    ['two values of one field', { a: { $all: [1, 2] } }],
    ['two values of the id', { _id: { $all: [1, 2] } }],
    ['a field, and one within it', { a: {}, 'a.b': 1 }],
    ['a field, and another one within it', { 'a.c': 1, a: { b: 1 } }],
  ])('is refused for %s', async (_name, filter) => {
    expect(await failure(items().updateOne(filter, { $set: { set: true } }, { upsert: true }))).toBe(54);
    expect(await items().countDocuments()).toBe(0);
  });

  it('has of the filter only the id, where it replaces', async () => {
    await items().replaceOne({ _id: 1 as never, a: 1, 'a.b': 1, $and: [{ c: 1 }, { c: 2 }] }, { set: true }, { upsert: true });
    expect(await items().findOne()).toEqual({ _id: 1, set: true });
    expect(await failure(items().replaceOne({ '_id.x': 1 }, { set: true }, { upsert: true }))).toBe(111);
  });
});

describe('the constants of an update', () => {
  const pipeline = [{ $set: { text: '$$text', form: '$$form', price: '$$price' } }];
  const constants = { text: '$sku', form: { $add: [1, 2] } };
  const expected = { _id: 1, sku: 'a', text: '$sku', form: { $add: [1, 2] }, price: 3 };

  it('are no expressions, whatever they look like, beside variables that are', async () => {
    await items().insertOne({ _id: 1 as never, sku: 'a' });
    const updates = [{ q: { _id: 1 }, u: pipeline, c: constants }];
    await harness.db.command({ update: 'items', updates, let: { price: { $add: [1, 2] } } });
    expect(await items().findOne()).toEqual(expected);
  });

  it('are the same in a bulkWrite', async () => {
    await items().insertOne({ _id: 1 as never, sku: 'a' });
    const ops = [{ update: 0, filter: { _id: 1 }, updateMods: pipeline, constants }];
    const nsInfo = [{ ns: items().namespace }];
    await harness.client.db('admin').command({ bulkWrite: 1, ops, nsInfo, let: { price: { $add: [1, 2] } } });
    expect(await items().findOne()).toEqual(expected);
  });
});

describe('what a value does not take', () => {
  it.each<[Document, number, string]>([
    [
      { $inc: { 'a.text': 1 } },
      14,
      "Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'text' of non-numeric type string",
    ],
    [
      { $mul: { list: 2 } },
      14,
      "Cannot apply $mul to a value of non-numeric type. {_id: 1} has the field 'list' of non-numeric type array",
    ],
    [{ $push: { 'a.text': 1 } }, 2, "The field 'a.text' must be an array but is of type string in document {_id: 1}"],
    [
      { $push: { 'a.text': { $each: [1], $slice: 3 } } },
      2,
      "The field 'a.text' must be an array but is of type string in document {_id: 1}",
    ],
    [{ $push: { nothing: 1 } }, 2, "The field 'nothing' must be an array but is of type null in document {_id: 1}"],
    [{ $addToSet: { 'a.text': 1 } }, 2, "Cannot apply $addToSet to non-array field. Field named 'text' has non-array type string"],
    [{ $addToSet: { nothing: 1 } }, 2, "Cannot apply $addToSet to non-array field. Field named 'nothing' has non-array type null"],
    [{ $pull: { 'a.text': 1 } }, 2, "Cannot apply $pull to a non-array value: the field 'a.text' is of type string"],
    [{ $pullAll: { nothing: [1] } }, 2, "Cannot apply $pull to a non-array value: the field 'nothing' is of type null"],
    [{ $pop: { 'a.text': 1 } }, 14, "Path 'a.text' contains an element of non-array type 'string'"],
    [
      { $bit: { 'a.text': { or: 1 } } },
      2,
      "Cannot apply $bit to a value of non-integral type. {_id: 1} has the field 'text' of non-integer type string",
    ],
    [{ $bit: { nothing: { or: 1 } } }, 2, "{_id: 1} has the field 'nothing' of non-integer type null"],
    [{ $inc: { 'list.$[]': 1 } }, 14, "{_id: 1} has the field '1' of non-numeric type string"],
    [{ $inc: { a: 'two' } }, 14, 'Cannot increment with non-numeric argument: {a: "two"}'],
    [{ $mul: { 'a.b': [1] } }, 14, 'Cannot multiply with non-numeric argument: {a.b: [ 1 ]}'],
    [{ $bit: { a: { or: 1.5 } } }, 2, 'The $bit modifier field must be an Integer(32/64 bit): a has { or: 1.5 }'],
    [{ $inc: { long: 1n } }, 2, 'for document {_id: 1}'],
    [{ $set: { 'a.text.b': 1 } }, 28, `Cannot create field 'b' in element {text: "x"}`],
    [{ $set: { 'nothing.b': 1 } }, 28, "Cannot create field 'b' in element {nothing: null}"],
    [{ $set: { 'list.b': 1 } }, 28, `Cannot create field 'b' in element {list: [ 1, "x" ]}`],
    [{ $max: { 'list.b.c': 1 } }, 28, `Cannot create field 'b' in element {list: [ 1, "x" ]}`],
    [{ $push: { 'list.1.c': 1 } }, 28, `Cannot create field 'c' in element {1: "x"}`],
    [{ $pop: { 'a.text.b': 1 } }, 28, `Cannot use the part (b) of (a.text.b) to traverse the element ({text: "x"})`],
    [
      { $rename: { 'list.0': 'b' } },
      2,
      "The source field cannot be an array element, 'list.0' in doc with _id: 1 has an array field called 'list'",
    ],
    [{ $rename: { nothing: 'list.0.b' } }, 2, "The destination field cannot be an array element, 'list.0.b' in doc with _id: 1 has"],
    [{ $set: { 'none.$[]': 1 } }, 2, "The path 'none' must exist in the document in order to apply array updates."],
    [{ $set: { 'a.text.$[]': 1 } }, 2, 'Cannot apply array updates to non-array element text: "x"'],
  ])('is said with its field and document: %j', async (update, code, message) => {
    await items().insertOne({ _id: 1, a: { text: 'x' }, list: [1, 'x'], nothing: null, long: 9223372036854775807n } as Document);
    await expect(items().updateOne({ _id: 1 as never }, update)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('is said of another id, by the way in which it came', async () => {
    await items().insertOne({ _id: 1 as never, a: 1 });
    const altered = { code: 66, message: expect.stringContaining("the (immutable) field '_id' was found to have been altered to _id: 2") };
    await expect(items().replaceOne({ a: 1 }, { _id: 2 as never })).rejects.toMatchObject(altered);
    await expect(items().updateOne({ a: 1 }, [{ $set: { _id: 2 } }])).rejects.toMatchObject(altered);
    await expect(items().updateOne({ a: 1 }, { $set: { _id: 2 as never } })).rejects.toMatchObject({
      code: 66,
      message: expect.stringContaining("Performing an update on the path '_id' would modify the immutable field '_id'"),
    });
    expect(await items().findOne()).toEqual({ _id: 1, a: 1 });
  });

  it('is said of an operand or an id of any length in brief', async () => {
    const _id = 'i'.repeat(5000) as never;
    await items().insertOne({ _id, a: 'x' });
    const messages = await Promise.all(
      [{ $inc: { a: 'y'.repeat(5000) } }, { $inc: { a: 1 } }].map(async (update) =>
        items()
          .updateOne({ _id }, update as Document)
          .then(
            () => 'no error',
            (error: unknown) => (error as Error).message,
          ),
      ),
    );
    expect(messages[0]).toMatch(/^Cannot increment with non-numeric argument: \{a: "y{199}\.\.\.\}$/);
    expect(messages[1]).toMatch(/\{_id: "i{199}\.\.\.\} has the field 'a' of non-numeric type string$/);
  });
});
