import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document, Long, UUID } from 'bson';
import { Engine } from '../../src/storage/engine.ts';
import { Store } from '../../src/storage/store.ts';
import { Sessions } from '../../src/transactions/sessions.ts';
import { start, type Harness } from '../harness.ts';
import { WireClient } from '../wire-client.ts';

let harness: Harness;
const clients: WireClient[] = [];
beforeAll(async () => {
  harness = await start();
  for (let n = 0; n < 3; n++) clients.push(await WireClient.connect(harness.server));
});
afterAll(async () => {
  for (const client of clients) client.close();
  await harness.stop();
});

it('lets a retry wait for what still runs in the session that was killed', async () => {
  const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  await store.recover();
  const sessions = new Sessions(store);
  const lsid = { id: new UUID().toBinary() };
  const order: string[] = [];
  const done = await sessions.use(lsid).checkOut();
  sessions.endAll();
  const retry = sessions
    .use(lsid)
    .checkOut()
    .then(() => order.push('retry'));
  await new Promise((resolve) => setImmediate(resolve));
  order.push('first attempt');
  done();
  await retry;
  expect(order).toEqual(['first attempt', 'retry']);
  await store.close();
});

it('begins a transaction that waited for the killed session in the next one', async () => {
  const [first, second, killer] = clients as [WireClient, WireClient, WireClient];
  const lsid = { id: new UUID() };
  const inTransaction = (number: number, command: Document): Document => ({
    ...command,
    lsid,
    txnNumber: Long.fromNumber(number),
    autocommit: false,
  });
  await harness.db.collection('many').insertMany(Array.from({ length: 30_000 }, (_unused, n) => ({ n })));
  const update = { update: 'many', updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }], startTransaction: true };
  let answered = false;
  const running = first.ask('test', inTransaction(1, update)).then((answer) => {
    answered = true;
    return answer;
  });
  while (!answered && (await killer.ask('admin', { currentOp: 1, 'command.update': 'many' })).inprog.length === 0);
  const begun = second.ask('test', inTransaction(2, { find: 'many', limit: 1, startTransaction: true }));
  await killer.ask('admin', { ping: 1 });
  await killer.ask('admin', { killAllSessions: [] });
  expect(await running).toMatchObject({ ok: 0 });
  expect(await begun).toMatchObject({ ok: 1 });
  expect(await second.ask('test', inTransaction(2, { find: 'many', limit: 1 }))).toMatchObject({ ok: 1 });
});
