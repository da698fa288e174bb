import type { EventEmitter } from 'node:events';
import { channels, MemoryEventLog } from '@framework/channels';
import { afterEach, expect, it } from '@jest/globals';
import { Manager } from 'socket.io-client';
import { connect, start, stopAll, until } from './harness.ts';

afterEach(stopAll);

/** Asks for a connection many times over one network connection, before the first time is answered. */
async function askAtOnce(url: string, times: number, auth = ''): Promise<Manager> {
  const manager = new Manager(url, { transports: ['websocket'], reconnection: false });
  await new Promise((resolve) => manager.once('open', resolve as never));
  for (let time = 0; time < times; time++) manager.engine.write(`0${auth}`);
  return manager;
}

it('one network connection is not taken for many, whatever it asks for at once', async () => {
  const told = { connection: 0, disconnect: 0 };
  const { app, url } = await start((added) => {
    for (const event of ['connection', 'disconnect'] as const) added.on(event, () => told[event]++);
    added.on('connection', (connection: object) => added.channel('everybody').join(connection));
  });
  const manager = await askAtOnce(url, 200);
  await new Promise((resolve) => manager.once('close', resolve as never));
  const other = await connect(url);
  expect(told.connection).toBeLessThanOrEqual(6);
  expect(app.channel('everybody').length).toBe(1);
  other.disconnect();
  await until(() => told.disconnect >= told.connection);
});

it('one network connection is not taken for many that wait for what no process has read yet', async () => {
  class StartedLog extends MemoryEventLog {
    start(): Promise<void> {
      return Promise.resolve();
    }
  }
  const log = new StartedLog();
  const { url } = await start(() => undefined, { connectTimeout: 600_000 }, channels({ log, catchUp: 600_000 }));
  const manager = await askAtOnce(url, 2000, JSON.stringify({ pid: 'a', offset: `${log.epoch}.zzzz` }));
  await new Promise((resolve) => manager.once('close', resolve as never));
  expect((await connect(url)).connected).toBe(true);
});

it('one network connection keeps nothing of the connections that have come and gone in it', async () => {
  const told = { connection: 0, disconnect: 0 };
  let conn: EventEmitter | undefined;
  const { app, url } = await start((added) => {
    for (const event of ['connection', 'disconnect'] as const) added.on(event, () => told[event]++);
  });
  app.io.on('connection', (socket: { conn: EventEmitter }) => (conn = socket.conn));
  const manager = await askAtOnce(url, 1);
  const listeners: (number | undefined)[] = [];
  for (let time = 1; time <= 20; time++) {
    await until(() => told.connection === time);
    listeners.push(conn?.listenerCount('close'));
    manager.engine.write('1');
    await until(() => told.disconnect === time);
    await new Promise((resolve) => setImmediate(resolve));
    manager.engine.write('0');
  }
  expect(listeners).toEqual(listeners.map(() => listeners[0]));
  manager._close();
});

it('S35 a client that has gone while its origin is looked at is not taken in', async () => {
  let asked: (() => void) | undefined;
  let answer: () => void = () => undefined;
  const told: string[] = [];
  const origin = (_origin: string | undefined, answered: (error: null, allowed: boolean) => void): void => {
    answer = () => answered(null, true);
    if (asked) asked();
    else answer();
  };
  const { url } = await start(
    (added) => {
      for (const event of ['connection', 'disconnect']) added.on(event, () => told.push(event));
      // Credentials are read once a connection is taken in.
      added.defaultAuthentication = () => {
        told.push('login');
        return null;
      };
    },
    { cors: { origin } as never },
  );
  const manager = new Manager(url, { transports: ['websocket'], reconnection: false, extraHeaders: { origin: 'https://other.example' } });
  await new Promise((resolve) => manager.once('open', resolve as never));
  const lookedAt = new Promise<void>((resolve) => (asked = resolve));
  manager.engine.write('0');
  await lookedAt;
  manager.engine.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  answer();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(told).toEqual([]);
});
