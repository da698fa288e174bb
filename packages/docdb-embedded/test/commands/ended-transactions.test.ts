import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document, Long, UUID } from 'bson';
import { start, type Harness } from '../harness.ts';
import { WireClient } from '../wire-client.ts';

let harness: Harness;
let wire: WireClient;
let other: WireClient;
beforeAll(async () => {
  harness = await start();
  wire = await WireClient.connect(harness.server);
  other = await WireClient.connect(harness.server);
  await harness.db.collection('many').insertMany(Array.from({ length: 30_000 }, (_unused, n) => ({ n })));
});
afterAll(async () => {
  wire.close();
  other.close();
  await harness.stop();
});

it.each<[string, Document]>([
  ['an update', { update: 'many', updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }] }],
  ['a deletion', { delete: 'many', deletes: [{ q: {}, limit: 0 }] }],
])('tells %s that its transaction has ended with its session', async (_what, command) => {
  const lsid = { id: new UUID() };
  const answer = wire.ask('test', { ...command, lsid, txnNumber: Long.fromNumber(1), autocommit: false, startTransaction: true });
  const running = { currentOp: 1, [`command.${Object.keys(command)[0] as string}`]: 'many' };
  let answered = false;
  void answer.then(() => {
    answered = true;
  });
  while (!answered && (await other.ask('admin', running)).inprog.length === 0);
  await other.ask('admin', { endSessions: [lsid] });
  expect(await answer).toMatchObject({ code: 251, errorLabels: ['TransientTransactionError'] });
});
