import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { start, type Harness } from '../harness.ts';
import { answeredDuring } from '../turns.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

it('gives others their turn while an index is built on large documents, as it does on small ones', async () => {
  const items = harness.db.collection('items');
  for (let at = 0; at < 15; at++) await items.insertMany(Array.from({ length: 10 }, () => ({ at, text: 'x'.repeat(800_000) })));
  const { result, answered } = await answeredDuring(harness.db, () => items.createIndex({ at: 1 }));
  expect(result).toBe('at_1');
  expect(answered).toBeGreaterThan(15);
  expect(await items.countDocuments({ at: 3 })).toBe(10);
});
