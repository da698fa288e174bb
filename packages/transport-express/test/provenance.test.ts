import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errors as feathersErrors } from '@feathersjs/errors';
import { framework } from '@framework/core';
import { GeneralError, NotFound } from '@framework/errors';
import express, { authenticate, rest, serveStatic, type Application } from '../src/index.ts';
import { listen, send, sendJson, start, type Running } from './harness.ts';

const FIXED = 'An unexpected error occurred on the server';
const SECRET = 'sk-live-1234';

/** What services throw here, by the id that is asked for. */
const THROWN: Record<string, () => unknown> = {
  sdk: () => Object.assign(new Error(`Invalid key ${SECRET}`), { status: 401, headers: { authorization: SECRET } }),
  access: () => Object.assign(new Error(SECRET), { name: 'AccessError', status: 503 }),
  general: () => new GeneralError(Object.assign(new Error(SECRET), { config: { headers: { authorization: SECRET } } })),
  nested: () => new GeneralError('Could not save', { error: Object.assign(new Error(SECRET), { config: SECRET }) }),
  teapot: () => Object.assign(new Error('short and stout'), { status: 418, expose: true, body: SECRET }),
  slower: () =>
    Object.assign(new Error('slower'), {
      status: 429,
      expose: true,
      headers: {
        'Retry-After': 7,
        Link: ['<a>', '<b>'],
        Vary: 'Origin',
        'WWW-Authenticate': 'Slow',
        'Cache-Control': 'public',
        'Content-Type': 'text/csv',
        'content-length': '1',
        'Transfer-Encoding': 'chunked',
        'bad name': '1',
        'X-Bad': 'a\r\nb: c',
        'X-Object': { a: SECRET },
        'X-None': undefined,
      },
    }),
  hidden: () => Object.assign(new Error('slower'), { status: 429, expose: false, headers: { 'Retry-After': SECRET } }),
  late: () => Object.assign(new Error('late'), { status: 503, expose: true, headers: { 'Retry-After': SECRET } }),
  trap: () =>
    Object.defineProperty(Object.assign(new Error('trap'), { status: 429, expose: true }), 'headers', {
      get: () => {
        throw new Error(SECRET);
      },
    }),
  feathers: () => new feathersErrors.Conflict('taken', { field: 'name' }),
  missing: () => new NotFound('No such record'),
};
const failing = {
  async get(id: string): Promise<never> {
    throw THROWN[id]?.();
  },
};

let folder: string;
let running: Running;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'provenance-'));
  writeFileSync(join(folder, 'there.txt'), 'ten letters');
  running = await start((app) => {
    app.use('failing', failing);
    app.use('/files', serveStatic(folder, { fallthrough: false }));
    app.get('/file', (_req, res) => res.sendFile(join(folder, `${SECRET}.txt`)));
    app.get('/slower', (_req, _res, next) => {
      next(THROWN.slower?.());
    });
    app.get('/param/:name', (req, res) => res.json(req.params));
    app.get('/format', (_req, res) => res.format({ 'text/csv': () => res.send('a') }));
  });
  url = running.url;
});
afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true });
});

describe('S40 an error that nobody meant for the caller', () => {
  it.each([['sdk'], ['access'], ['general']])('%s is 500 with the fixed text', async (kind) => {
    const answer = await send(url, `/failing/${kind}`);
    expect(answer).toMatchObject({ status: 500, body: { name: 'GeneralError', message: FIXED, code: 500 } });
    expect(Object.keys(answer.body.data)).toEqual(['correlationId']);
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain(SECRET);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it('sends nothing of an error inside the data', async () => {
    const answer = await send(url, '/failing/nested');
    expect(answer.body).toMatchObject({ message: 'Could not save', data: { error: { message: FIXED } } });
    expect(answer.text).not.toContain(SECRET);
  });
});

describe('an error that is meant for the caller', () => {
  it('keeps a status outside the catalogue, and sends nothing but its text', async () => {
    expect(await send(url, '/failing/teapot')).toMatchObject({
      status: 418,
      body: { name: 'ImATeapot', message: 'short and stout', code: 418, className: 'im-a-teapot' },
    });
  });

  it('brings its headers along, as in Express, but for those of a body', async () => {
    const { status, headers, body } = await send(url, '/failing/slower');
    expect({ status, body }).toMatchObject({ status: 429, body: { message: 'slower', code: 429 } });
    expect(headers).toMatchObject({
      'retry-after': '7',
      link: '<a>, <b>',
      vary: 'Origin, Accept, Authorization, Origin',
      'www-authenticate': 'Slow',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    for (const name of ['transfer-encoding', 'bad name', 'x-bad', 'x-object', 'x-none', 'b']) expect(headers).not.toHaveProperty(name);
    const range = await send(url, '/files/there.txt', { headers: { range: 'bytes=100-200' } });
    expect(range.headers['content-range']).toBe('bytes */11');
    for (const accept of ['text/html', 'application/problem+json'])
      expect((await send(url, '/slower', { headers: { accept } })).headers['retry-after']).toBe('7');
  });

  it.each([
    ['hidden', 500],
    ['late', 500],
    ['trap', 429],
  ])('S40 brings none along that is not meant for the caller, or can not be read: %s', async (kind, status) => {
    const answer = await send(url, `/failing/${kind}`);
    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain(SECRET);
  });

  it('may be of FeathersJS', async () => {
    expect(await send(url, '/failing/feathers')).toMatchObject({
      status: 409,
      body: { name: 'Conflict', message: 'taken', code: 409, className: 'conflict', data: { field: 'name' } },
    });
  });

  it.each<[string, Parameters<typeof send>[1], Parameters<typeof send>[2], number, string]>([
    [
      'a body of the wrong form',
      '/failing',
      { method: 'POST', body: '{"a":', headers: { 'content-type': 'application/json' } },
      400,
      'BadRequest',
    ],
    [
      'a body that is too large',
      '/failing',
      { method: 'POST', body: JSON.stringify({ text: 'x'.repeat(110_000) }), headers: { 'content-type': 'application/json' } },
      413,
      'PayloadTooLarge',
    ],
    [
      'an unknown charset',
      '/failing',
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json; charset=x-odd' } },
      415,
      'UnsupportedMediaType',
    ],
    [
      'an unknown encoding',
      '/failing',
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'odd' } },
      415,
      'UnsupportedMediaType',
    ],
    [
      'a form with too many fields',
      '/failing',
      { method: 'POST', body: 'a&'.repeat(1001), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      413,
      'PayloadTooLarge',
    ],
    ['a file that is not there', `/files/${SECRET}`, {}, 404, 'NotFound'],
    ['a file that is not there, sent', '/file', {}, 404, 'NotFound'],
    ['a path that is not taken', '/files/%2e%2e%2fx', {}, 403, 'Forbidden'],
    ['a range outside the file', '/files/there.txt', { headers: { range: 'bytes=100-200' } }, 416, 'RangeNotSatisfiable'],
    ['a precondition that fails', '/files/there.txt', { headers: { 'if-match': '"other"' } }, 412, 'PreconditionFailed'],
    ['malformed percent-encoding', '/param/%E0', {}, 400, 'BadRequest'],
    ['a type that the route does not make', '/format', {}, 406, 'NotAcceptable'],
  ])('S39 keeps its status: %s', async (_what, path, options, status, name) => {
    const answer = await send(url, path, options);
    expect(answer).toMatchObject({ status, body: { name, code: status } });
    expect(answer.text).not.toContain(SECRET);
    expect(answer.text).not.toContain(folder);
  });
});

it('our errors keep their status in error handlers of others', async () => {
  const app = express(framework()) as Application;
  app.set('env', 'test');
  app.configure(rest());
  app.use('failing', failing);
  const plain = await listen(app);
  try {
    expect((await send(plain.url, '/failing/missing')).status).toBe(404);
    expect((await sendJson(plain.url, 'POST', '/failing', {})).status).toBe(405);
  } finally {
    await plain.stop();
  }
});

it.each([[[]], [[{}]], [[{ strategies: [] }]]])('authenticate(...%j) says what it needs', (given) => {
  const act = (): unknown => Reflect.apply(authenticate, undefined, given);
  expect(act).toThrow("The authenticate middleware needs at least one allowed strategy, for example authenticate('jwt')");
});
