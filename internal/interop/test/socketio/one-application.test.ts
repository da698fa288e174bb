import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { feathers } from '@feathersjs/feathers';
import { memory } from '@feathersjs/memory';
import restClient from '@feathersjs/rest-client';
import socketio from '@feathersjs/socketio';
import { framework } from '@framework/core';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import { plugin, start, stopAll, type AnyApplication } from '../application.ts';
import { call, collect, connect, connectClient, disconnectAll, socketioClient } from '@framework-internal/testing/sockets';

afterEach(async () => {
  disconnectAll();
  await stopAll();
});

describe('REST and sockets in one application', () => {
  it('share services, hooks and one port', async () => {
    const providers: unknown[] = [];
    const { url } = await start((app) => {
      app.configure(plugin(socketio()));
      app.use('notes', memory());
      app.service('notes').hooks({ before: { all: [async (context: any) => void providers.push(context.params.provider)] } });
      app.service('notes').publish(() => app.channel('everybody'));
      app.on('connection', (connection: any) => app.channel('everybody').join(connection));
    });
    const overRest: any = feathers();
    overRest.configure((restClient as unknown as (base: string) => any)(url).fetch(fetch));
    const { app: overSocket, socket } = await connectClient(url);
    const received = collect(socket, 'notes created');

    const first = await overRest.service('notes').create({ text: 'over REST' });
    const second = await overSocket.service('notes').create({ text: 'over a socket' });
    await expect(overRest.service('notes').find()).resolves.toEqual([first, second]);
    await expect(overSocket.service('notes').find()).resolves.toEqual([first, second]);
    await call(socket, 'get', 'notes', 0, {});
    expect(received).toEqual([first, second]);
    expect(providers).toEqual(['rest', 'socketio', 'rest', 'socketio', 'socketio']);
  });

  it.each([
    ['rest() first', [rest(), plugin(socketio())]],
    ['socketio() first', [plugin(socketio()), rest()]],
  ])('do not depend on their order: %s', async (_title, transports) => {
    const app = express(framework()) as unknown as AnyApplication;
    app.use(json());
    for (const transport of transports) app.configure(transport);
    const setups: string[] = [];
    app.use('notes', Object.assign(memory(), { setup: async (_app: unknown, path: string) => void setups.push(path) }));
    app.use(errorHandler({ logger: false }));
    const server = await app.listen(0, '127.0.0.1');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(setups).toEqual(['notes']);
    expect((await fetch(`${url}/notes`)).status).toBe(200);
    expect((await call(await connect(url), 'find', 'notes', {})).result).toEqual([]);
    disconnectAll();
    app.io.close();
    await app.close({ timeout: 500 });
    expect(server.listening).toBe(false);
  });

  it('give the server to the transport when the application is set up with one of its own', async () => {
    const app = express(framework()) as unknown as AnyApplication;
    app.configure(rest()).configure(plugin(socketio()));
    app.use('notes', memory());
    const server = http.createServer(app);
    await app.setup(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await call(await connect(url), 'find', 'notes', {})).result).toEqual([]);
    expect(await (await fetch(`${url}/notes`)).json()).toEqual([]);
    disconnectAll();
    await app.io.close();
    await app.teardown();
  });

  it('configure the sockets before services are set up', async () => {
    const order: string[] = [];
    await start((app) => {
      app.configure(plugin(socketio((io) => void order.push(`configured with ${String(io.sockets.name)}`))));
      app.use('notes', Object.assign(memory(), { setup: async () => void order.push('set up') }));
    });
    expect(order).toEqual(['configured with /', 'set up']);
  });

  it('run the setup hooks of the application with the server', async () => {
    const seen: unknown[] = [];
    const { app } = await start((added) => {
      added.configure(plugin(socketio()));
      added.hooks({
        setup: [
          async (context: any, next: () => Promise<void>) => {
            seen.push(context.server);
            await next();
          },
        ],
      });
    });
    expect(seen).toEqual([app.server]);
  });
});

describe('sockets without Express', () => {
  it('listen with the core alone', async () => {
    const app = framework() as unknown as AnyApplication;
    app.configure(plugin(socketio()));
    app.use('notes', memory());
    const server = (await app.listen(0, '127.0.0.1')) as http.Server;
    await new Promise<void>((resolve) => (server.listening ? resolve() : server.once('listening', resolve)));
    const { app: client } = await connectClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await expect(client.service('notes').create({ text: 'a' })).resolves.toEqual({ id: 0, text: 'a' });
    disconnectAll();
    await app.io.close();
  });
});

describe("the incumbent's socket client in an application of ours", () => {
  it('calls services, with hooks, errors and events', async () => {
    const { url } = await start((app) => {
      app.configure(plugin(socketio()));
      app.use('notes', memory());
      app.service('notes').publish(() => app.channel('everybody'));
      app.on('connection', (connection: any) => app.channel('everybody').join(connection));
    });
    const client = framework() as unknown as AnyApplication;
    client.configure(socketioClient(await connect(url)));
    const notes: any = client.service('notes');
    notes.hooks({ before: { create: [async (context: any) => void (context.data = { ...context.data, from: 'a hook' })] } });
    const received = new Promise((resolve) => notes.once('created', resolve));
    const created = await notes.create({ text: 'hello' });
    expect(created).toEqual({ id: 0, text: 'hello', from: 'a hook' });
    expect(await received).toEqual(created);
    await expect(notes.get(99)).rejects.toMatchObject({ name: 'NotFound', code: 404 });
  });
});
