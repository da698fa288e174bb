import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

it('gives others their turn while an index is built on large documents, as it does on small ones', async () => {
  const items = harness.db.collection('items');
  for (let at = 0; at < 15; at++) await items.insertMany(Array.from({ length: 10 }, () => ({ at, text: 'x'.repeat(800_000) })));
  const order: string[] = [];
  const built = items.createIndex({ at: 1 }).finally(() => order.push('built'));
  for (let at = 0; at < 8; at++) {
    await harness.db.command({ ping: 1 });
    order.push('ping');
  }
  expect(await built).toBe('at_1');
  expect(order).toEqual([...Array<string>(8).fill('ping'), 'built']);
  expect(await items.countDocuments({ at: 3 })).toBe(10);
});
