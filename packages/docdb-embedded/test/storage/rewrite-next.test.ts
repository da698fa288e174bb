import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Collection } from 'mongodb';
import { start, type Harness } from '../harness.ts';

interface Item {
  _id: number;
  part: number;
  text: string;
}

/** Documents of which two are on a page, in a file of more parts than LMDB keeps in mind of one write. */
const DOCUMENTS = 138_000;
const PARTS = 30;
const text = 'x'.repeat(830);

let harness: Harness;
let items: Collection<Item>;
beforeAll(async () => {
  harness = await start();
  items = harness.db.collection('items');
  await items.createIndex({ part: 1 });
  // They are made where they are kept: it is not about how they get there.
  const numbers = { $documents: [{ _id: { $range: [0, DOCUMENTS] }, text }] };
  await harness.db.aggregate([numbers, { $unwind: '$_id' }, { $set: { part: { $mod: ['$_id', PARTS] } } }, { $out: 'items' }]).toArray();
}, 300_000);
afterAll(() => harness.stop());

describe('a transaction that changes documents all over a large collection', () => {
  it('removes them', async () => {
    await harness.client.withSession((session) =>
      session.withTransaction(async () => {
        expect((await items.deleteMany({ part: 3 }, { session })).deletedCount).toBe(DOCUMENTS / PARTS);
      }),
    );
    expect(await items.countDocuments({ part: 3 })).toBe(0);
    expect(await items.estimatedDocumentCount()).toBe(DOCUMENTS - DOCUMENTS / PARTS);
  }, 120_000);

  it('updates them', async () => {
    await harness.client.withSession((session) =>
      session.withTransaction(async () => {
        expect((await items.updateMany({ part: 5 }, { $set: { part: -1 } }, { session })).modifiedCount).toBe(DOCUMENTS / PARTS);
      }),
    );
    expect(await items.countDocuments({ part: -1 })).toBe(DOCUMENTS / PARTS);
    expect(await harness.db.command({ validate: 'items' })).toMatchObject({ valid: true, errors: [] });
  }, 120_000);
});
