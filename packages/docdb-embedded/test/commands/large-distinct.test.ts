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
  for (let at = 0; at < 15; at++) await items.insertOne({ text: `${text}${String(at)}` });
  expect(await items.distinct('text')).toHaveLength(15);
  await items.insertOne({ text: `${text}15` });
  await expect(items.distinct('text')).rejects.toMatchObject({ code: 17217 });
});
