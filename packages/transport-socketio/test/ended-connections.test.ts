import { afterEach, expect, it, jest } from '@jest/globals';
import type { Socket } from 'socket.io';
import { call, connect, start, stopAll, until, type AnyApplication, type Running } from './harness.ts';

afterEach(async () => {
  jest.restoreAllMocks();
  await stopAll();
});

/** An application with a service whose first call waits, and what it knows of its connections. */
async function startSlow(): Promise<Running & { connections: object[]; gone: object[]; answer: () => void; begun: () => boolean }> {
  let answer: (() => void) | undefined;
  let calls = 0;
  const [connections, gone]: object[][] = [[], []];
  const { app, url } = await start((added) => {
    added.use('slow', {
      find: async () => (++calls === 1 ? new Promise((resolve) => (answer = () => resolve(['first']))) : ['another']),
    } as never);
    added.on('connection', (connection: object) => connections?.push(connection));
    added.on('disconnect', (connection: object) => gone?.push(connection));
  });
  return { app, url, connections: connections ?? [], gone: gone ?? [], answer: () => answer?.(), begun: () => answer !== undefined };
}

it('S35 a connection that the application has ended makes no other call while one is still answered', async () => {
  const { app, url, connections, answer, begun } = await startSlow();
  const socket = await connect(url);
  const disconnected = new Promise((resolve) => socket.once('disconnect', resolve));
  const first = call(socket, 'find', 'slow', {});
  await until(begun);
  app.emit('disconnect', connections[0]);
  expect((await call(socket, 'find', 'slow', {})).error).toMatchObject({ code: 503, message: 'The connection has ended: connect again' });
  answer();
  expect((await first).result).toEqual(['first']);
  await disconnected;
});

it('S35 a connection that the application has ended stays for no call that is not answered in a second', async () => {
  const { app, url, connections, begun } = await startSlow();
  const socket = await connect(url);
  const disconnected = new Promise((resolve) => socket.once('disconnect', resolve));
  void call(socket, 'find', 'slow', {});
  await until(begun);
  const real = globalThis.setTimeout;
  let over: (() => void) | undefined;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void, delay: number) => {
    if (delay === 1000) over = ring;
    return real(ring, delay);
  }) as never);
  app.emit('disconnect', connections[0]);
  expect([typeof over, socket.connected]).toEqual(['function', true]);
  over?.();
  expect(await disconnected).toBe('io server disconnect');
});

it('the signal of a call that was answered is not aborted when its client goes', async () => {
  const signals: AbortSignal[] = [];
  let gone = false;
  const { url } = await start((added) => {
    added.use('quick', { find: async ({ signal }: any) => void signals.push(signal) } as never);
    added.on('disconnect', () => (gone = true));
  });
  const socket = await connect(url);
  await call(socket, 'find', 'quick', {});
  socket.disconnect();
  await until(() => gone);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

it('methods of a service that comes later are taken from the sockets that are there, and from none that has gone', async () => {
  const { app, url, gone } = await startSlow();
  const sockets: Socket[] = [];
  app.io.on('connection', (socket: Socket) => sockets.push(socket));
  const first = await connect(url);
  const second = await connect(url);
  first.disconnect();
  await until(() => gone.length === 1);
  let called = 0;
  const late = { extra: async () => (called += 1) };
  (app as AnyApplication).use('late', late as never, { methods: ['extra'] } as never);
  expect(sockets.map((socket) => socket.listenerCount('extra'))).toEqual([0, 1]);
  // Nobody waits for an answer.
  second.emit('extra', 'late', {});
  await until(() => called === 1);
});
