import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { framework } from '@framework/core';
import { request } from '@framework-internal/testing/supertest';
import { describe, expect, it } from '@jest/globals';
import express, { errorHandler, json, notFound, rest, text, urlencoded, type Application } from '../src/index.ts';
import { echo, listen, send, sendJson } from './harness.ts';

function build(log: unknown[] = []): Application {
  const app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  app.use('echo', {
    ...echo,
    async setup() {
      log.push('setup');
    },
  });
  app.use(notFound()).use(errorHandler({ logger: false }));
  return app;
}

describe('servers that the application did not make (interface 4.3)', () => {
  it('supertest: the application is a request handler', async () => {
    const app = build();
    await request(app)
      .get('/echo/5?a=1')
      .expect(200)
      .expect((answer) => {
        expect(answer.body).toMatchObject({ id: '5', query: { a: '1' }, provider: 'rest' });
      });
    await request(app).post('/echo').send({ x: 1 }).expect(201);
    await request(app).get('/nothing').set('Accept', 'application/json').expect(404);
  });

  it('http.createServer(app), with setup called by hand', async () => {
    const log: unknown[] = [];
    const app = build(log);
    const server = http.createServer(app as unknown as http.RequestListener).listen(0);
    await app.setup(server);
    expect(log).toEqual(['setup']);
    const { port } = server.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}/echo/1`)).json()).toMatchObject({ id: '1' });
    server.close();
  });

  it('https.createServer(options, app), with setup called by hand', async () => {
    const log: unknown[] = [];
    const app = build(log);
    // Made for these tests alone, for localhost.
    const [key, cert] = ['key', 'cert'].map((name) => readFileSync(new URL(`./fixtures/localhost.${name}.pem`, import.meta.url)));
    const server = https.createServer({ key, cert }, app as unknown as http.RequestListener).listen(0);
    await app.setup(server);
    expect(log).toEqual(['setup']);
    const { port } = server.address() as AddressInfo;
    const status = await new Promise((resolve, reject) => {
      https
        .get({ port, path: '/echo/1', rejectUnauthorized: false, agent: false }, (response) => {
          resolve(response.resume().statusCode);
        })
        .on('error', reject);
    });
    expect(status).toBe(200);
    server.close();
  });

  it('serverOptions(app): requests are made of all that the runtime has for them, as Bun has more than Node.js', () => {
    const { IncomingMessage } = http;
    let given: readonly unknown[] = [];
    const ofRuntime = function (...values: readonly unknown[]): void {
      given = values;
    };
    let options: ReturnType<typeof express.serverOptions>;
    try {
      Object.assign(http, { IncomingMessage: ofRuntime });
      options = express.serverOptions(build());
    } finally {
      Object.assign(http, { IncomingMessage });
    }
    Reflect.construct(options.IncomingMessage as unknown as typeof ofRuntime, ['socket', 'GET', '/notes', {}]);
    expect(given).toEqual(['socket', 'GET', '/notes', {}]);
  });

  it('serverOptions(app): a server of one’s own creates requests as the application would', async () => {
    const app = build();
    const prototypes: boolean[] = [];
    const [key, cert] = ['key', 'cert'].map((name) => readFileSync(new URL(`./fixtures/localhost.${name}.pem`, import.meta.url)));
    const listener = app as unknown as http.RequestListener;
    const servers = [
      http.createServer(express.serverOptions(app), listener),
      https.createServer({ ...express.serverOptions(app), key, cert }, listener),
    ];
    for (const [index, server] of servers.entries()) {
      server.prependListener('request', (req, res) => {
        const { request, response } = app as unknown as { request: object; response: object };
        prototypes.push(Object.getPrototypeOf(req) === request && Object.getPrototypeOf(res) === response);
      });
      await new Promise<void>((resolve) => server.listen(0, resolve));
      const { port } = server.address() as AddressInfo;
      const client = index === 0 ? http : https;
      const status = await new Promise((resolve, reject) => {
        client
          .get({ port, path: '/echo/1', rejectUnauthorized: false, agent: false } as https.RequestOptions, (response) => {
            resolve(response.resume().statusCode);
          })
          .on('error', reject);
      });
      expect(status).toBe(200);
      server.close();
    }
    expect(prototypes).toEqual([true, true]);
  });

  it('the built-in middleware is that of Express and of the third-party modules', async () => {
    const [{ default: cors }, { default: compression }, { default: original }] = await Promise.all([
      import('cors'),
      import('compression'),
      import('express'),
    ]);
    expect(express.cors).toBe(cors);
    expect(express.compression).toBe(compression);
    for (const name of ['raw', 'Router', 'static'] as const) expect(express[name]).toBe(original[name]);
    // Those of Express, which look at the bytes first.
    expect([express.json, express.urlencoded, express.text]).toEqual([json, urlencoded, text]);
    for (const name of ['urlencoded', 'text'] as const) expect(express[name]({ extended: true } as never).name).toBe(`${name}Parser`);
    expect(express.serveStatic).toBe(original.static);
    expect(express.original).toBe(original);
  });

  it('virtual hosts: an application behind another one', async () => {
    const inner = build();
    await inner.setup();
    const outer = express();
    outer.use((req, res, next) => {
      if (req.headers.host === 'inner.example') inner(req, res, next);
      else next();
    });
    const statuses = ['inner.example', 'other.example'].map(async (host) => (await request(outer).get('/echo/1').set('Host', host)).status);
    expect(await Promise.all(statuses)).toEqual([200, 404]);
  });
});

describe('an application made by another copy of Express (interface 4.3)', () => {
  /** The packages have no types of their own. */
  const load = createRequire(import.meta.url);

  it.each(['express', 'express4', 'express4-floor', 'express5-floor'])('answers as one made by its own: %s', async (name) => {
    const answers = async (serverApp?: object): Promise<{ created: unknown[]; given: unknown[][] }> => {
      const created: unknown[] = [];
      const app = express(framework(), serverApp) as Application;
      app.use(json());
      app.configure(rest());
      app.use('notes', {
        async get(id: string) {
          return { id };
        },
        async create(data: unknown) {
          created.push(data);
          return data;
        },
      });
      app.use(notFound()).use(errorHandler({ logger: false, html: false }));
      const { url, stop } = await listen(app);
      const html = { headers: { accept: 'text/html' } };
      const given = [
        await send(url, '/notes/1'),
        await send(url, '/notes/1', html),
        await sendJson(url, 'POST', '/notes', { text: 'a' }, html.headers),
        await send(url, '/none', html),
      ];
      await stop();
      return { created, given: given.map(({ status, headers, body }) => [status, headers['content-type'], body]) };
    };
    const own = await answers();
    expect(own.given.map(([status]) => status)).toEqual([200, 406, 406, 404]);
    expect(await answers((load(name) as () => object)())).toEqual(own);
  });
});
