import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Double, type Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

it('sets a zero to its negative, which is equal and another value', async () => {
  const items = harness.db.collection<Document & { _id: number }>('items');
  const stored = async (): Promise<unknown> => (await items.findOne())?.a;
  await items.insertOne({ _id: 1, a: new Double(0) });
  expect(await items.updateOne({}, { $set: { a: new Double(-0) } })).toMatchObject({ modifiedCount: 1 });
  expect(await stored()).toBe(-0);
  expect(await items.updateOne({}, { $set: { a: new Double(-0) } })).toMatchObject({ modifiedCount: 0 });
  expect(await items.updateOne({}, [{ $set: { a: { $literal: new Double(0) } } }])).toMatchObject({ modifiedCount: 1 });
  expect(await stored()).toBe(0);
  expect(await items.replaceOne({}, { _id: 1, a: new Double(-0) })).toMatchObject({ modifiedCount: 1 });
  expect(await stored()).toBe(-0);
});
