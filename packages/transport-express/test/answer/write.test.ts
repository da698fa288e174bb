import { channel } from 'node:diagnostics_channel';
import http, { type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { framework, type HookContext } from '@framework/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import originalExpress, { type RequestHandler, type Response } from 'express';
import express, { errorHandler, json, notFound, rest, type Application } from '../../src/index.ts';
import { listen, send, sendJson, type Running } from '../harness.ts';

const open: Running[] = [];
afterEach(async () => {
  for (const running of open.splice(0)) await running.stop();
});

/** An application with a service, an error handler, and what `front` and `listening` put before them. */
async function start(front?: RequestHandler, settle?: (app: Application) => void, ...after: RequestHandler[]): Promise<Running> {
  const app = express(framework()) as Application;
  settle?.(app);
  app.use(json());
  if (front) app.use(front);
  app.configure(rest());
  const service = {
    id: 'id',
    get: async (id: string) => ({ id, text: 'ü' }),
    find: async () => [{ id: 1 }],
    create: async (data: object) => ({ id: 5, ...data }),
    update: async (id: string) => ({ id }),
  };
  if (after.length === 0) app.use('items', service);
  else app.use('items', service, ...(after as [RequestHandler]));
  app.use(notFound());
  app.use(errorHandler({ logger: false }));
  const running = await listen(app);
  open.push(running);
  return running;
}

const COMPLETE = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': 22,
  vary: 'Accept, Authorization, Origin',
  'x-content-type-options': 'nosniff',
};

function watched(res: ServerResponse, event: string): Promise<object> {
  return new Promise((resolve) => {
    res.once(event, () => {
      resolve({ ...res.getHeaders() });
    });
  });
}

describe('the headers of an answer are there for', () => {
  it.each(['finish', 'close', 'prefinish'])(
    "whoever replaced the server's emit and listens to %s, as OpenTelemetry does",
    async (event) => {
      const { emit } = http.Server.prototype;
      let seen: Promise<object> | undefined;
      http.Server.prototype.emit = function (this: Server, name: string, ...args: unknown[]) {
        if (name === 'request') seen = watched(args[1] as ServerResponse, event);
        return Reflect.apply(emit, this, [name, ...args]) as boolean;
      } as typeof emit;
      try {
        const { url } = await start();
        await send(url, '/items/1');
        expect(await seen).toMatchObject(COMPLETE);
      } finally {
        // It stood on the prototype of all emitters.
        delete (http.Server.prototype as { emit?: unknown }).emit;
      }
    },
  );

  it("whoever replaced the server's emit and keeps the response without listening", async () => {
    const { emit } = http.Server.prototype;
    let kept: ServerResponse | undefined;
    http.Server.prototype.emit = function (this: Server, name: string, ...args: unknown[]) {
      if (name === 'request') kept = args[1] as ServerResponse;
      return Reflect.apply(emit, this, [name, ...args]) as boolean;
    } as typeof emit;
    try {
      const { url } = await start();
      await send(url, '/items/1');
      expect(kept?.getHeaders()).toMatchObject(COMPLETE);
    } finally {
      delete (http.Server.prototype as { emit?: unknown }).emit;
    }
  });

  it.each(['writeHead', 'end'] as const)('a replaced %s of all responses', async (name) => {
    const { prototype } = http.ServerResponse;
    const original = prototype[name] as (...args: unknown[]) => unknown;
    const own = Object.hasOwn(prototype, name);
    let seen: object | undefined;
    prototype[name] = function (this: ServerResponse, ...args: unknown[]) {
      seen ??= { ...this.getHeaders() };
      return Reflect.apply(original, this, args);
    } as never;
    try {
      const { url } = await start();
      await send(url, '/items/1');
      expect(seen).toMatchObject(COMPLETE);
    } finally {
      if (own) prototype[name] = original as never;
      else Reflect.deleteProperty(prototype, name);
    }
  });

  it.each(['http.server.request.start', 'http.server.response.finish'])('subscribers of %s', async (name) => {
    let response: ServerResponse | undefined;
    const watch = (message: unknown): void => {
      response = (message as { response: ServerResponse }).response;
    };
    channel(name).subscribe(watch);
    try {
      const { url } = await start();
      await send(url, '/items/1');
      expect(response?.getHeaders()).toMatchObject(COMPLETE);
    } finally {
      channel(name).unsubscribe(watch);
    }
  });

  it('error answers too', async () => {
    let seen: Promise<object> | undefined;
    const { url } = await start((_req, res, next) => {
      seen = watched(res, 'finish');
      next();
    });
    await send(url, '/none');
    expect(await seen).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  });
});

describe('a replaced function of the response', () => {
  const wrap =
    (name: 'json' | 'send', note: (value: unknown) => unknown): RequestHandler =>
    (_req, res, next) => {
      const original = res[name].bind(res) as (value: unknown) => Response;
      res[name] = (value: unknown) => original(note(value));
      next();
    };

  it('json gets what services and the error handler answer, and may put it in an envelope', async () => {
    const { url } = await start(wrap('json', (data) => ({ data })));
    const answer = await send(url, '/items/1');
    expect(answer).toMatchObject({ status: 200, body: { data: { id: '1', text: 'ü' } }, headers: { vary: COMPLETE.vary } });
    expect((await sendJson(url, 'POST', '/items', { a: 1 })).body).toEqual({ data: { id: 5, a: 1 } });
    expect(await send(url, '/none')).toMatchObject({ status: 404, body: { data: { name: 'NotFound', code: 404 } } });
  });

  it('send gets the text', async () => {
    const texts: unknown[] = [];
    const { url } = await start(
      wrap('send', (text) => {
        texts.push(text);
        return text;
      }),
    );
    await send(url, '/items/1');
    await send(url, '/none', { headers: { accept: 'text/html' } });
    expect(texts).toContain('{"id":"1","text":"ü"}');
    expect(texts.at(-1)).toContain('<!doctype html>');
  });

  it('format is asked', async () => {
    const { url } = await start((_req, res, next) => {
      res.format = (forms) => {
        res.setHeader('X-Forms', Object.keys(forms as object).join());
        (forms as Record<string, () => void>)['application/json']?.();
        return res;
      };
      next();
    });
    expect(await send(url, '/items/1')).toMatchObject({ body: { id: '1' }, headers: { 'x-forms': 'application/json' } });
    // What somebody else formats is not refused for them.
    expect((await send(url, '/items/1', { headers: { accept: 'text/csv' } })).status).toBe(200);
  });

  it('json of the application counts as well', async () => {
    const { url } = await start(undefined, (app) => {
      const response = (app as unknown as { response: Response }).response;
      const { json: original } = response;
      response.json = function (this: Response, value: unknown) {
        return Reflect.apply(original, this, [{ data: value }]);
      };
    });
    expect((await send(url, '/items/1')).body).toEqual({ data: { id: '1', text: 'ü' } });
  });
});

describe('the ETag of an answer', () => {
  /** What Express itself answers with the same value. */
  async function plain(settle?: (app: { set(name: string, value: unknown): unknown }) => void): Promise<{ url: string; stop: () => void }> {
    const app = originalExpress();
    settle?.(app);
    app.get('/items', (_req, res) => res.json([{ id: 1 }]));
    app.get('/items/:id', (req, res) => res.json({ id: req.params.id, text: 'ü' }));
    const server = app.listen(0);
    await new Promise((resolve) => server.once('listening', resolve));
    return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, stop: () => server.close() };
  }

  const settings: [string, unknown][] = [
    ['weak', 'weak'],
    ['true', true],
    ['strong', 'strong'],
    ['false', false],
    ['a function', (body: Buffer) => `"${Buffer.isBuffer(body)} ${body.length}"`],
  ];
  it.each(settings)('is that of Express with the setting %s', async (_title, value) => {
    const other = await plain((app) => app.set('etag', value));
    const alone = await start(undefined, (app) => app.set('etag', value));
    const behind = await start(
      (_req, _res, next) => next(),
      (app) => app.set('etag', value),
    );
    for (const path of ['/items', '/items/1', '/items/2?x=1']) {
      for (const method of ['GET', 'HEAD']) {
        const { etag } = (await send(other.url, path, { method })).headers;
        expect((await send(alone.url, path, { method })).headers.etag).toBe(etag);
        expect((await send(behind.url, path, { method })).headers.etag).toBe(etag);
      }
    }
    other.stop();
  });

  it('is weak by default, and gives 304 to who has it, as Express does', async () => {
    const other = await plain();
    const { url } = await start();
    const { etag } = (await send(url, '/items/1')).headers;
    expect(etag).toMatch(/^W\/"[0-9a-f]+-/);
    const conditions = [
      { 'if-none-match': etag },
      { 'if-none-match': String(etag).slice(2) },
      { 'if-none-match': `"x", ${etag}` },
      { 'if-none-match': '*' },
      { 'if-none-match': '"x"' },
      { 'if-none-match': 'nonsense,,"' },
      { 'if-none-match': etag, 'cache-control': 'no-cache' },
      { 'if-modified-since': new Date().toUTCString() },
    ];
    const statuses: number[] = [];
    for (const headers of conditions) {
      for (const method of ['GET', 'HEAD']) {
        const [theirs, ours] = [await send(other.url, '/items/1', { method, headers }), await send(url, '/items/1', { method, headers })];
        expect([headers, ours.status, ours.text, ours.headers.etag]).toEqual([headers, theirs.status, theirs.text, theirs.headers.etag]);
        statuses.push(ours.status);
      }
    }
    expect(new Set(statuses)).toEqual(new Set([200, 304]));
    const unchanged = await send(url, '/items/1', { headers: { 'if-none-match': String(etag) } });
    expect(unchanged.headers['content-type']).toBeUndefined();
    expect(unchanged.headers).toMatchObject({ vary: COMPLETE.vary });
    other.stop();
  });

  it('is for GET and HEAD alone, never on errors, and one that is set stays', async () => {
    const { url } = await start((req, res, next) => {
      if (req.headers['x-tag'] !== undefined) res.setHeader('ETag', '"mine"');
      next();
    });
    expect((await sendJson(url, 'POST', '/items', {})).headers.etag).toBeUndefined();
    expect((await sendJson(url, 'PUT', '/items/1', {})).headers.etag).toBeUndefined();
    expect((await send(url, '/none')).headers.etag).toBeUndefined();
    expect((await send(url, '/none', { headers: { 'x-tag': '1' } })).headers.etag).toBeUndefined();
    expect((await send(url, '/items/1', { headers: { 'x-tag': '1' } })).headers.etag).toBe('"mine"');
    expect((await send(url, '/items/1', { headers: { 'x-tag': '1', 'if-none-match': '"mine"' } })).status).toBe(304);
  });
});

describe('S47 a header that Node refuses', () => {
  it.each([200, 201, 204, 205, 304, 404])('with the status %i is one whole 500', async (status) => {
    const HEADERS: Record<string, Record<string, string | string[]>> = {
      value: { 'X-Name': 'a\nb' },
      name: { 'X Name': 'a' },
      list: { 'Set-Cookie': ['a=1', 'b=\u0100'] },
    };
    const app = express(framework()) as Application;
    app.configure(rest());
    app.use('items', { get: async (id: string) => ({ id }) });
    app.service('items').hooks({
      after: {
        all: [
          (context: HookContext) => {
            context.http = { status, headers: HEADERS[String(context.id)] ?? {} };
          },
        ],
      },
    });
    app.use(errorHandler({ logger: false }));
    const refused = await listen(app);
    open.push(refused);
    for (const kind of Object.keys(HEADERS)) {
      const answer = await fetch(`${refused.url}/items/${kind}`, { headers: { accept: 'application/json' } });
      expect([answer.status, answer.statusText]).toEqual([500, 'Internal Server Error']);
      expect(await answer.json()).toMatchObject({ code: 500, message: 'An unexpected error occurred on the server' });
    }
  });
});

describe('an answer that someone else has given', () => {
  it('S47 stays also where it was to be records, which are let go', async () => {
    let stopped = 0;
    const app = express(framework()) as Application;
    app.use((_req, res, next) => {
      res.status(503).end('too late');
      next();
    });
    app.configure(rest());
    app.use('stream', { find: async () => new Readable({ read: () => undefined }).once('close', () => (stopped += 1)) });
    app.use(
      'after',
      { find: async () => new Readable({ read: () => undefined }).once('close', () => (stopped += 1)) },
      (_req: unknown, _res: unknown, next: () => void) => next(),
    );
    const running = await listen(app);
    open.push(running);
    for (const path of ['/stream', '/after']) expect((await send(running.url, path)).status).toBe(503);
    for (let tries = 0; stopped < 2 && tries < 1000; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(stopped).toBe(2);
  });

  it('stays, and the connection with it', async () => {
    let finish: () => void = () => undefined;
    const app = express(framework()) as Application;
    app.use((_req, res, next) => {
      res.status(503).end('too late');
      next();
    });
    app.configure(rest());
    app.use('slow', {
      get: (id: string) =>
        new Promise((resolve, reject) => {
          finish = () => {
            if (id === 'fails') reject(new Error('late'));
            else resolve({ id });
          };
        }),
    });
    app.use(errorHandler({ logger: false }));
    const running = await listen(app);
    open.push(running);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<unknown>();
    const ask = (path: string): Promise<string> =>
      new Promise((resolve, reject) => {
        http
          .get(`${running.url}${path}`, { agent }, (response) => {
            sockets.add(response.socket);
            response.resume().on('end', () => {
              finish();
              setImmediate(() => setImmediate(() => resolve(`${response.statusCode}`)));
            });
          })
          .on('error', reject);
      });
    for (const path of ['/slow/1', '/slow/fails', '/slow/2']) expect(await ask(path)).toBe('503');
    expect(sockets.size).toBe(1);
    agent.destroy();
  });
});

describe('406 (security S39)', () => {
  it('is not sent before service middleware that formats for itself', async () => {
    const { url } = await start(undefined, undefined, (_req, res) => {
      res.type('csv').end('a');
    });
    expect(await send(url, '/items', { headers: { accept: 'text/csv' } })).toMatchObject({ status: 200, text: 'a' });
  });

  it('is sent where service middleware leaves the answer to the default formatter', async () => {
    const { url } = await start(undefined, undefined, (req, res, next) => {
      if (req.query.typed) res.type('csv');
      next();
    });
    expect((await send(url, '/items', { headers: { accept: 'text/csv' } })).status).toBe(406);
    expect((await send(url, '/items?typed=1', { headers: { accept: 'text/csv' } })).status).toBe(200);
    expect((await send(url, '/items')).status).toBe(200);
  });

  it.each([
    'application/json;q=0',
    'text/html, application/json; q=0',
    '*/*;q=0',
    'image/*',
    'application/json;q=0, */*',
    'application/*, application/json;q=0.000',
    'application/json;q=0, application/problem+json',
    'application/json;q=0, application/x-ndjson;q=0, */*',
  ])('is sent for %s', async (accept) => {
    const { url } = await start();
    expect((await send(url, '/items', { headers: { accept } })).status).toBe(406);
  });

  it.each(['application/json;q=0.001, */*;q=0', 'application/problem+json', 'application/json;q=0, application/x-ndjson', 'application/*'])(
    'is not sent for %s',
    async (accept) => {
      const { url } = await start();
      expect((await send(url, '/items', { headers: { accept } })).status).toBe(200);
    },
  );
});
