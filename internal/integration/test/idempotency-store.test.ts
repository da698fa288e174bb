import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { DocDbIdempotencyStore, DocDbService } from '@framework/adapter-docdb';
import { framework } from '@framework/core';
import express, { errorHandler, idempotent, json, rest } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

let database: TestDatabase;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(async () => {
  for (const end of ends) await end();
  await database.close();
});

/** An application as each of several processes has one, on the same database. */
async function process(): Promise<(key: string, data: object) => Promise<Response>> {
  const app = express(framework());
  app.use(json());
  app.configure(rest());
  app.use('orders', new DocDbService({ Model: database.db.collection('orders') }));
  app.service('orders').hooks({ around: { all: [idempotent({ store: new DocDbIdempotencyStore(database.db.collection('calls')) })] } });
  app.use(errorHandler({ logger: false }));
  const server = await app.listen(0, '127.0.0.1');
  ends.push(() => app.teardown().then(() => undefined));
  const { port } = server.address() as { readonly port: number };
  return (key, data) =>
    fetch(`http://127.0.0.1:${String(port)}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(data),
    });
}

describe('the store of idempotent() in a database', () => {
  it('makes a write once, whichever process it comes to, and gives the same answer', async () => {
    const [here, there] = [await process(), await process()];
    const first = await here('key-of-the-first-order', { text: 'tea' });
    const again = await there('key-of-the-first-order', { text: 'tea' });
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect(await again.json()).toEqual(await first.json());
    expect((await there('key-of-the-first-order', { text: 'coffee' })).status).toBe(422);
    expect(await database.db.collection('orders').countDocuments()).toBe(1);
  });

  it('makes one of many that come at once to several processes', async () => {
    await database.db.collection('orders').deleteMany({});
    const processes = await Promise.all([process(), process(), process()]);
    const send = (index: number): Promise<Response> => processes[index % 3]!('key-of-many-orders', { text: 'tea' });
    const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => send(index)));
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(answers.filter(({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'))).toHaveLength(1);
    expect(await database.db.collection('orders').countDocuments()).toBe(1);
    const last = await send(0);
    expect([last.status, last.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(await last.json()).toMatchObject({ text: 'tea' });
  });
});
