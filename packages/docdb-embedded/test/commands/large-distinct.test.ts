import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Harness, start } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

it('refuses the values of a distinct that no document has room for', async () => {
  const items = harness.db.collection('items');
  const text = 'x'.repeat(2 ** 20);
  await items.insertMany(Array.from({ length: 15 }, (_none, at) => ({ text: `${text}${String(at)}` })));
  expect(await items.distinct('text')).toHaveLength(15);
  await items.insertOne({ text: `${text}15` });
  await expect(items.distinct('text')).rejects.toMatchObject({ code: 17217 });
});

it('reads no further where there are too many values already', async () => {
  const large = harness.db.collection('large');
  const text = 'x'.repeat(2 ** 20);
  await large.insertMany(Array.from({ length: 18 }, (_none, at) => ({ text: `${text}${String(at)}` })));
  await large.insertOne({ text: 0 });
  // What fails for the last document is not met.
  const query = { $expr: { $divide: [1, { $cond: [{ $eq: ['$text', 0] }, 0, 1] }] } };
  await expect(large.distinct('text', query)).rejects.toMatchObject({ code: 17217 });
});
