import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { framework } from '@framework/core';
import express from '@framework/transport-express';
import { afterEach, expect, it } from '@jest/globals';
import { socketio } from '../src/index.ts';
import { call, connect, stopAll, type AnyApplication } from './harness.ts';

afterEach(stopAll);

const urlOf = (server: unknown): string => `http://127.0.0.1:${((server as http.Server).address() as AddressInfo).port}`;

const listening = async (server: net.Server): Promise<void> => {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
};

it('sockets are those of the server that the application has started with, after one that it could not start with', async () => {
  const app = express(framework()) as unknown as AnyApplication;
  app.configure(socketio({ logger: false }));
  let starts = 0;
  const setup = async (): Promise<void> => {
    if (starts++ === 0) throw new Error('no database');
  };
  app.use('notes', { find: async () => ['a note'], setup });
  await expect(app.listen(0, '127.0.0.1')).rejects.toThrow('no database');
  const socket = await connect(urlOf(await app.listen(0, '127.0.0.1')));
  expect((await call(socket, 'find', 'notes', {})).result).toEqual(['a note']);
  await app.close({ timeout: 1000 });
});

it('sockets come over each server that the application is set up with', async () => {
  const app = express(framework()) as unknown as AnyApplication;
  app.configure(socketio({ logger: false }));
  app.use('notes', { find: async () => ['a note'] });
  const second = http.createServer(app as never);
  await listening(second);
  const servers = [await app.listen(0, '127.0.0.1'), second];
  await app.setup(second);
  await app.setup(second);
  for (const server of servers) {
    const socket = await connect(urlOf(server));
    expect((await call(socket, 'find', 'notes', {})).result).toEqual(['a note']);
  }
  await app.close({ timeout: 1000 });
  expect(servers.map((server) => server.listening)).toEqual([false, false]);
});

it('an application without Express refuses what is neither a port nor the path of a socket', async () => {
  const app = framework() as unknown as AnyApplication;
  app.configure(socketio({ logger: false }));
  await expect(app.listen('abc' as never)).rejects.toThrow(/^app\.listen\(\) takes a port from 0 to 65535, .* and not 'abc'$/);
  await app.teardown();
});

it('a port that is taken fails the setup, which can be tried again', async () => {
  const taken = net.createServer();
  await listening(taken);
  const { port } = taken.address() as AddressInfo;
  const app = framework() as unknown as AnyApplication;
  app.configure(socketio(port));
  app.use('notes', { find: async () => ['a note'] });
  await expect(app.setup()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((resolve) => taken.close(resolve));
  await app.setup();
  const socket = await connect(`http://127.0.0.1:${port}`);
  expect((await call(socket, 'find', 'notes', {})).result).toEqual(['a note']);
  await app.teardown();
});

/** An application with sockets at a port that is free, or not, and what stays of its server. */
async function atPort(isTaken = false): Promise<{ app: AnyApplication; url: string; free: () => Promise<unknown> }> {
  const taken = net.createServer();
  await listening(taken);
  const { port } = taken.address() as AddressInfo;
  const free = (): Promise<unknown> => new Promise((resolve) => taken.close(resolve));
  if (!isTaken) await free();
  const app = framework() as unknown as AnyApplication;
  app.configure(socketio(port, { logger: false }));
  app.use('notes', { find: async () => ['a note'] });
  return { app, url: `http://127.0.0.1:${port}`, free };
}

const ENDED = 'app.teardown() was called before app.setup() had ended: the services are not set up';

it('an application that is torn down while its port opens stays down, and can be set up again', async () => {
  const { app, url } = await atPort();
  const set = expect(app.setup()).rejects.toThrow(ENDED);
  await Promise.all([set, app.teardown()]);
  await expect(fetch(url)).rejects.toThrow();
  await app.setup();
  const socket = await connect(url);
  expect((await call(socket, 'find', 'notes', {})).result).toEqual(['a note']);
  await app.teardown();
});

it('an application that is set up while it is torn down has its sockets afterwards', async () => {
  const { app, url } = await atPort();
  await app.setup();
  await Promise.all([app.teardown(), app.setup()]);
  const socket = await connect(url);
  expect((await call(socket, 'find', 'notes', {})).result).toEqual(['a note']);
  await app.teardown();
});

it('a port that is taken fails each of two setups at once', async () => {
  const { app, free } = await atPort(true);
  const both = await Promise.allSettled([app.setup(), app.setup()]);
  expect(both).toMatchObject([{ reason: { code: 'EADDRINUSE' } }, { reason: { code: 'EADDRINUSE' } }]);
  await free();
  await app.setup();
  await app.teardown();
});

it('sockets end also where a service can not be torn down', async () => {
  const { app, url } = await atPort();
  app.use('late', { find: async () => [], teardown: () => Promise.reject(new Error('no end')) });
  await app.setup();
  await expect(app.teardown()).rejects.toThrow('no end');
  await expect(fetch(url)).rejects.toThrow();
});

it('a server that is closed before it listens is told to who waits for it', async () => {
  const app = framework() as unknown as AnyApplication;
  app.configure(socketio({ logger: false }));
  const setup = app.setup.bind(app);
  let ended: Promise<unknown> | undefined;
  app.setup = async (server) => {
    await setup(server);
    if (!(server instanceof http.Server)) throw new Error('There is no server');
    const listen = server.listen.bind(server);
    server.listen = ((...args: []) => {
      listen(...args);
      ended = app.teardown();
      server.close();
      return server;
    }) as never;
    return app;
  };
  await expect(app.listen(0, '127.0.0.1')).rejects.toThrow('The server was closed while it was starting');
  await ended;
});

it('S44 sockets of an application that is mounted in another end with that, and wait for nothing', async () => {
  const inner = express(framework()) as unknown as AnyApplication;
  inner.configure(socketio({ logger: false }));
  inner.use('notes', { find: async () => ['a note'] });
  const app = express(framework()) as unknown as AnyApplication;
  app.use('/api', inner as never);
  let ends = 0;
  inner.on('closing', () => void (ends += 1));
  let signal: AbortSignal | undefined;
  app.on('closing', (closing) => void (signal = closing.signal));
  const socket = await connect(urlOf(await app.listen(0, '127.0.0.1')), { reconnection: false });
  const ended = new Promise((resolve) => socket.once('disconnect', resolve));
  await app.close({ timeout: 60_000 });
  await ended;
  expect([signal?.aborted, ends]).toEqual([false, 1]);
});

it('an asynchronous callback is waited for before services are set up, and fails the setup with what it fails with', async () => {
  const steps: string[] = [];
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const app = express(framework()) as unknown as AnyApplication;
    const callback = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      steps.push('callback');
      if (steps.length === 1) throw new Error('no adapter');
    };
    app.configure(socketio({ logger: false }, callback));
    app.use('notes', { find: async () => ['a note'], setup: async () => void steps.push('setup') });
    await expect(app.listen(0, '127.0.0.1')).rejects.toThrow('no adapter');
    expect(steps).toEqual(['callback']);
    const socket = await connect(urlOf(await app.listen(0, '127.0.0.1')));
    expect((await call(socket, 'find', 'notes', {})).result).toEqual(['a note']);
    expect([steps, unhandled]).toEqual([['callback', 'callback', 'setup'], []]);
    await app.close({ timeout: 1000 });
  } finally {
    process.off('unhandledRejection', note);
  }
});

it('a port is opened by the setup that comes after one whose callback has failed', async () => {
  const free = net.createServer();
  await listening(free);
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const app = framework() as unknown as AnyApplication;
  let calls = 0;
  app.configure(
    socketio(port, { logger: false }, () => {
      if (calls++ === 0) throw new Error('no adapter');
    }),
  );
  app.use('notes', { find: async () => ['a note'] });
  await expect(app.setup()).rejects.toThrow('no adapter');
  await app.setup();
  const socket = await connect(`http://127.0.0.1:${port}`);
  expect((await call(socket, 'find', 'notes', {})).result).toEqual(['a note']);
  await app.teardown();
});
