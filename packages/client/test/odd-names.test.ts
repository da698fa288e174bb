import type { AddressInfo } from 'node:net';
import { MemoryService } from '@framework/adapter-memory';
import { framework } from '@framework/core';
import express, { json, rest as restTransport } from '@framework/transport-express';
import { socketio as socketTransport } from '@framework/transport-socketio';
import { sse as sseTransport } from '@framework/transport-sse';
import { afterEach, describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import { createClient, rest, socketio, sse } from '../src/index.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server with one service, at a path. */
async function start(path: string, ...others: string[]): Promise<string> {
  const app = express(framework());
  // The service at the root would take the path of streams for an id.
  app.use(json()).configure(sseTransport()).configure(restTransport()).configure(socketTransport());
  for (const each of [path, ...others]) app.use(each, new MemoryService({ startId: 1 }));
  app.on('connection', (connection: object) => app.channel('everybody').join(connection));
  app.publish(() => app.channel('everybody'));
  const server = await app.listen(0, '127.0.0.1');
  ends.push(() => {
    // A server waits half a second for connections that a client keeps: nobody uses these any more.
    server.closeIdleConnections();
    return app.close({ timeout: 1000 });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const clients = {
  sse: (url: string) => createClient(rest(url), { events: sse(url) }),
  socket: (url: string) => {
    const socket = io(url, { transports: ['websocket'], forceNew: true });
    ends.push(() => socket.disconnect());
    return createClient(socketio(socket));
  },
};

const PATHS = [
  '/',
  'constructor',
  '__proto__',
  'toString',
  'a/constructor',
  'connection',
  'reset',
  'A',
  'Café menu',
  '日本/é',
  '100%',
  'a@b+c,$&;=d',
  'cafe\u0301',
];

describe.each(['sse', 'socket'] as const)('a client over %s', (kind) => {
  it.each(PATHS)('calls the service at %s', async (path) => {
    const client = clients[kind](await start(path));
    ends.push(() => client.close());
    await client.service(path).create({ text: 'one' });
    expect(await client.service(path).find()).toEqual([{ id: 1, text: 'one' }]);
  });

  it('gives the events of a service alone, and not those of one whose path goes on behind a blank', async () => {
    const client = clients[kind](await start('my', 'my notes', 'my notes/old'));
    ends.push(() => client.close());
    const connected = new Promise<void>((resolve) => client.on('connect', resolve));
    const [short, long] = [client.service('my').events(), client.service('my notes').events()];
    const told = [short.next(), long.next()];
    await connected;
    for (const path of ['my notes/old', 'my notes', 'my']) await client.service(path).create({ text: path });
    expect((await Promise.all(told)).map(({ value }) => value as unknown)).toEqual([
      { type: 'created', data: { id: 1, text: 'my' } },
      { type: 'created', data: { id: 1, text: 'my notes' } },
    ]);
  });

  it.each(PATHS)('hears the events of the service at %s', async (path) => {
    const client = clients[kind](await start(path));
    ends.push(() => client.close());
    const connected = new Promise<void>((resolve) => client.on('connect', resolve));
    const told = new Promise((resolve) => client.service(path).on('created', resolve));
    await connected;
    await client.service(path).create({ text: 'one' });
    expect(await told).toEqual({ id: 1, text: 'one' });
  });

  it.each(PATHS)('iterates over the events of the service at %s', async (path) => {
    const client = clients[kind](await start(path));
    ends.push(() => client.close());
    const connected = new Promise<void>((resolve) => client.on('connect', resolve));
    const first = client.service(path).events().next();
    await connected;
    await client.service(path).create({ text: 'one' });
    expect((await first).value).toEqual({ type: 'created', data: { id: 1, text: 'one' } });
  });
});
