import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { startNetwork, type Network } from '@framework-internal/testing/network';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { DocDbIdempotencyStore, DocDbLimiterStore, DocDbService, eventLog } from '../../src/index.ts';

let database: TestDatabase;
let network: Network;
beforeAll(async () => {
  database = await startDatabase();
  network = await startNetwork(Number(new URL(database.uri).port));
});
afterAll(async () => {
  network.stop();
  await database.close();
});

const UNKNOWN = 'The database did not answer: whether it has made the change is not known. Look before you try again';
const LATE = 'The database took too long. Try again';
const LIMITS = { serverSelectionTimeoutMS: 1000, connectTimeoutMS: 1000, socketTimeoutMS: 1000 };

/**
 * Asks in the moment in which the server has ended the connections that there are and the driver does not know of it yet.
 *
 * @returns what each question came to
 */
async function askWhenEnded(maxPoolSize: number, prepare: (db: Db) => Promise<readonly (() => Promise<unknown>)[]>): Promise<unknown[]> {
  const sockets: Socket[] = [];
  const note = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', note);
  const client = new MongoClient(`mongodb://127.0.0.1:${String(network.port)}/?directConnection=true`, { ...LIMITS, maxPoolSize });
  try {
    const questions = await prepare(client.db(database.db.databaseName));
    const asked = new Promise<unknown[]>((resolve) => {
      const ask = (): void => resolve(Promise.all(questions.map((question) => question().catch((error: unknown) => error))));
      for (const socket of sockets.filter(({ remotePort }) => remotePort === network.port)) socket.once('end', () => setImmediate(ask));
    });
    await network.cut();
    return await asked;
  } finally {
    unsubscribe('net.client.socket', note);
    // It waits for commands that the driver does not end, and is not waited for.
    void client.close();
  }
}

describe('a connection that ends in the moment in which the driver takes it', () => {
  it('keeps no call of a service or a store waiting for ever', async () => {
    const answers = await askWhenEnded(1, async (db) => {
      const people = new DocDbService({ Model: db.collection('people'), multi: true });
      const { _id: id } = (await people.create({ name: 'Ann' })) as { _id: string };
      const limiter = new DocDbLimiterStore(db.collection('attempts') as never);
      await limiter.reset('k');
      const calls = new DocDbIdempotencyStore(db.collection('calls') as never);
      await calls.free({ key: 'k', holder: 'h' });
      return [
        () => people.find(),
        () => people.find({ pipeline: [{ $match: {} }] }),
        () => people.get(id),
        () => limiter.attempt('k', { attempts: 1, window: 1000, delay: 1 }),
        () => calls.take({ key: 'k', holder: 'h' }, 'f', 1000),
        () => people.create({ name: 'Bob' }),
        () => people.create([{ name: 'Bob' }, { name: 'Cid' }]),
        () => people.update(id, { name: 'Bob' }),
        () => people.patch(id, { name: 'Bob' }),
        () => people.patch(null, { name: 'Bob' }),
        () => people.remove(id),
      ];
    });
    expect(answers).toMatchObject(
      [LATE, LATE, LATE, LATE, LATE, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN].map((message) => ({
        code: 503,
        message,
        cause: { name: 'UnansweredError' },
      })),
    );
  }, 60_000);

  it('keeps no log waiting for ever', async () => {
    const answers = await askWhenEnded(5, async (db) => {
      const log = eventLog(db);
      await log.start();
      const append = (): Promise<void> => log.append([{ key: 'a', path: 'people', event: 'created', text: '{}', targets: [], at: 0 }]);
      return [
        async () => {
          try {
            await append();
          } finally {
            await log.stop();
          }
        },
      ];
    });
    expect(answers).toMatchObject([{ name: 'UnansweredError' }]);
  }, 60_000);
});
