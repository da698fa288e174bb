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

  it('and have asked for many large answers at once, get them up to a bound, and 429 for the others; what they write is done', async () => {
    const { app, url } = await startWith({});
    const LARGE = 2 * 1024 * 1024;
    let [asked, created] = [0, 0];
    let go: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (go = resolve));
    app.use('large', {
      get: async () => {
        asked += 1;
        await all;
        return { text: 'x'.repeat(LARGE) };
      },
      create: async (data: object) => {
        created += 1;
        return data;
      },
    } as never);
    const socket = await connect(url);
    const ask = (...args: unknown[]): Promise<{ error: any; result: any }> =>
      new Promise((resolve) => {
        socket.emit(...(args as [string]), (error: unknown, result: unknown) => {
          resolve({ error, result });
        });
      });
    network(socket).pause();
    const answers = Array.from({ length: 40 }, () => ask('get', 'large', 1, {}));
    await until(() => asked === 40);
    go();
    await until(() => queues(app)[0]! > 64 * BUFFER);
    const late = ask('get', 'large', 1, {});
    const written = ask('create', 'large', { id: 7 }, {});
    await until(() => created === 1);
    expect(Math.max(...queues(app))).toBeLessThanOrEqual(64 * BUFFER + 2 * LARGE);
    network(socket).resume();
    const told = await Promise.all([...answers, late]);
    const refused = told.filter(({ error }) => error !== null);
    expect(told.length - refused.length).toBeGreaterThanOrEqual(8);
    expect(refused.length).toBeGreaterThan(0);
    for (const { error } of refused)
      expect(error).toMatchObject({ code: 429, message: 'More than 16777216 bytes of answers wait to be read: read them, and ask again' });
    expect(await written).toEqual({ error: null, result: { id: 7 } });
    // It was not worked on at all.
    expect([(await late).error?.code, asked]).toEqual([429, 40]);
    expect((await ask('get', 'large', 1, {})).result.text).toHaveLength(LARGE);
  });
});
