import { channels } from '@framework/channels';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { WriteQueue } from '../src/server/write-queue.ts';
import { collect, connect, memory, RECONNECTING, start, stopAll, until, type AnyApplication, type Running } from './harness.ts';

const paused: { destroy(): void }[] = [];

afterEach(async () => {
  // A client that does not read sees no answer to its goodbye either, and waits for it.
  for (const connection of paused.splice(0)) connection.destroy();
  await stopAll();
});

const BUFFER = 256 * 1024;
const MESSAGE = 64 * 1024;
const READERS = 4;

/** No limit in time but the one that a test is about: how long it takes says how busy the machine is. */
const PATIENT = { pingInterval: 600_000, pingTimeout: 600_000 };

function startWith(options: object): Promise<Running> {
  const build = (app: AnyApplication): void => {
    app.use('messages', Object.assign(memory(), { create: async (data: object) => data }));
    app.publish(() => app.channel('everybody'));
    app.on('connection', (connection: any) => app.channel('everybody').join(connection));
  };
  return start(build, PATIENT, channels({ maxBuffer: BUFFER, lagTimeout: 600_000, ...options }));
}

/** The network connection of a client that stops reading. */
function network(socket: Socket): { pause(): void; resume(): void } {
  const connection = (socket as any).io.engine.transport.ws._socket;
  paused.push(connection);
  return connection;
}

/** What waits on the server for each connection. */
const queues = (app: AnyApplication): number[] =>
  [...app.io.sockets.sockets.values()].map((socket: any) => new WriteQueue(socket.conn).bytes);

async function publish(app: AnyApplication, count: number): Promise<void> {
  const text = 'x'.repeat(MESSAGE);
  for (let number = 0; number < count; number++) {
    await app.service('messages').create({ number, text });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('readers that stop', () => {
  it('cost no more than their buffer, and get everything in order when they go on', async () => {
    const { app, url } = await startWith({});
    const sockets = await Promise.all(Array.from({ length: READERS }, () => connect(url)));
    const received = sockets.map((socket) => collect(socket, 'messages created'));
    for (const socket of sockets) network(socket).pause();
    await publish(app, 600);
    const waiting = queues(app);
    expect(waiting).toHaveLength(READERS);
    expect(Math.max(...waiting)).toBeLessThanOrEqual(BUFFER + 2 * MESSAGE);
    expect(Math.min(...waiting)).toBeGreaterThan(0);
    for (const socket of sockets) network(socket).resume();
    await until(() => received.every((list) => list.length === 600));
    for (const list of received) expect(list.map(({ number }) => number)).toEqual(Array.from({ length: 600 }, (_, index) => index));
  });

  it('that are behind the window are closed, and told when they come back', async () => {
    const { app, url } = await startWith({ window: { bytes: 20 * MESSAGE } });
    const socket = await connect(url, RECONNECTING);
    collect(socket, 'messages created');
    await publish(app, 1);
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    const before = network(socket);
    before.pause();
    await publish(app, 600);
    before.resume();
    await closed;
    await until(() => socket.connected);
    expect(socket.recovered).toBe(false);
  });

  it('that stay behind too long are closed', async () => {
    const { app, url } = await startWith({ lagTimeout: 300 });
    const socket = await connect(url);
    let closed = false;
    app.on('disconnect', () => (closed = true));
    network(socket).pause();
    await publish(app, 200);
    await until(() => closed);
    expect(app.channels).toEqual([]);
  });

  it('and go on calling are closed', async () => {
    const { app, url } = await startWith({});
    app.use('long', { get: async () => ({ text: 'x'.repeat(MESSAGE) }) } as never);
    const socket = await connect(url);
    let closed = false;
    app.on('disconnect', () => (closed = true));
    network(socket).pause();
    await until(() => {
      socket.emit('get', 'long', 1, {}, () => undefined);
      return closed;
    });
    expect(closed).toBe(true);
  });
});
