import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HookContext } from '@framework/core';
import { GeneralError, NotAuthenticated, TooManyRequests, Unavailable } from '@framework/errors';
import { echo, send, sendJson, start, type Running } from './harness.ts';

let running: Running;
let url: string;
const logged: unknown[] = [];
beforeAll(async () => {
  running = await start(
    (app) => {
      app.use('echo', echo, { methods: ['find', 'get', 'create', 'patch', 'remove', 'shout'] });
      app.use('read-only', {
        async find() {
          return [];
        },
      });
      app.use('failing/:kind', {
        async find({ route }: { route: { kind: string } }): Promise<unknown> {
          switch (route.kind) {
            case 'error':
              throw new Error('secret text /etc/passwd');
            case 'text':
              throw 'secret text';
            case 'nothing':
              throw undefined;
            case 'frozen':
              throw Object.freeze({ message: 'secret text' });
            case 'general':
              throw new GeneralError('meant for the caller');
            case 'login':
              throw new NotAuthenticated('Log in');
            case 'slow-down':
              throw new TooManyRequests('Wait', { retryAfter: 2.5 });
            case 'away':
              throw new Unavailable('Try again', { retryAfter: 5 });
            case 'cyclic': {
              const value: Record<string, unknown> = {};
              value.self = value;
              return value;
            }
            case 'bigint':
              return { big: 5n };
            case 'unreadable':
              throw unreadable(() => undefined);
            case 'unreadable-result':
              return {};
            case 'to-json':
              return {
                toJSON() {
                  throw new Error('secret text');
                },
              };
            default:
              return Object.defineProperty({}, 'x', {
                enumerable: true,
                get() {
                  throw new Error('secret text');
                },
              });
          }
        },
      });
      const unreadableResult = (context: HookContext): void => {
        if (context.params.route?.kind === 'unreadable-result') context.result = unreadable({});
      };
      app.service('failing/:kind').hooks({ after: { find: [unreadableResult] } });
      app.get('/throws', () => {
        throw new Error('secret text');
      });
      app.get('/html', (_req, _res, next) => {
        next(new NotAuthenticated('<script>alert(1)</script>'));
      });
    },
    {
      logger: {
        error: (error) => {
          logged.push(error);
        },
      },
    },
  );
  url = running.url;
});
afterAll(() => running.stop());

describe('S38 methods', () => {
  it('405 with Allow for what the service or the path does not offer', async () => {
    expect(await sendJson(url, 'PUT', '/echo/1', {})).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, PATCH, DELETE, OPTIONS' },
      body: { name: 'MethodNotAllowed', message: 'Method `update` is not supported by this endpoint.', code: 405 },
    });
    expect(await sendJson(url, 'POST', '/read-only', {})).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect(await sendJson(url, 'POST', '/echo/5', {})).toMatchObject({ status: 405 });
    expect((await send(url, '/echo', { method: 'TRACE' })).status).toBe(405);
    expect((await send(url, '/echo', { method: 'PROPFIND' })).status).toBe(405);
  });

  it('OPTIONS says what is possible, HEAD has no body', async () => {
    expect(await send(url, '/echo', { method: 'OPTIONS' })).toMatchObject({
      status: 204,
      text: '',
      headers: { allow: 'GET, HEAD, POST, PATCH, DELETE, OPTIONS' },
    });
    const head = await send(url, '/echo/5', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe((await send(url, '/echo/5')).headers['content-length']);
  });

  it('401 with WWW-Authenticate', async () => {
    expect((await send(url, '/failing/login')).headers['www-authenticate']).toBe('Bearer realm="api"');
    expect((await send(url, '/failing/login', { headers: { authorization: 'Bearer x' } })).headers['www-authenticate']).toBe(
      'Bearer realm="api", error="invalid_token"',
    );
  });

  it('503 with Retry-After, where it is known', async () => {
    expect(await send(url, '/failing/away')).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  });

  it('429 with Retry-After', async () => {
    expect(await send(url, '/failing/slow-down')).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
  });
});

describe('S42 the service method header', () => {
  it.each([
    'find',
    'get',
    'create',
    'remove',
    'hidden',
    'setup',
    'hooks',
    'on',
    'emit',
    'constructor',
    '__proto__',
    'toString',
    'publish',
    '',
  ])('does not reach %p', async (method) => {
    const answer = await sendJson(url, 'POST', '/echo', {}, { 'X-Service-Method': method });
    expect(answer.status).toBe(405);
    expect(answer.text).not.toContain('reached');
  });

  it('does not count in other requests, and a method override neither', async () => {
    expect((await send(url, '/echo', { headers: { 'X-Service-Method': 'shout' } })).body).toMatchObject({ method: 'find' });
    expect((await sendJson(url, 'POST', '/echo', {}, { 'X-HTTP-Method-Override': 'DELETE' })).body).toMatchObject({ method: 'create' });
  });
});

describe('S39 faults of the client', () => {
  it.each([
    ['malformed JSON', 400, () => sendJson(url, 'POST', '/echo', '{"a":')],
    ['JSON that is no object', 400, () => sendJson(url, 'POST', '/echo', '"text"')],
    ['bad percent-encoding in the path', 400, () => send(url, '/echo/%zz')],
    ['a cut character in the path', 400, () => send(url, '/echo/%C3')],
    ['bad percent-encoding in the query', 400, () => send(url, '/echo?a=%zz')],
    ['bad percent-encoding in a name of the query', 400, () => send(url, '/echo?%zz=1')],
    ['S12 a body over the limit', 413, () => sendJson(url, 'POST', '/echo', { a: 'x'.repeat(150_000) })],
    ['a body of another type', 415, () => send(url, '/echo', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'text' })],
    ['a body without a type', 415, () => send(url, '/echo', { method: 'POST', body: 'text' })],
    ['an unknown charset', 415, () => sendJson(url, 'POST', '/echo', {}, { 'content-type': 'application/json; charset=klingon' })],
    ['an unknown encoding', 415, () => sendJson(url, 'POST', '/echo', {}, { 'content-encoding': 'klingon' })],
    ['Accept without JSON', 406, () => send(url, '/echo', { headers: { accept: 'image/png' } })],
    ['S12 a URL over 8 KiB', 414, () => send(url, `/echo?a=${'x'.repeat(9000)}`)],
    ['S12 headers over the limit', 431, () => send(url, '/echo', { headers: { 'x-large': 'x'.repeat(20_000) } })],
    ['S12 more than 1,000 parameters', 400, () => send(url, `/echo?${Array.from({ length: 1001 }, () => 'a').join('&')}`)],
    ['S12 nesting over 5 levels in the query', 400, () => send(url, '/echo?a[b][c][d][e][f][g]=1')],
    ['S12 nesting in the body', 400, () => sendJson(url, 'POST', '/echo', `${'['.repeat(100)}${']'.repeat(100)}`)],
    ['S1 an id over 1 KiB', 400, () => send(url, `/echo/${'x'.repeat(1025)}`)],
    ['S1 an id that reaches a prototype', 400, () => send(url, '/echo/__proto__')],
    ['S1 an id with NUL', 400, () => send(url, '/echo/a%00b')],
    ['an unknown path', 404, () => send(url, '/nothing')],
  ])('%s is %i', async (_what, status, request) => {
    const answer = await request();
    expect(answer.status).toBe(status);
    if (status !== 431 && status !== 406)
      expect(answer.body).toMatchObject({
        code: status,
        name: expect.any(String),
        message: expect.any(String),
        className: expect.any(String),
      });
  });

  it('S1 an empty id is the collection, and 406 does not reach the service', async () => {
    expect((await send(url, '/echo/')).body).toMatchObject({ method: 'find' });
    let called = false;
    running.app.use('counted', {
      async create() {
        called = true;
        return {};
      },
    });
    expect((await sendJson(url, 'POST', '/counted', {}, { accept: 'image/png' })).status).toBe(406);
    expect(called).toBe(false);
  });
});

describe('S8 prototypes', () => {
  it('are not reached by queries, JSON and forms', async () => {
    const bodies = [
      '{"__proto__":{"polluted":1}}',
      '{"a":{"__proto__":{"polluted":1}}}',
      '[{"__proto__":{"polluted":1}}]',
      '{"\\u005f_proto__":{"polluted":1}}',
    ];
    for (const body of bodies) expect((await sendJson(url, 'POST', '/echo', body)).status).toBe(400);
    for (const query of [
      '__proto__[polluted]=1',
      'a[__proto__][polluted]=1',
      'a[constructor][prototype][polluted]=1',
      '%5f_proto__[polluted]=1',
    ]) {
      const answer = await send(url, `/echo?${query}`);
      expect([query, answer.status]).toEqual([query, query.includes('constructor') ? 200 : 400]);
      expect(answer.text).not.toContain('"__proto__"');
    }
    const form = await send(url, '/echo', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '__proto__[polluted]=1&constructor[prototype][polluted]=1&a=1',
    });
    expect([form.status, form.body.data.a]).toEqual([201, '1']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

/** Something that throws whatever is done with it. */
function unreadable(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

describe('S40 errors of the server', () => {
  it.each(['error', 'text', 'nothing', 'frozen', 'cyclic', 'bigint', 'to-json', 'getter', 'unreadable', 'unreadable-result'])(
    'S47 %s is one 500 with a fixed text and a correlation id',
    async (kind) => {
      const answer = await send(url, `/failing/${kind}`);
      expect(answer).toMatchObject({
        status: 500,
        body: { name: 'GeneralError', message: 'An unexpected error occurred on the server', code: 500, className: 'general-error' },
      });
      expect(answer.text).not.toMatch(/secret|at |\.ts/);
      expect(answer.body.data.correlationId).toBe(answer.headers['x-correlation-id']);
      expect((await send(url, '/read-only')).status).toBe(200);
    },
  );

  it('are logged with the id of the answer', async () => {
    logged.length = 0;
    const answer = await send(url, '/failing/error');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({ message: 'secret text /etc/passwd', correlationId: answer.headers['x-correlation-id'] });
  });

  it('show a text that was meant for the caller, and one of plain routes never', async () => {
    expect((await send(url, '/failing/general')).body.message).toBe('meant for the caller');
    expect((await send(url, '/throws')).text).not.toContain('secret');
  });

  it('show everything with expose', async () => {
    const other = await start(
      (app) => {
        app.use('x', {
          async find() {
            throw new Error('the text');
          },
        });
        app.use('/unreadable', (_req: unknown, _res: unknown, next: (error: unknown) => void) => {
          next(unreadable({}));
        });
      },
      { expose: true },
    );
    expect((await send(other.url, '/x')).body.message).toBe('the text');
    expect(await send(other.url, '/unreadable')).toMatchObject({
      status: 500,
      body: { message: 'A value that can not be read was thrown' },
    });
    await other.stop();
  });
});

describe('S41 headers of answers', () => {
  it('are there, and X-Powered-By is not', async () => {
    const { headers } = await send(url, '/echo');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept, Authorization, Origin',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('cache-control');
    expect((await send(url, '/nothing')).headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  });
});

describe('the error handler (interface 4.4, 7)', () => {
  it('answers with JSON when Accept or the body asks for it, and with HTML otherwise', async () => {
    const html = await send(url, '/nothing', { headers: { accept: 'text/html' } });
    expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(html.text).toContain('<h1 id="error-code">404</h1>');
    expect((await send(url, '/nothing', { headers: { accept: '*/*' } })).headers['content-type']).toContain('html');
    expect((await sendJson(url, 'POST', '/nothing', {}, { accept: '*/*' })).headers['content-type']).toContain('json');
    expect((await send(url, '/nothing')).body).toEqual({
      name: 'NotFound',
      message: 'Page not found',
      code: 404,
      className: 'not-found',
      data: { url: '/nothing' },
    });
  });

  it('S40 escapes everything in HTML, and shows no message of a 500', async () => {
    const page = await send(url, '/html', { headers: { accept: 'text/html' } });
    expect(page.text).not.toContain('<script>');
    expect(page.text).toContain('&#60;script&#62;');
    expect((await send(url, '/failing/general', { headers: { accept: 'text/html' } })).text).not.toContain('meant for');
  });

  it('sends problem details when they are asked for', async () => {
    const answer = await send(url, '/nothing', { headers: { accept: 'application/problem+json' } });
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toMatchObject({ type: 'about:blank', title: 'NotFound', status: 404, detail: 'Page not found' });
  });

  it('takes html as false, a function, files and functions by status, and json by status', async () => {
    const browser = { headers: { accept: 'text/html' } };
    const none = await start(() => undefined, { html: false });
    expect((await send(none.url, '/x', browser)).headers['content-type']).toContain('json');
    await none.stop();
    const own = await start(() => undefined, {
      html: (error, _req, res) => {
        res.end(`own ${error.code}`);
      },
    });
    expect((await send(own.url, '/x', browser)).text).toBe('own 404');
    await own.stop();
    const map = await start(
      (app) => {
        app.get('/fails', () => {
          throw new Error('x');
        });
      },
      {
        public: import.meta.dirname,
        html: {
          404: 'fixtures/404.html',
          default: (error, _req, res) => {
            res.end(`default ${error.code}`);
          },
        },
        json: {
          404: (error, _req, res) => {
            res.json({ own: error.code });
          },
        },
      },
    );
    expect(await send(map.url, '/x', browser)).toMatchObject({ status: 404, text: expect.stringContaining('our own page') });
    expect((await send(map.url, '/fails', browser)).text).toBe('default 500');
    expect((await send(map.url, '/x')).body).toEqual({ own: 404 });
    await map.stop();
  });

  it('takes logger as a function, an object with info, and false', async () => {
    const seen: unknown[] = [];
    const fails = (app: Parameters<Parameters<typeof start>[0]>[0]) => {
      app.get('/fails', () => {
        throw new Error('x');
      });
    };
    const asFunction = await start(fails, {
      logger: (error) => {
        seen.push((error as Error).message);
      },
    });
    await send(asFunction.url, '/fails');
    await asFunction.stop();
    const asObject = await start(fails, {
      logger: {
        error: () => {
          seen.push('error');
        },
        info: () => {
          seen.push('info');
        },
      },
    });
    await send(asObject.url, '/nothing');
    await asObject.stop();
    expect(seen).toEqual(['x', 'info']);
  });

  it('cuts off an answer that has begun', async () => {
    const other = await start((app) => {
      app.get('/begun', (_req, res, next) => {
        res.write('begun');
        next(new Error('late'));
      });
    });
    await expect(send(other.url, '/begun')).rejects.toThrow();
    expect((await send(other.url, '/nothing')).status).toBe(404);
    await other.stop();
  });

  it('names the URL only with verbose', async () => {
    const { notFound } = await import('../src/index.ts');
    const errors: Error[] = [];
    for (const verbose of [false, true])
      notFound({ verbose })(
        { url: '/here' } as never,
        {} as never,
        ((error: Error) => {
          errors.push(error);
        }) as never,
      );
    expect(errors.map((error) => error.message)).toEqual(['Page not found', 'Page not found: /here']);
  });
});
