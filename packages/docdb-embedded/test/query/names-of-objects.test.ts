import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BSONSymbol, type Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db
    .collection<Document & { _id: number }>('items')
    .insertMany([{ _id: 1 }, { _id: 2, constructor: 5 }, { _id: 3, constructor: null }] as never);
});
afterAll(() => harness.stop());

const ids = (found: Document[]): unknown[] => found.map(({ _id }) => _id as unknown);

it('sorts by a field that each object inherits as one that is missing', async () => {
  expect(
    ids(
      await harness.db
        .collection('items')
        .find()
        .sort({ constructor: 1 } as never)
        .toArray(),
    ),
  ).toEqual([1, 3, 2]);
});

it('tests the branch that does not ask for such a field', async () => {
  const branches = Array.from({ length: 18 }, (_unused, at): object => Object.fromEntries([['constructor', at]]));
  const found = await harness.db
    .collection('items')
    .find({ $or: [...branches, { _id: 1 as never }] as never })
    .toArray();
  expect(ids(found)).toEqual([1, 2]);
});

it('finds symbols by a pattern, as texts', async () => {
  const texts = harness.db.collection<Document & { _id: number }>('texts');
  await texts.insertMany([
    { _id: 1, a: new BSONSymbol('abc') },
    { _id: 2, a: 'abc' },
    { _id: 3, a: new BSONSymbol('x') },
  ]);
  expect(ids(await texts.find({ a: /^ab/ }).toArray())).toEqual([1, 2]);
});

it('takes no language of a text from what objects inherit', async () => {
  const words = harness.db.collection<Document & { _id: number }>('words');
  await words.createIndex({ a: 'text' }, { language_override: 'constructor' });
  await words.insertOne({ _id: 1, a: 'running dogs' });
  expect(ids(await words.find({ $text: { $search: 'dog' } }).toArray())).toEqual([1]);
});
