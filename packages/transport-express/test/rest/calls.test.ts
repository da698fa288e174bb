import { framework } from '@framework/core';
import { MethodNotAllowed } from '@framework/errors';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OutgoingHttpHeaders } from 'node:http';
import originalExpress, { type RequestHandler } from 'express';
import { entityTag } from '../../src/answer/entity-tag.ts';
import express, { rest, type Application } from '../../src/index.ts';
import { send, sendJson, start, type Answer, type Running } from '../harness.ts';

/** What a call got, as JSON can show it. */
const told = (params: object): object => ({ keys: Object.keys(params), ...params, headers: undefined, signal: undefined });

const shown = {
  find: async (params: object) => told(params),
  patch: async (_id: unknown, _data: unknown, params: object) => told(params),
};

/** What a service that writes several records only one by one says. */
const refusing = {
  ...shown,
  create: async () => Promise.reject(new MethodNotAllowed('not now')),
  patch: async () => Promise.reject(new MethodNotAllowed('not now')),
  remove: async () => Promise.reject(new MethodNotAllowed('not now')),
  update: async () => Promise.reject(new TypeError('broken')),
};

let running: Running;
beforeAll(async () => {
  running = await start((app) => {
    const setting =
      (changes: object): RequestHandler =>
      (req, _res, next) => {
        Object.assign(req, changes);
        next();
      };
    app.use('plain', { ...shown });
    app.use('addressed', { ...shown, clientAddress: true });
    app.use('unaddressed', { ...shown, clientAddress: 'yes' });
    app.use(':tenant/rooms/:room/notes', { ...shown });
    app.use('logged-in', setting({ authentication: { strategy: 'own' } }), { ...shown });
    app.use('versioned', { ...shown, version: 'rev' }, { conditional: true });
    app.use('required', { ...shown, version: 'rev' }, { conditional: 'required' });
    app.use('refusing', { ...refusing });
    const answering: RequestHandler = (_req, res, next) => {
      res.setHeader('Allow', 'NOTHING');
      next();
    };
    app.use('answered', answering, { ...refusing });
    app.use('custom', { find: async () => [], greet: async (data: object) => data }, { methods: ['find', 'greet'] });
    const echo = { create: async (data: unknown) => ({ data, type: typeof data, bytes: ArrayBuffer.isView(data) }) };
    app.use('echo', { ...echo });
    app.use('emptied', setting({ body: {} }), { ...echo });
    app.use('filled', setting({ body: { a: 1 } }), { ...echo });
    app.use('bytes', setting({ body: Buffer.from('bytes') }), { ...echo });
    app.use('numbered', setting({ body: 5 }), { ...echo });
    app.use('infinite', setting({ body: Infinity }), { ...echo });
    app.use('nothing', setting({ body: null }), { ...echo });
  });
});
afterAll(() => running.stop());

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> => send(running.url, path, { headers });

describe('the params of a call', () => {
  it('say what came with the request, and nothing of what did not', async () => {
    const { body } = await get('/plain?a=1');
    expect(body).toEqual({ keys: ['query', 'headers', 'route', 'provider', 'signal'], query: { a: '1' }, route: {}, provider: 'rest' });
  });

  it.each([
    ['/addressed', 'address', expect.stringMatching(/127\.0\.0\.1$/)],
    ['/unaddressed', 'address', undefined],
    ['/plain', 'address', undefined],
    ['/logged-in', 'authentication', { strategy: 'own' }],
    ['/plain', 'authentication', undefined],
    ['/acme/rooms/7/notes', 'route', { tenant: 'acme', room: '7' }],
  ])('of %s have as %s: %j', async (path, name, value) => {
    const { body } = (await get(path)) as { body: { keys: string[]; [name: string]: unknown } };
    expect([body[name], body.keys.includes(name)]).toEqual([value, value !== undefined]);
  });

  const [a, b, c] = ['a', 'b', 'c'].map((version) => entityTag(version, 'text')) as [string, string, string];

  it.each<[Record<string, string>, object]>([
    [{ 'if-match': `${a}, W/${b}` }, { versions: ['a'] }],
    [{ 'if-match': '*' }, { versions: '*' }],
    [{ 'if-match': '"without"' }, { versions: [] }],
    [{ 'if-none-match': `W/${b}, ${c}` }, { notVersions: ['b', 'c'] }],
    [
      { 'if-none-match': '*', 'if-match': a },
      { versions: ['a'], notVersions: '*' },
    ],
  ])('have the condition %j', async (headers, precondition) => {
    expect((await sendJson(running.url, 'PATCH', '/versioned/1', {}, headers)).body).toMatchObject({ precondition });
  });

  it('have no condition where there is none, and none where records are read', async () => {
    const keysOf = async (path: string, headers = {}): Promise<unknown> =>
      ((await sendJson(running.url, 'PATCH', path, {}, headers)).body as { keys: unknown }).keys;
    const keys = ['query', 'headers', 'route', 'provider', 'signal'];
    expect([await keysOf('/versioned/1'), await keysOf('/plain/1')]).toEqual([keys, keys]);
    expect((await get('/plain', { 'if-match': a })).body).toMatchObject({ keys });
    expect((await get('/versioned', { 'if-match': a })).body).toMatchObject({ keys });
  });

  it.each(['If-Match', 'If-None-Match'])('are none where %s can not be read', async (name) => {
    const answer = await sendJson(running.url, 'PATCH', '/versioned/1', {}, { [name.toLowerCase()]: 'no tag' });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(name) } });
  });

  it('are none where a condition is required', async () => {
    expect(await sendJson(running.url, 'PATCH', '/required/1', {})).toMatchObject({
      status: 428,
      body: {
        name: 'PreconditionRequired',
        className: 'precondition-required',
        code: 428,
        message: 'This change needs a condition: send the ETag of the record as If-Match',
      },
    });
  });
});

describe('a URL', () => {
  it('may have 8,192 bytes and no more', async () => {
    const ofLength = (length: number): string => `/plain?a=${'x'.repeat(length - '/plain?a='.length)}`;
    expect((await get(ofLength(8192))).status).toBe(200);
    expect(await get(ofLength(8193))).toMatchObject({
      status: 414,
      body: { name: 'UriTooLong', className: 'uri-too-long', code: 414, message: 'The URL is longer than 8192 bytes' },
    });
  });
});

describe('methods that a path does not take', () => {
  const notAllowed = (message: string): object => ({ status: 405, body: { code: 405, message } });

  it.each([
    ['PROPFIND', '/plain', 'Method PROPFIND not allowed', 'GET, HEAD, PATCH, OPTIONS'],
    ['POST', '/plain/1', 'Method POST not allowed', 'PATCH, OPTIONS'],
    ['POST', '/plain', 'Method `create` is not supported by this endpoint.', 'GET, HEAD, PATCH, OPTIONS'],
    ['GET', '/plain/1', 'Method `get` is not supported by this endpoint.', 'PATCH, OPTIONS'],
    ['GET', '/custom/1', 'Method `get` is not supported by this endpoint.', 'OPTIONS'],
    ['PATCH', '/custom', 'Method `patch` is not supported by this endpoint.', 'GET, HEAD, POST, OPTIONS'],
  ])('%s %s are 405 with a sentence and what there is', async (method, path, message, allow) => {
    const answer = await send(running.url, path, { method });
    expect(answer).toMatchObject(notAllowed(message));
    expect(answer.headers.allow).toBe(allow);
  });

  it.each([
    ['/plain', 'GET, HEAD, PATCH, OPTIONS'],
    ['/plain/1', 'PATCH, OPTIONS'],
    ['/custom', 'GET, HEAD, POST, OPTIONS'],
    ['/echo', 'POST, OPTIONS'],
  ])('OPTIONS %s says which there are', async (path, allow) => {
    const answer = await send(running.url, path, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.allow, answer.text]).toEqual([204, allow, '']);
  });

  it.each([
    ['create', 'Method `create` is not supported by this endpoint.', 405],
    ['other', 'Method `other` is not supported by this endpoint.', 405],
    ['greet', undefined, 200],
  ])('as a custom one: %s', async (name, message, status) => {
    const answer = await sendJson(running.url, 'POST', '/custom', {}, { 'x-service-method': name });
    expect([answer.status, (answer.body as { message?: string }).message]).toEqual([status, message]);
  });

  it.each([
    ['POST', '/refusing', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['PATCH', '/refusing', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['DELETE', '/refusing', 'GET, HEAD, POST, PUT, PATCH, OPTIONS'],
    ['PATCH', '/refusing/1', 'PUT, PATCH, DELETE, OPTIONS'],
    ['DELETE', '/refusing/1', 'PUT, PATCH, DELETE, OPTIONS'],
    ['PATCH', '/answered', 'NOTHING'],
  ])('for the service itself: %s %s', async (method, path, allow) => {
    const answer = await sendJson(running.url, method, path, {});
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
  });

  it('are no other errors', async () => {
    const answer = await sendJson(running.url, 'PUT', '/refusing/1', {});
    expect([answer.status, answer.headers.allow]).toEqual([500, undefined]);
  });
});

describe('the data of a call', () => {
  const post = async (path: string, body: string | undefined, headers: OutgoingHttpHeaders): Promise<[number, unknown]> => {
    const answer = await send(running.url, path, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
    return [answer.status, answer.body];
  };
  const UNTYPED = 'The request has a body without a Content-Type. Send application/json';
  const unread = (type: string): string =>
    `The server does not read bodies of type '${type}'. Send application/json, or register a body parser for it before the services`;

  it.each<[string, string, string | undefined, OutgoingHttpHeaders, string]>([
    ['without a type', '/echo', 'text', { 'content-length': 4 }, UNTYPED],
    ['in pieces', '/echo', 'text', { 'transfer-encoding': 'chunked' }, UNTYPED],
    ['of a type that nobody reads', '/echo', 'text', { 'content-type': 'text/odd' }, unread('text/odd')],
    ['of a long type', '/echo', 'text', { 'content-type': `text/${'o'.repeat(200)}` }, unread(`text/${'o'.repeat(95)}`)],
    ['that somebody has put nothing in place of', '/emptied', 'text', { 'content-type': 'text/odd' }, unread('text/odd')],
  ])('is refused %s', async (_how, path, body, headers, message) => {
    expect(await post(path, body, headers)).toEqual([415, expect.objectContaining({ code: 415, message })]);
  });

  it.each<[string, string, string | undefined, OutgoingHttpHeaders, object]>([
    ['nothing', '/echo', undefined, { 'content-length': 0 }, { data: {}, type: 'object' }],
    ['nothing of a type', '/echo', undefined, { 'content-length': 0, 'content-type': 'text/odd' }, { data: {} }],
    ['what middleware has found', '/filled', 'text', { 'content-type': 'text/odd' }, { data: { a: 1 } }],
    ['bytes', '/bytes', 'text', { 'content-type': 'text/odd' }, { bytes: true }],
    ['a number', '/numbered', 'text', { 'content-type': 'text/odd' }, { data: 5, type: 'number' }],
    ['null', '/nothing', 'text', { 'content-type': 'text/odd' }, { data: {} }],
  ])('may be %s', async (_what, path, body, headers, data) => {
    expect(await post(path, body, headers)).toEqual([201, expect.objectContaining(data)]);
  });

  it('may be nested in 64 levels and no more', async () => {
    const nested = (levels: number): string => `${'[1,'.repeat(levels - 1)}{}${']'.repeat(levels - 1)}`;
    const json = { 'content-type': 'application/json' };
    expect((await post('/echo', `{"a":${nested(63)}}`, json))[0]).toBe(201);
    expect(await post('/echo', `{"a":${nested(64)}}`, json)).toEqual([
      400,
      expect.objectContaining({ message: 'The body is nested too deeply: at most 64 levels are allowed' }),
    ]);
  });

  it('may hold no number that JSON can not give back', async () => {
    const json = { 'content-type': 'application/json' };
    for (const [body, ...paths] of [
      ['{"price":1e400}', 'price'],
      ['{"items":[{"price":1},{"price":-1e400}],"total":1e309}', 'total', 'items.1.price'],
      ['[{"price":1},{"price":1e400}]', '1.price'],
    ] as const) {
      const errors = paths.map((path) => ({ path, keyword: 'type', message: `${path} must be a finite number`, params: {} }));
      expect(await post('/echo', body, json)).toEqual([400, expect.objectContaining({ message: 'validation failed', errors })]);
    }
    const bare = [{ path: '', keyword: 'type', message: 'must be a finite number', params: {} }];
    expect(await post('/infinite', 'text', { 'content-type': 'text/odd' })).toEqual([400, expect.objectContaining({ errors: bare })]);
    const ends = { most: Number.MAX_VALUE, least: -Number.MAX_VALUE, small: Number.MIN_VALUE };
    expect(await post('/echo', JSON.stringify(ends), json)).toEqual([201, expect.objectContaining({ data: ends })]);
  });

  it('may hold no half of a character, which no store keeps', async () => {
    const json = { 'content-type': 'application/json' };
    const value = 'must be text of whole characters: it has half of a surrogate pair';
    const name = 'must have a name of whole characters: it has half of a surrogate pair';
    for (const [body, ...errors] of [
      ['{"text":"\\ud800"}', ['text', value]],
      ['{"a":{"list":["ok","\\udc00\\ud800"]},"b":"a\\udfff"}', ['b', value], ['a.list.1', value]],
      ['[{"text":"\\ude00\\ud83d"}]', ['0.text', value]],
      ['{"a":{"\\ud83d":1e400}}', ['a.\ufffd', name], ['a.\ufffd', 'must be a finite number']],
      ['{"$set":{"text":"\\ud800"}}', ['$set.text', value]],
    ] as const) {
      const told = errors.map(([path, text]) => ({ path, keyword: 'type', message: `${path} ${text}`, params: {} }));
      expect(await post('/echo', body, json)).toEqual([400, expect.objectContaining({ message: 'validation failed', errors: told })]);
    }
    const whole = { text: '\ud83d\ude00', '\ud83d\ude00': ['\ufffd', 'é', '\0'] };
    expect(await post('/echo', JSON.stringify(whole), json)).toEqual([201, expect.objectContaining({ data: whole })]);
  });
});

it.each([
  ['an application that is no function', framework()],
  ['a plain application of Express', originalExpress()],
  ['a function', Object.assign(() => undefined, { lookup: () => null })],
  ['nothing that is called', Object.assign(framework(), { route: () => undefined })],
])('rest() is refused for %s', (_what, app) => {
  expect(() => rest()(app as never)).toThrow('rest() needs an Express compatible application: wrap it first with express(app)');
  expect(() => rest()(express(framework()) as Application)).not.toThrow();
});
