import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { framework } from '@framework/core';
import { BadRequest, FrameworkError, GeneralError, NotFound } from '@framework/errors';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import express, { errorHandler, json, rest, type Application, type ErrorHandlerOptions } from '../../src/index.ts';
import { listen, send, sendJson, type Running } from '../harness.ts';

const open: Running[] = [];
afterEach(async () => {
  for (const running of open.splice(0)) await running.stop();
});

const unreadable = (): never => {
  throw new Error('not to be read');
};

async function start(
  options: ErrorHandlerOptions,
  own?: ErrorRequestHandler,
  front?: RequestHandler,
): Promise<{ url: string; logged: unknown[] }> {
  const logged: unknown[] = [];
  const app = express(framework()) as Application;
  app.use(json());
  if (front) app.use(front);
  app.configure(rest());
  app.use('read', { find: async () => [] });
  const shared = new Error('secret text');
  app.use('fails/:kind', {
    async find({ route }: { route: { kind: string } }) {
      if (route.kind === 'frozen') throw Object.freeze(new Error('secret text'));
      if (route.kind === 'abort') throw new DOMException('secret text', 'AbortError');
      if (route.kind === 'text') throw 'secret text';
      if (route.kind === 'object') throw Object.freeze({ code: 404, message: 'secret text' });
      if (route.kind === 'proxy') throw new Proxy({}, { ownKeys: unreadable, get: unreadable });
      if (route.kind === 'nothing') throw undefined;
      if (route.kind === 'bigint') return [1n];
      if (route.kind === 'resolver')
        throw Object.assign(
          new BadRequest('Error resolving data', { errors: { name: new GeneralError(shared), age: new BadRequest('No') } }),
          {
            cause: shared,
          },
        );
      if (route.kind === 'asked') throw new BadRequest('Error resolving data', { errors: { age: new BadRequest('No') } });
      if (route.kind.startsWith('code')) throw new FrameworkError('secret text', 'Odd', Number(route.kind.slice(4)), 'odd');
      throw shared;
    },
  });
  app.get('/missing', () => {
    throw new NotFound('No such record');
  });
  if (own) app.use(own);
  app.use(
    errorHandler({
      logger: (error) => {
        logged.push(error);
      },
      ...options,
    }),
  );
  const running = await listen(app);
  open.push(running);
  return { url: running.url, logged };
}

const HTML = { headers: { accept: 'text/html' } };

describe('S47 a responder of the error handler that fails', () => {
  const rejecting = async (): Promise<void> => {
    throw new Error('in the responder');
  };
  const throwing = (): void => {
    throw new Error('in the responder');
  };
  it.each<[string, ErrorHandlerOptions, Parameters<typeof send>[2]]>([
    ['html rejects', { html: rejecting }, HTML],
    ['html throws', { html: throwing }, HTML],
    ['json rejects', { json: rejecting }, {}],
    ['json throws', { json: { default: throwing } }, {}],
    ['a file that is not there', { html: { default: 'no/such/file.html' } }, HTML],
  ])('%s: one answer, and the reason is logged', async (_title, options, request) => {
    const { url, logged } = await start(options);
    const answer = await send(url, '/missing', request);
    expect(answer.status).toBe(404);
    expect(answer.text).not.toMatch(/in the responder|no\/such|at .*\.ts/);
    expect(answer.headers['content-type']).toContain(request === HTML ? 'html' : 'json');
    expect(logged.map(String).join()).toMatch(/in the responder|file\.html/);
    expect((await send(url, '/read')).status).toBe(200);
  });

  it('after it has begun: the connection is closed', async () => {
    const { url, logged } = await start({
      html: async (_error, _req, res) => {
        res.write('begun');
        throw new Error('in the responder');
      },
    });
    await expect(send(url, '/missing', HTML)).rejects.toThrow();
    expect(logged.map(String).join()).toContain('in the responder');
    expect((await send(url, '/read')).status).toBe(200);
  });

  it('a page from a file is sent from any folder, one whose name begins with a dot too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'error-page-'));
    try {
      mkdirSync(join(folder, '.site'));
      writeFileSync(join(folder, '.site', '.404.html'), 'our own page');
      const { url, logged } = await start({ public: join(folder, '.site'), html: { 404: '.404.html' } });
      const { status, text } = await send(url, '/missing', HTML);
      expect([status, text]).toEqual([404, 'our own page']);
      expect(logged.map((error) => (error as { code: number }).code)).toEqual([404]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a page from a file keeps its status, whatever the request asks for', async () => {
    const { url } = await start({ public: `${import.meta.dirname}/..`, html: { 404: 'fixtures/404.html' } });
    for (const headers of [{ range: 'bytes=0-2' }, { 'if-match': '"x"' }, { 'if-none-match': '*' }]) {
      const answer = await send(url, '/missing', { headers: { ...HTML.headers, ...headers } });
      expect([headers, answer.status]).toEqual([headers, 404]);
    }
  });
});

describe('S47 a response whose functions fail', () => {
  const broken: [string, (res: Response) => void, boolean][] = [
    ['json throws', (res) => (res.json = () => raise()), true],
    ['json rejects', (res) => (res.json = (async () => raise()) as never), true],
    ['format rejects', (res) => (res.format = (async () => raise()) as never), true],
    ['end throws the first time', (res) => onceOnly(res, 'end'), true],
    ['writeHead throws the first time', (res) => onceOnly(res, 'writeHead'), true],
    ['writeHead throws', (res) => (res.writeHead = () => raise()), false],
    ['end throws', (res) => (res.end = () => raise()), false],
  ];
  const raise = (): never => {
    throw new Error('in the response');
  };
  const onceOnly = (res: Response, name: 'end' | 'writeHead'): void => {
    const original = res[name];
    res[name] = () => {
      res[name] = original as never;
      return raise();
    };
  };
  it.each(broken)('%s: one answer or a closed connection, and the reason is logged', async (_title, spoil, answered) => {
    const { url, logged } = await start({}, undefined, (req, res, next) => {
      if (req.query.spoiled !== undefined) spoil(res);
      next();
    });
    for (const path of ['/read?spoiled=1', '/missing?spoiled=1', '/fails/error?spoiled=1']) {
      logged.length = 0;
      const outcome = await send(url, path).then(
        ({ status, text }) => {
          expect(text).not.toContain('in the response');
          return status;
        },
        () => 'closed',
      );
      expect([path, typeof outcome === 'number' ? outcome >= 400 : outcome]).toEqual([path, answered ? true : 'closed']);
      expect(logged.map(String).join()).toContain('in the response');
    }
    expect((await send(url, '/read')).status).toBe(200);
  });
});

describe('an error of the caller that holds a fault of the server, as that of resolvers does', () => {
  it('is logged with its route, and answered as it is', async () => {
    const { url, logged } = await start({});
    const { status, body } = await send(url, '/fails/resolver');
    expect([status, body.errors]).toEqual([
      400,
      { name: expect.objectContaining({ code: 500 }), age: expect.objectContaining({ code: 400 }) },
    ]);
    expect(JSON.stringify(body)).not.toContain('secret text');
    expect(logged).toEqual([expect.objectContaining({ message: 'secret text', route: 'GET /fails/:kind' })]);
  });

  it('goes to the errors of a logger with levels, and not to what it only informs of', async () => {
    const told: unknown[] = [];
    const logger = { error: (error: unknown) => told.push(['error', error]), info: (error: unknown) => told.push(['info', error]) };
    const { url } = await start({ logger });
    await send(url, '/fails/resolver');
    expect(told).toEqual([['error', expect.objectContaining({ message: 'secret text' })]]);
  });

  it('is not logged where the caller alone is to blame', async () => {
    const { url, logged } = await start({});
    expect((await send(url, '/fails/asked')).status).toBe(400);
    expect(logged).toEqual([]);
  });
});

describe('S47 a logger that fails', () => {
  it.each<[string, ErrorHandlerOptions['logger']]>([
    [
      'throws',
      () => {
        throw new Error('in the logger');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('in the logger'))],
    ['rejects, as an object', { error: async () => Promise.reject(new Error('in the logger')) }],
  ])('%s: the answer is sent all the same', async (_title, logger) => {
    const { url } = await start({ logger: logger as never });
    expect((await send(url, '/fails/error')).status).toBe(500);
    expect((await send(url, '/read')).status).toBe(200);
  });
});

describe('what is logged', () => {
  it('has the id of its own answer, also when one error is thrown for many requests, and the error stays as it is', async () => {
    const { url, logged } = await start({});
    const ids = (await Promise.all([1, 2, 3].map(() => send(url, '/fails/error')))).map(({ headers }) => headers['x-correlation-id']);
    const seen = logged as (Error & { correlationId: string })[];
    expect(new Set(ids).size).toBe(3);
    expect(seen.map(({ correlationId }) => correlationId).sort()).toEqual([...ids].sort());
    for (const error of seen) expect([error instanceof Error, error.message, error.stack]).toEqual([true, 'secret text', seen[0]?.stack]);
    expect(Object.keys(Object.getPrototypeOf(seen[0]) as object)).not.toContain('correlationId');
  });

  it.each(['frozen', 'abort', 'text'])('has it also when what was thrown is %s', async (kind) => {
    const { url, logged } = await start({});
    const answer = await send(url, `/fails/${kind}`);
    expect(answer).toMatchObject({ status: 500, body: { message: 'An unexpected error occurred on the server' } });
    const [error] = logged as (Error & { correlationId: string })[];
    expect(error?.correlationId).toBe(answer.body.data.correlationId);
    expect(String(error?.message)).toContain('secret text');
  });
});

describe('what is logged of a failure that has no stack in the application', () => {
  it.each([
    ['object', 404],
    ['nothing', undefined],
    ['bigint', undefined],
  ])('has the route that failed: %s', async (kind, code) => {
    const { url, logged } = await start({});
    const answer = await send(url, `/fails/${kind}?access_token=secret`);
    const { correlationId } = answer.body.data;
    expect(answer.status).toBe(500);
    expect(logged).toMatchObject([{ correlationId, route: 'GET /fails/:kind' }]);
    // What a console prints of it.
    const printed = inspect(logged[0]);
    expect(printed).toContain("route: 'GET /fails/:kind'");
    expect(printed).not.toContain('access_token');
    if (code !== undefined) expect(printed).toMatch(/code: 404[^]*message: 'secret text'/);
  });

  it('is an error of its own where nothing can be read of it', async () => {
    const { url, logged } = await start({});
    expect((await send(url, '/fails/proxy')).status).toBe(500);
    const [{ message, route }] = logged as [Error & { route: string }];
    expect({ message, route }).toEqual({ message: 'A value that can not be read was thrown', route: 'GET /fails/:kind' });
  });

  it('has none where no route was reached', async () => {
    const { url, logged } = await start({}, undefined, (_req, _res, next) => next(new Error('in front')));
    await send(url, '/fails/error');
    expect(logged).toMatchObject([{ message: 'in front' }]);
    expect(logged[0]).not.toHaveProperty('route');
  });
});

describe('an error whose code is no status of an error', () => {
  it.each(['0', '200', '302', '404.5', '600', 'NaN'])('is a fault of the server, which is logged with what to mend: %s', async (code) => {
    const { url, logged } = await start({ html: false });
    const answer = await send(url, `/fails/code${code}`);
    const { correlationId } = answer.body.data;
    expect(answer).toMatchObject({ status: 500, body: { name: 'GeneralError', code: 500, className: 'general-error' } });
    expect(answer.text).not.toContain('secret');
    expect(logged).toMatchObject([
      {
        correlationId,
        message: `The code of an error is a whole number from 400 to 599, and not ${code}`,
        cause: { message: 'secret text', className: 'odd' },
      },
    ]);
  });
});

describe('which form an error has (interface 7)', () => {
  const forms: [string | undefined, string][] = [
    ['application/json', 'application/json'],
    ['text/html, application/json;q=0.5', 'text/html'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['application/json;q=0, text/html', 'text/html'],
    ['application/json;q=0, */*', 'text/html'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['*/*', 'text/html'],
    ['application/*', 'application/json'],
    ['image/png', 'text/html'],
    ['application/problem+json', 'application/problem+json'],
    ['application/problem+json;q=0, application/json', 'application/json'],
    ['application/json, application/problem+json;q=0.5', 'application/json'],
    ['application/json;q=0.5, application/problem+json', 'application/problem+json'],
    ['application/json, application/problem+json', 'application/problem+json'],
    ['text/html, application/problem+json;q=0.9', 'text/html'],
    ['application/vnd.api+json', 'application/json'],
    [';;;q=', 'text/html'],
  ];
  it.each(forms)('Accept: %s gives %s', async (accept, type) => {
    const { url } = await start({ logger: false });
    const answer = await send(url, '/missing', { headers: { accept } });
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`);
  });

  it('a JSON body asks for JSON, unless Accept refuses it', async () => {
    const { url } = await start({ logger: false });
    expect((await sendJson(url, 'POST', '/read', {}, { accept: '*/*' })).headers['content-type']).toContain('json');
    expect((await sendJson(url, 'POST', '/read', {}, { accept: 'text/html, application/json;q=0' })).headers['content-type']).toContain(
      'html',
    );
  });
});

describe('an error handler of the application', () => {
  it('finds the status of a 405 on the response', async () => {
    const { url } = await start({}, (_error, _req, res, _next) => {
      res.json({ status: res.statusCode });
    });
    expect(await sendJson(url, 'POST', '/read', {})).toMatchObject({
      status: 405,
      body: { status: 405 },
      headers: { allow: 'GET, HEAD, OPTIONS' },
    });
  });
});

describe('a request that Express has not prepared yet', () => {
  it('S39 gets its error, on a server that the application has not made', async () => {
    const app = express(framework()) as Application;
    app.configure(rest());
    app.use('read', { find: async () => [] });
    app.use(errorHandler({ logger: false }));
    const server = http.createServer(app as never).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    for (const headers of [{}, { 'if-none-match': '*' }]) {
      const answer = await send(url, '/read?a=%zz', { headers });
      expect([headers, answer.status, answer.text.length > 0]).toEqual([headers, 400, true]);
    }
    server.close();
  });
});

describe('the headers of an error', () => {
  it('are its own: what described the answer that failed is gone', async () => {
    const { url } = await start({ logger: false }, (_error, _req, res, next) => {
      res.set({
        ETag: '"x"',
        'Content-Length': '3',
        'Content-Encoding': 'gzip',
        Location: '/x',
        'Last-Modified': 'x',
        'Content-Range': 'x',
        'X-Kept': '1',
      });
      next(_error);
    });
    const { headers } = await send(url, '/missing');
    expect(headers).toMatchObject({ 'x-kept': '1', 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' });
    for (const name of ['etag', 'content-encoding', 'location', 'last-modified', 'content-range'])
      expect([name, headers[name]]).toEqual([name, undefined]);
  });
});

describe('called by a test with what only stands for a response', () => {
  /** Notes what it is given, by the methods of Express that it is to have. */
  function standIn(...names: string[]): { readonly res: never; readonly given: Record<string, unknown> } {
    const given: Record<string, unknown> = {};
    const methods: Record<string, (...values: unknown[]) => unknown> = {
      set: (name, value) => Object.assign(given, { [String(name).toLowerCase()]: value }),
    };
    for (const name of ['status', 'json', 'send', 'end']) methods[name] = (value) => Object.assign(given, { [name]: value });
    const res = Object.fromEntries(names.map((name) => [name, methods[name]]));
    return {
      given,
      res: Object.assign(res, names.includes('returns itself') && { status: (code: unknown) => (methods.status?.(code), res) }) as never,
    };
  }
  const handler = errorHandler({ logger: false });
  const next = (): void => undefined;
  const askingJson = { headers: { accept: 'application/json' } } as never;

  it('gives it status, headers and the error', () => {
    for (const names of [
      ['status', 'set', 'json', 'end'],
      ['status', 'set', 'json'],
      ['status', 'set', 'json', 'returns itself'],
    ]) {
      const { res, given } = standIn(...names);
      handler(new NotFound('No such record'), askingJson, res, next);
      expect(given).toMatchObject({ status: 404, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
      expect(given.json).toMatchObject({ name: 'NotFound', message: 'No such record', code: 404 });
    }
  });

  it('sends text by what it has, and no page where it takes only JSON', () => {
    const asked: [string[], Record<string, unknown>][] = [
      [['status', 'send'], { status: 404, send: expect.stringContaining('<!doctype html>') }],
      [['status', 'json', 'end'], { status: 404, end: expect.stringContaining('No such record') }],
      [['status', 'json'], { status: 404, json: expect.objectContaining({ code: 404 }) }],
      [[], {}],
    ];
    for (const [names, expected] of asked) {
      const { res, given } = standIn(...names);
      handler(new NotFound('No such record'), null as never, res, next);
      expect(given).toEqual(expected);
    }
    const { res, given } = standIn('end');
    handler(new NotFound('No such record'), askingJson, res, next);
    expect(JSON.parse(given.end as string)).toMatchObject({ code: 404 });
    expect(res).toMatchObject({ statusCode: 404 });
  });

  it('cuts nothing where it has begun an answer, and there is no socket', async () => {
    const { res, given } = standIn('status', 'json');
    handler(new NotFound(), askingJson, Object.assign(res, { headersSent: true }) as never, next);
    await new Promise((resolve) => setImmediate(resolve));
    expect(given).toEqual({});
  });

  it('takes the JSON of what its status gives back', () => {
    const given: unknown[] = [];
    const status = (code: unknown): object => ({ json: (body: unknown) => given.push(code, body) });
    handler(new NotFound(), askingJson, { status } as never, next);
    expect(given).toEqual([404, expect.objectContaining({ name: 'NotFound' })]);
  });

  it('calls the own responder of the application, and throws what assertions in it throw', () => {
    const { res, given } = standIn('status', 'set');
    const own = errorHandler({ logger: false, json: (error) => Object.assign(given, { own: error.code }) });
    own(new NotFound(), askingJson, res, next);
    expect(given).toMatchObject({ status: 404, own: 404 });
    const asserting = {
      json: () => {
        throw new Error('is another than the one expected');
      },
    };
    expect(() => {
      handler(new NotFound(), askingJson, asserting as never, next);
    }).toThrow('is another than the one expected');
  });
});

describe('an error where a middleware has replaced res.format', () => {
  const forms: string[] = [];
  const logged: RequestHandler = (_req, res, next) => {
    const original = res.format.bind(res);
    res.format = (choices) => {
      forms.push(Object.keys(choices as object).join());
      return original(choices);
    };
    next();
  };

  it.each(['text/html', 'image/png', 'application/problem+json'])(
    'is told in its own form to a client that asks for %s',
    async (accept) => {
      const plain = await start({ html: false });
      const { url } = await start({ html: false }, undefined, logged);
      forms.length = 0;
      const wanted = await send(plain.url, '/missing', { headers: { accept } });
      const { status, headers, body } = await send(url, '/missing', { headers: { accept } });
      expect([status, headers['content-type']]).toEqual([404, wanted.headers['content-type']]);
      expect(body).toEqual(wanted.body);
      expect(forms).toEqual(['application/json,default']);
    },
  );

  it('is told where that has refused the result of a service', async () => {
    const { url } = await start({ html: false }, undefined, logged);
    const answer = await send(url, '/read', HTML);
    expect(answer).toMatchObject({ status: 406, headers: { 'content-type': 'application/json; charset=utf-8' }, body: { code: 406 } });
  });

  it('is a problem for who prefers that', async () => {
    const { url } = await start({ html: false }, undefined, logged);
    const answer = await send(url, '/missing', { headers: { accept: 'application/problem+json, application/json;q=0.5' } });
    expect(answer).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
      body: { status: 404 },
    });
  });
});
