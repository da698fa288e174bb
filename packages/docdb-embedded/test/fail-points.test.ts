import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('items').insertOne({ a: 1 });
});
afterAll(() => harness.stop());

describe('the fail point maxTimeAlwaysTimeOut', () => {
  it('ends commands that have a limit of time, and no others', async () => {
    const items = harness.db.collection('items');
    const configure = (mode: unknown): Promise<unknown> =>
      harness.client.db('admin').command({ configureFailPoint: 'maxTimeAlwaysTimeOut', mode });
    await configure({ times: 1 });
    await expect(items.countDocuments()).resolves.toBe(1);
    await expect(items.find({}).maxTimeMS(60_000).toArray()).rejects.toMatchObject({ code: 50 });
    await expect(items.find({}).maxTimeMS(60_000).toArray()).resolves.toHaveLength(1);
  });
});
