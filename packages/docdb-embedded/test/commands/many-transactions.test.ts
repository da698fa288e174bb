import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document, Long, UUID } from 'bson';
import { start, type Harness } from '../harness.ts';
import { WireClient } from '../wire-client.ts';

/** Transactions that may be open at once. */
const MOST = 4000;

let harness: Harness;
let wire: WireClient;
beforeAll(async () => {
  harness = await start();
  wire = await WireClient.connect(harness.server);
  await harness.db.collection('items').insertOne({ n: 1 });
});
afterAll(async () => {
  wire.close();
  await harness.stop();
});

const begin = (lsid: Document, txnNumber = 1): Promise<Document> =>
  wire.ask('test', { find: 'items', lsid, txnNumber: Long.fromNumber(txnNumber), startTransaction: true, autocommit: false });

it('leaves room to read where many transactions are left open', async () => {
  const sessions: Document[] = Array.from({ length: MOST }, () => ({ id: new UUID() }));
  const [first = {}, ...others] = sessions;
  for (const lsid of sessions) expect(await begin(lsid)).toMatchObject({ ok: 1 });
  const late = { id: new UUID() };
  expect(await begin(late)).toMatchObject({
    ok: 0,
    code: 146,
    errmsg: expect.stringContaining('commit or abort them'),
    errorLabels: ['TransientTransactionError'],
  });
  // Who goes on with another one in its place takes nobody's room.
  expect(await begin(first, 2)).toMatchObject({ ok: 1 });
  expect(await harness.db.collection('items').countDocuments()).toBe(1);
  await wire.ask('test', { endSessions: others.slice(0, 1) });
  expect(await begin(late)).toMatchObject({ ok: 1 });
});
