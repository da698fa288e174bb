import { framework, type HookContext } from '@framework/core';
import { listen } from '@framework-internal/testing/http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RequestHandler } from 'express';
import express, { errorHandler, json, rest, type Application } from '../../src/index.ts';
import { send, sendJson, start, type Running } from '../harness.ts';

/** What is no record. */
const OTHERS = new Map<string, unknown>([
  ['list', [{ rev: 'a' }]],
  ['nothing', null],
  ['text', 'text'],
]);

/** One record, whose version is what it is told. */
const service = {
  version: 'rev',
  id: 'id',
  get: async (id: string): Promise<unknown> => (OTHERS.has(id) ? OTHERS.get(id) : { id, rev: 'a' }),
  find: async (): Promise<unknown> => [{ id: '1', rev: 'a' }],
  create: async (data: object): Promise<unknown> => ({ ...data, id: '1', rev: 'a' }),
  patch: async (id: string, data: object): Promise<unknown> => ({ ...data, id, rev: 'b' }),
  remove: async (id: string): Promise<unknown> => ({ id, rev: 'b' }),
};

let running: Running;
beforeAll(async () => {
  running = await start((app) => {
    app.use('notes', { ...service }, { conditional: true });
    app.use('accepted', { ...service }, { conditional: true });
    app.service('accepted').hooks({
      after: {
        all: [
          async ({ http }: HookContext): Promise<void> => {
            http.status = 202;
          },
        ],
      },
    });
    const typed: RequestHandler = (_req, res, next) => {
      res.setHeader('Content-Type', 'application/vnd.api+json');
      next();
    };
    app.use('typed', typed, { ...service }, { conditional: true });
    app.use('typed-plain', typed, { ...service });
  });
});
afterAll(() => running.stop());

const STRONG = /^"[\w-]+\.[\w-]{22}"$/;
const get = (path: string, headers: Record<string, string> = {}) => send(running.url, path, { headers });

it('a single record has a strong tag, a change the path of its record besides', async () => {
  const read = await get('/notes/1?a=1');
  expect(read).toMatchObject({ status: 200, headers: { etag: expect.stringMatching(STRONG), 'cache-control': 'no-cache' } });
  expect(read.headers['content-location']).toBeUndefined();
  const made = await sendJson(running.url, 'POST', '/notes', {});
  expect(made).toMatchObject({ status: 201, headers: { etag: read.headers.etag, location: '/notes/1' } });
  expect(made.headers['content-location']).toBeUndefined();
  const changed = await sendJson(running.url, 'PATCH', '/notes/1', {});
  expect(changed).toMatchObject({ status: 200, headers: { etag: expect.stringMatching(STRONG), 'content-location': '/notes/1' } });
  expect(changed.headers.etag).not.toBe(read.headers.etag);
  const gone = await send(running.url, '/notes/1', { method: 'DELETE' });
  expect([gone.status, gone.headers.etag]).toEqual([200, undefined]);
});

it('what is no single record, and an answer of another status, has none', async () => {
  for (const path of ['/notes/list', '/notes/text', '/notes', '/accepted/1']) {
    const { headers } = await get(path);
    expect([path, String(headers.etag).startsWith('"')]).toEqual([path, false]);
  }
  expect((await get('/notes/nothing')).status).toBe(204);
});

it('a reader who has it gets 304 and the tag alone, by whatever kind of tag', async () => {
  const { etag = '' } = (await get('/notes/1')).headers;
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const unchanged = await get('/notes/1', { 'if-none-match': tag });
    expect([tag, unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([tag, 304, '', etag]);
    expect(unchanged.headers['content-type']).toBeUndefined();
  }
  for (const tag of ['"x"', '', 'W/"x"']) expect((await get('/notes/1', { 'if-none-match': tag })).status).toBe(200);
});

it('a reader who wants that very one gets it or 412: weak tags are none', async () => {
  const { etag = '' } = (await get('/notes/1')).headers;
  for (const tag of [etag, `"x", ${etag}`, '*']) expect((await get('/notes/1', { 'if-match': tag })).status).toBe(200);
  for (const tag of ['"x"', `W/${etag}`, '']) expect((await get('/notes/1', { 'if-match': tag })).status).toBe(412);
  for (const name of ['If-Match', 'If-None-Match'])
    expect(await get('/notes/1', { [name]: 'x' })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(`^${name} must be`) },
    });
});

it('a client that takes no JSON is refused, unless middleware has chosen the type', async () => {
  const accept = 'application/vnd.api+json';
  expect((await get('/notes/1', { accept })).status).toBe(406);
  for (const path of ['/typed/1', '/typed-plain/1'])
    expect(await get(path, { accept })).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringMatching(`^${accept.replace('+', '.')}`) },
    });
});

it('has another tag for each Accept where the application has a formatter of its own', async () => {
  const app = express(framework()) as Application;
  app.use(json()).configure(rest((_req, res) => void res.type('text').send('own')));
  app.use('notes', { ...service }, { conditional: true });
  app.use(errorHandler({ logger: false }));
  const other = await listen(app);
  const tagFor = async (accept: string) => (await send(other.url, '/notes/1', { headers: { accept } })).headers.etag;
  const [one, same, another] = [await tagFor('text/plain'), await tagFor('text/plain'), await tagFor('text/html')];
  expect(one).toMatch(STRONG);
  expect([one === same, one === another]).toEqual([true, false]);
  expect(await send(other.url, '/notes/1')).toMatchObject({ status: 200, text: 'own' });
  await other.stop();
});
