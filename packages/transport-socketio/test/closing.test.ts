import { createHook } from 'node:async_hooks';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { send } from '@framework-internal/testing/http';
import { disconnectAll } from '@framework-internal/testing/sockets';
import { framework } from '@framework/core';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { socketio } from '../src/index.ts';
import { call, collect, connect, memory, RECONNECTING, start, stopAll, until, type AnyApplication } from './harness.ts';

afterEach(stopAll);

describe.each([['websocket'], ['polling']])('closing the application with clients over %s', (transport) => {
  it('S44 answers what is being worked on, and cuts the clients so that they come back', async () => {
    let answer: (value: unknown) => void = () => undefined;
    let asked = false;
    const { app, url } = await start((added) => {
      added.use('slow', {
        find: () => {
          asked = true;
          return new Promise((resolve) => (answer = resolve));
        },
      } as never);
    });
    const socket = await connect(url, { transports: [transport] });
    const idle = await connect(url, { transports: [transport] });
    const reasons = [socket, idle].map((each) => new Promise((resolve) => each.once('disconnect', resolve)));
    const result = call(socket, 'find', 'slow', {});
    await until(() => asked);
    const closed = app.close({ timeout: 20_000 });
    await expect(connect(url, { transports: [transport] })).rejects.toThrow();
    answer(['done']);
    expect((await result).result).toEqual(['done']);
    // Any other reason, and the client would not come back by itself.
    for (const reason of await Promise.all(reasons)) expect(['transport close', 'transport error']).toContain(reason);
    await closed;
    expect(app.channels).toEqual([]);
  });
});

it('S44 no connection is taken in while the application closes, over a connection of the network that it keeps either', async () => {
  let answer: () => void = () => undefined;
  let asked = false;
  const { app, url } = await start((added) => {
    added.use('slow', {
      find: () => {
        asked = true;
        return new Promise((resolve) => (answer = () => resolve([])));
      },
    } as never);
  });
  const result = call(await connect(url), 'find', 'slow', {});
  await until(() => asked);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const open = async (): Promise<[number | undefined, string]> => {
    const path = `${url}/socket.io/?EIO=4&transport=polling`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => get(path, { agent }, resolve).on('error', reject));
    return [response.statusCode, await text(response)];
  };
  expect(await open()).toEqual([200, expect.stringContaining('"sid"')]);
  const closed = app.close({ timeout: 20_000 });
  expect(await open()).toEqual([403, expect.stringContaining('The server is closing')]);
  answer();
  await result;
  agent.destroy();
  await closed;
});

it('S44 nothing waits for a client that was polling and sends no request any more', async () => {
  const timers = new Map<number, { hasRef?(): boolean; readonly _idleTimeout?: number }>();
  const hook = createHook({
    init: (id, type, _trigger, resource) => type === 'Timeout' && timers.set(id, resource),
    destroy: (id) => timers.delete(id),
  }).enable();
  const { app, url } = await start(() => undefined);
  const path = '/socket.io/?EIO=4&transport=polling';
  const { sid } = JSON.parse((await send(url, path)).text.slice(1)) as { sid: string };
  expect((await send(url, `${path}&sid=${sid}`, { method: 'POST', body: '40' })).status).toBe(200);
  expect((await send(url, `${path}&sid=${sid}`)).text).toMatch(/^40/);
  await app.close();
  // It has a moment to ask for what is left.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  hook.disable();
  // The one that has just fired, and nothing else that keeps the process alive for long: those who report of tests have timers of their own.
  const long = [...timers.values()].filter((timer) => timer.hasRef?.() && Number(timer._idleTimeout) >= 1000);
  expect(long.map(({ _idleTimeout }) => _idleTimeout)).toEqual([1000]);
});

describe('an application that starts again', () => {
  it('takes clients in, also where it could not be set up before', async () => {
    let isThere = false;
    let app: AnyApplication | undefined;
    const failing = start((added) => {
      app = added;
      const setup = async (): Promise<void> => {
        if (!isThere) throw new Error('The database is not there yet');
      };
      added.use('late', { find: async () => ['found'], setup } as never);
    });
    await expect(failing).rejects.toThrow('The database is not there yet');
    isThere = true;
    const server = await app?.listen(0, '127.0.0.1');
    try {
      const socket = await connect(`http://127.0.0.1:${(server?.address() as AddressInfo).port}`);
      expect((await call(socket, 'find', 'late', {})).result).toEqual(['found']);
    } finally {
      disconnectAll();
      await app?.close({ timeout: 1000 });
    }
  });

  it('takes its clients back', async () => {
    const { app, url } = await start((added) => {
      added.use('messages', memory());
      added.publish(() => added.channel('everybody'));
      added.on('connection', (connection: any) => added.channel('everybody').join(connection));
    });
    const socket = await connect(url, RECONNECTING);
    const received = collect(socket, 'messages created');
    await app.close();
    await until(() => !socket.connected);
    await app.listen(Number(new URL(url).port), '127.0.0.1');
    await until(() => socket.connected);
    await app.service('messages').create({});
    await until(() => received.length === 1);
    expect([socket.connected, received.length]).toEqual([true, 1]);
  });
});

it('S44 an application without HTTP waits for calls that are not answered no longer than for ten seconds', async () => {
  const real = globalThis.setTimeout;
  const app = framework() as any;
  app.configure(socketio({ logger: false }));
  let asked = false;
  app.use('stuck', {
    find: () => {
      asked = true;
      return new Promise(() => undefined);
    },
  });
  const server = await app.listen(0, '127.0.0.1');
  const socket = await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  void call(socket, 'find', 'stuck', {});
  await until(() => asked);
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((ring: () => void, delay: number) => real(ring, delay === 10_000 ? 0 : delay)) as never);
  await app.teardown();
  jest.restoreAllMocks();
  disconnectAll();
  expect(app.io).toBeUndefined();
});
