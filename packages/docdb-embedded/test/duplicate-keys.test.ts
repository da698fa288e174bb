import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoServerError, type Collection, type Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
let items: Collection;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  items = harness.db.collection('items');
});

/** @returns what the error of a request says of the key that is there twice */
async function duplicateOf(request: Promise<unknown>): Promise<Document> {
  const error = await request.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!(error instanceof MongoServerError)) throw new Error('The request did not fail with an error of the server', { cause: error });
  const { code, message, keyPattern, keyValue } = error as MongoServerError & {
    readonly keyPattern?: unknown;
    readonly keyValue?: unknown;
  };
  return { code, message, keyPattern, keyValue };
}

describe('the error of a duplicate key', () => {
  it('names the one value of a list that another document has', async () => {
    await items.createIndex({ tags: 1 }, { unique: true });
    await items.insertOne({ tags: ['q'] });
    expect(await duplicateOf(items.insertOne({ tags: ['p', 'q'] }))).toEqual({
      code: 11000,
      message: 'E11000 duplicate key error collection: test.items index: tags_1 dup key: { tags: "q" }',
      keyPattern: { tags: 1 },
      keyValue: { tags: 'q' },
    });
  });

  it('names that value when the index is made, too', async () => {
    await items.insertMany([{ tags: ['p', 'q'] }, { tags: ['q'] }]);
    expect(await duplicateOf(items.createIndex({ tags: 1 }, { unique: true }))).toMatchObject({ code: 11000, keyValue: { tags: 'q' } });
  });

  it('says by which collation the index compares', async () => {
    await items.createIndex({ name: 1 }, { unique: true, collation: { locale: 'en', strength: 2 } });
    await items.insertOne({ name: 'Ann' });
    const { message } = await duplicateOf(items.insertOne({ name: 'ANN' }));
    expect(message).toMatch(/ index: name_1 collation: \{ locale: "en", caseLevel: false, .*strength: 2, .*\} dup key: \{ name: /);
  });

  it('is the same when $merge may not find what it finds', async () => {
    await items.insertOne({ _id: 'a' as never });
    const merged = items.aggregate([{ $merge: { into: 'items', whenMatched: 'fail' } }]).toArray();
    expect(await duplicateOf(merged)).toEqual({
      code: 11000,
      message: expect.stringMatching(/E11000 duplicate key error collection: test\.items index: _id_ dup key: \{ _id: "a" \}$/),
      keyPattern: { _id: 1 },
      keyValue: { _id: 'a' },
    });
  });
});
