import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
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
