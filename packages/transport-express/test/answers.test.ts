import { channel } from 'node:diagnostics_channel';
import type { Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import type { RequestHandler } from 'express';
import express, { json, rest, type Application } from '../src/index.ts';
import { listen, send, sendJson, type Running } from './harness.ts';

// Answers that nobody else sees are written in one go. What arrives must be the same, and whoever looks must see it all.

function build(): Application {
  const app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  app.use('items', {
    id: 'id',
    get: async (id: unknown) => ({ id }),
    find: async () => [],
    create: async (data: object) => ({ id: 'a b', ...data }),
    remove: async () => null,
  });
  app.service('items').hooks({
    before: {
      get: [
        (context) => {
          if (context.id === 'mine') Object.assign(context.params, { user: { id: 1 } });
        },
      ],
    },
  });
  return app;
}

const NAMES = ['content-type', 'content-length', 'vary', 'x-content-type-options'];

/** The headers that a listener finds when the answer is sent. */
function whenFinished(res: ServerResponse): Promise<unknown[]> {
  return new Promise((resolve) => {
    res.once('finish', () => {
      resolve(NAMES.map((name) => res.getHeader(name)));
    });
  });
}

async function answersOf({ url }: Running): Promise<unknown[]> {
  const answers = [
    await send(url, '/items/1'),
    await send(url, '/items/mine'),
    await send(url, '/items/1', { method: 'HEAD' }),
    await send(url, '/items?a=1'),
    await sendJson(url, 'POST', '/items', { a: 'ü' }),
    await send(url, '/items/1', { method: 'DELETE' }),
    await send(url, '/items', { method: 'OPTIONS' }),
  ];
  return answers.map(({ status, text, headers: { date: _date, ...headers } }) => ({ status, text, headers }));
}

const COMPLETE = ['application/json; charset=utf-8', 10, 'Accept, Authorization, Origin', 'nosniff'];

describe('answers (interface 4.1)', () => {
  it('are the same whether someone else sees them or not', async () => {
    const alone = await listen(build());
    const watchedApp = express(framework()) as Application;
    watchedApp.use((_req, _res, next) => {
      next();
    });
    watchedApp.use('/', build() as never);
    const slowApp = build();
    slowApp.disable('fast dispatch');
    const [watched, slow] = [await listen(watchedApp), await listen(slowApp)];
    const expected = await answersOf(slow);
    expect(await answersOf(alone)).toEqual(expected);
    expect(await answersOf(watched)).toEqual(expected);
    for (const running of [alone, watched, slow]) await running.stop();
  });

  it.each<[string, (note: (res: ServerResponse) => void) => { front?: RequestHandler; listening?: (server: Server) => void }]>([
    [
      'middleware in front',
      (note) => ({
        front(_req, res, next) {
          note(res);
          next();
        },
      }),
    ],
    [
      'other listeners of the server',
      (note) => ({
        listening(server) {
          server.prependListener('request', (_req, res) => {
            note(res);
          });
        },
      }),
    ],
    [
      'tools that listen to the diagnostics channel',
      (note) => ({
        listening(server) {
          const started = channel('http.server.request.start');
          const watch = (message: unknown): void => {
            note((message as { response: ServerResponse }).response);
          };
          started.subscribe(watch);
          server.once('close', () => started.unsubscribe(watch));
        },
      }),
    ],
  ])('show their headers to %s', async (_title, watch) => {
    let seen: Promise<unknown[]> | undefined;
    const { front, listening } = watch((res) => {
      seen = whenFinished(res);
    });
    const app = express(framework()) as Application;
    if (front) app.use(front);
    app.configure(rest());
    app.use('items', { get: async (id: unknown) => ({ id }) });
    const running = await listen(app);
    listening?.(app.server as Server);
    await send(running.url, '/items/1');
    expect(await seen).toEqual(COMPLETE);
    await running.stop();
  });
});

it.each(['middleware in front of all', 'middleware beside the service'])(
  'cookies and names in Vary that a hook sets take nothing away from %s, and what it sets besides replaces theirs',
  async (place) => {
    const app = express(framework()) as Application;
    const sets: RequestHandler = (_req, res, next) => {
      res.cookie('csrf', '1').append('Set-Cookie', 'visit=2').vary('Accept-Language').set('X-Own', 'old');
      next();
    };
    const service = { find: async () => [] };
    if (place === 'middleware in front of all') app.use(sets);
    app.configure(rest());
    if (place === 'middleware in front of all') app.use('items', service);
    else app.use('items', sets, service);
    app.service('items').hooks({
      after: {
        find: [
          (context) => {
            context.http.headers = { 'Set-Cookie': ['login=3', 'device=4'], Vary: 'Cookie', 'X-Own': 'new' };
          },
        ],
      },
    });
    const running = await listen(app);
    const { headers } = await send(running.url, '/items');
    await running.stop();
    expect(headers).toMatchObject({
      'set-cookie': ['csrf=1; Path=/', 'visit=2', 'login=3', 'device=4'],
      vary: 'Accept-Language, Cookie, Accept, Authorization, Origin',
      'x-own': 'new',
    });
  },
);

describe('the headers of a hook', () => {
  const HEADERS: Readonly<Record<string, Record<string, string>>> = {
    type: { 'content-type': 'application/vnd.api+json' },
    length: { 'Content-Length': '3' },
    chunked: { 'transfer-encoding': 'chunked' },
    nothing: { 'Content-Type': 'text/html', 'content-length': '3' },
  };

  /** The head and the body as they are on the wire. */
  const onTheWire = (url: string, path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\nConnection: close\r\n\r\n`);
      });
      socket.on('data', (piece) => (text += String(piece)));
      socket.on('close', () => resolve(text)).on('error', reject);
    });

  it.each([true, false])('describe the content once, whoever watches (nobody: %j)', async (unseen) => {
    const app = express(framework()) as Application;
    if (!unseen) {
      app.use((_req, res, next) => {
        res.on('finish', () => undefined);
        next();
      });
    }
    app.configure(rest());
    app.use('items/:kind', {
      find: async ({ route }: { route: { kind: string } }) => (route.kind === 'nothing' ? null : { ok: 1 }),
    } as never);
    app.service('items/:kind').hooks({
      after: {
        find: [
          (context) => {
            context.http.headers = HEADERS[String((context.params as { route: { kind: string } }).route.kind)] ?? {};
          },
        ],
      },
    });
    const running = await listen(app);
    const seen: Record<string, unknown> = {};
    for (const kind of Object.keys(HEADERS)) {
      const [head = '', body] = (await onTheWire(running.url, `/items/${kind}`)).split('\r\n\r\n');
      const lines = head.split('\r\n').filter((line) => /^(content|transfer)-/i.test(line));
      seen[kind] = [lines.map((line) => line.toLowerCase()).sort(), body];
    }
    await running.stop();
    const json = ['content-length: 8', 'content-type: application/json; charset=utf-8'];
    expect(seen).toEqual({
      type: [['content-length: 8', 'content-type: application/vnd.api+json'], '{"ok":1}'],
      length: [json, '{"ok":1}'],
      chunked: [json, '{"ok":1}'],
      nothing: [[], ''],
    });
  });
});
