import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Document, Int32, Long, UUID } from 'mongodb';
import { start, type Harness } from '../harness.ts';
import { WireClient } from '../wire-client.ts';

let harness: Harness;
let client: WireClient;
beforeAll(async () => {
  harness = await start();
  client = await WireClient.connect(harness.server);
});
afterAll(async () => {
  client.close();
  await harness.stop();
});
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.collection('items').insertMany([{ _id: 1 }, { _id: 2 }] as never[]);
});

/** Sends a write twice under one number. */
async function twice(command: Document): Promise<[Document, Document]> {
  const database = 'bulkWrite' in command ? 'admin' : 'test';
  const whole = { ...command, lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1) };
  return [await client.ask(database, whole), await client.ask(database, whole)];
}

const set = (n: number): Document => ({ q: { _id: n }, u: { $set: { a: 1 } } });

it.each<[string, Document, Document]>([
  ['an insert', { insert: 'items', documents: [{ _id: 3 }, { _id: 4 }] }, { n: 2, retriedStmtIds: [0, 1] }],
  [
    'one of which a statement failed',
    { insert: 'items', ordered: false, documents: [{ _id: 3 }, { _id: 1 }, { _id: 4 }] },
    { n: 2, writeErrors: [expect.objectContaining({ index: 1, code: 11000 })], retriedStmtIds: [0, 2] },
  ],
  [
    'an update that numbers its statements',
    { update: 'items', updates: [set(1), set(2)], stmtIds: [new Int32(7), new Int32(9)] },
    { n: 2, nModified: 2, retriedStmtIds: [7, 9] },
  ],
  ['a deletion', { delete: 'items', deletes: [{ q: { _id: 1 }, limit: 1 }], stmtId: 5 }, { n: 1, retriedStmtIds: [5] }],
  ['findAndModify', { findAndModify: 'items', query: { _id: 1 }, update: { $set: { a: 1 } } }, { value: { _id: 1 }, retriedStmtId: 0 }],
  [
    'bulkWrite',
    {
      bulkWrite: 1,
      ops: [
        { insert: 0, document: { _id: 3 } },
        { delete: 0, filter: { _id: 99 } },
        { insert: 0, document: { _id: 4 } },
      ],
      nsInfo: [{ ns: 'test.items' }],
    },
    { nInserted: 2, retriedStmtIds: [0, 2] },
  ],
])('the second answer to %s says which statements were carried out before', async (_name, command, told) => {
  const [first, second] = await twice(command);
  expect(first).toMatchObject({ ok: 1 });
  expect(Object.keys(first)).not.toContain('retriedStmtIds');
  expect(Object.keys(first)).not.toContain('retriedStmtId');
  expect(second).toMatchObject({ ok: 1, ...told });
});

it.each<Document>([
  { update: 'items', updates: [set(99)] },
  { findAndModify: 'items', query: { _id: 99 }, remove: true },
])('the second answer to %j, which has written nothing, names none', async (command) => {
  const [first, second] = await twice(command);
  expect(second).toEqual(first);
});
