import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

const LONG = 'x'.repeat(2000);
/** So many that their messages take more than a megabyte, and what is told beside them more than eight. */
const MANY = 6000;

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  const items = harness.db.collection('items');
  await items.createIndex({ name: 1 }, { unique: true });
  await items.insertOne({ name: LONG });
});
afterAll(() => harness.stop());

it.each<[string, () => Promise<Document[]>]>([
  [
    'a write',
    async () => {
      const documents = Array.from({ length: MANY }, () => ({ name: LONG }));
      return (await harness.db.command({ insert: 'items', ordered: false, documents })).writeErrors;
    },
  ],
  [
    'a bulkWrite',
    async () => {
      const ops = Array.from({ length: MANY }, () => ({ insert: 0, document: { name: LONG } }));
      const command = { bulkWrite: 1, ordered: false, errorsOnly: true, ops, nsInfo: [{ ns: 'test.items' }], cursor: { batchSize: MANY } };
      return (await harness.client.db('admin').command(command)).cursor.firstBatch;
    },
  ],
])('the errors of %s are told whole until they are too many, and by their codes behind that', async (_what, errorsOf) => {
  const errors = await errorsOf();
  expect(errors).toHaveLength(MANY);
  expect(errors[0]).toMatchObject({ code: 11000, errmsg: expect.stringContaining('E11000'), keyValue: { name: LONG } });
  expect(errors.at(-1)).toMatchObject({ code: 11000, errmsg: '' });
  expect(errors.at(-1)).not.toHaveProperty('keyValue');
});
