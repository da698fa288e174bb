import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Decimal128, type Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.collection('from').insertOne({ _id: 1, a: 'text' } as never);
  await harness.db.createCollection('into', { validator: { a: { $type: 'int' } } });
});

const into = (): Promise<Document[]> => harness.db.collection('into').find().toArray();
const run = (stage: Document, options: { bypassDocumentValidation?: boolean } = {}): Promise<Document[]> =>
  harness.db.collection('from').aggregate([stage], options).toArray();

describe('a validator', () => {
  it.each([{ $merge: 'into' }, { $out: 'into' }])('refuses what %j would write', async (stage) => {
    await expect(run(stage)).rejects.toMatchObject({ code: 121 });
    expect(await into()).toEqual([]);
  });

  it.each([{ $merge: 'into' }, { $out: 'into' }])('is passed by %j that asks for it', async (stage) => {
    await run(stage, { bypassDocumentValidation: true });
    expect(await into()).toEqual([{ _id: 1, a: 'text' }]);
  });

  it('refuses what a $merge would make of a document', async () => {
    await harness.db.collection('into').insertOne({ _id: 1, a: 1 } as never);
    await expect(run({ $merge: 'into' })).rejects.toMatchObject({ code: 121 });
    expect(await into()).toEqual([{ _id: 1, a: 1 }]);
  });

  it.each([
    [0.01, 19.99, true],
    [0.1, 0.3, true],
    [0.01, 19.995, false],
    [0.01, Decimal128.fromString('1234567.89'), true],
    [Decimal128.fromString('0.25'), 2.75, true],
    [2.5, 10, true],
    [0.1, Infinity, false],
  ])('takes multiples of %s as they are written: %s is one, %s', async (multipleOf, price, fits) => {
    await harness.db.createCollection('prices', { validator: { $jsonSchema: { properties: { price: { multipleOf } } } } });
    const inserted = harness.db.collection('prices').insertOne({ price });
    await (fits ? inserted : expect(inserted).rejects.toMatchObject({ code: 121 }));
    expect(await harness.db.collection('prices').countDocuments()).toBe(fits ? 1 : 0);
  });

  it.each([NaN, Infinity])('has no multiples of %s', async (multipleOf) => {
    const validator = { $jsonSchema: { properties: { price: { multipleOf } } } };
    await expect(harness.db.createCollection('prices', { validator })).rejects.toMatchObject({ code: 2 });
  });

  it('does not ask what becomes a capped collection', async () => {
    await harness.db.collection('into').insertOne({ a: 'text' }, { bypassDocumentValidation: true });
    await harness.db.command({ convertToCapped: 'into', size: 100_000 });
    expect(await into()).toMatchObject([{ a: 'text' }]);
  });
});

describe('a moderate validator', () => {
  beforeEach(async () => {
    await harness.db.collection('into').insertOne({ _id: 1, a: 'text' } as never, { bypassDocumentValidation: true });
    await harness.db.collection('into').insertOne({ _id: 2, a: 1 } as never);
    await harness.db.command({ collMod: 'into', validationLevel: 'moderate' });
  });

  it('lets a document change that did not fit before', async () => {
    await harness.db.collection('into').updateOne({ _id: 1 as never }, { $set: { b: 1 } });
    expect(await harness.db.collection('into').findOne({ _id: 1 as never })).toEqual({ _id: 1, a: 'text', b: 1 });
  });

  it('lets findAndModify change a document that did not fit before', async () => {
    const after = await harness.db
      .collection('into')
      .findOneAndUpdate({ _id: 1 as never }, { $set: { b: 1 } }, { returnDocument: 'after' });
    expect(after).toEqual({ _id: 1, a: 'text', b: 1 });
  });

  it('lets a $merge change a document that did not fit before', async () => {
    await run({ $merge: 'into' });
    await run({ $merge: { into: 'into', whenMatched: [{ $set: { b: 1 } }] } });
    expect(await harness.db.collection('into').findOne({ _id: 1 as never })).toEqual({ _id: 1, a: 'text', b: 1 });
  });

  it('refuses a change of a document that did fit', async () => {
    await expect(harness.db.collection('into').updateOne({ _id: 2 as never }, { $set: { a: 'text' } })).rejects.toMatchObject({
      code: 121,
    });
  });

  it('refuses a new document, by an upsert too', async () => {
    const upsert = harness.db.collection('into').updateOne({ _id: 3 as never }, { $set: { a: 'text' } }, { upsert: true });
    await expect(upsert).rejects.toMatchObject({ code: 121 });
  });
});
