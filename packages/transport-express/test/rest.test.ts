import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { framework, type HookContext } from '@framework/core';
import { BadRequest, Conflict } from '@framework/errors';
import type { RequestHandler } from 'express';
import express, { formatter, json, rest, Router, type Application } from '../src/index.ts';
import { echo, listen, send, sendJson, start, type Running } from './harness.ts';

let running: Running;
let url: string;
beforeAll(async () => {
  running = await start((app) => {
    app.use('echo', echo, { methods: ['find', 'get', 'create', 'update', 'patch', 'remove', 'shout'] });
    app.use('users/:userId/messages', echo, { routeParams: { fixed: 'yes' } });
    app.use('results/:kind', {
      async find({ route }: { route: { kind: string } }) {
        return ({ null: null, zero: 0, empty: '', false: false, nothing: undefined, list: [], text: 'text' } as Record<string, unknown>)[
          route.kind
        ];
      },
      async create(data: unknown, { route }: { route: { kind: string } }) {
        return route.kind === 'null' ? null : data;
      },
    });
    app.use('shaped', {
      async find() {
        return [1];
      },
      async get() {
        return { a: 1 };
      },
      async create(data: object) {
        return { ...data, id: 'new one' };
      },
    });
    app.service('shaped').hooks({
      after: {
        find: [
          (context) => {
            context.http.status = 206;
            context.http.headers = { 'X-Own': ['a', 'b'] };
          },
        ],
        get: [
          (context) => {
            context.dispatch = { shown: true };
            context.http.location = '/a b';
          },
        ],
      },
    });
  });
  url = running.url;
});
afterAll(() => running.stop());

describe('the mapping of methods (interface 4.1)', () => {
  it.each([
    ['GET', '/echo?a=1', undefined, 200, { method: 'find', query: { a: '1' } }],
    ['GET', '/echo/5?a=1', undefined, 200, { method: 'get', id: '5', query: { a: '1' } }],
    ['POST', '/echo?a=1', { x: 1 }, 201, { method: 'create', data: { x: 1 }, query: { a: '1' } }],
    ['PUT', '/echo/5', { x: 1 }, 200, { method: 'update', id: '5', data: { x: 1 } }],
    ['PATCH', '/echo/5?b=2', { x: 1 }, 200, { method: 'patch', id: '5', data: { x: 1 }, query: { b: '2' } }],
    ['DELETE', '/echo/5?b=2', undefined, 200, { method: 'remove', id: '5', query: { b: '2' } }],
    ['PUT', '/echo', { x: 1 }, 200, { method: 'update', id: null }],
    ['PATCH', '/echo', { x: 1 }, 200, { method: 'patch', id: null }],
    ['DELETE', '/echo', undefined, 200, { method: 'remove', id: null }],
    ['GET', '/echo/null', undefined, 200, { method: 'get', id: 'null' }],
    ['GET', '/echo/', undefined, 200, { method: 'find' }],
    ['GET', '/echo/a%20b%2Fc%C3%A9', undefined, 200, { method: 'get', id: 'a b/cé' }],
    ['POST', '/echo', [{ x: 1 }], 201, { method: 'create', data: [{ x: 1 }] }],
  ])('%s %s', async (method, path, data, status, expected) => {
    const answer = data === undefined ? await send(url, path, { method }) : await sendJson(url, method, path, data);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ provider: 'rest', ...expected });
  });

  it('takes form bodies, and none as an empty object', async () => {
    const form = await send(url, '/echo', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=1&b[c]=2',
    });
    expect(form.body.data).toEqual({ a: '1', b: { c: '2' } });
    expect((await send(url, '/echo', { method: 'POST' })).body.data).toEqual({});
  });

  it('gives the values of placeholders in params.route', async () => {
    expect((await send(url, '/users/a%20b/messages/7')).body).toMatchObject({ id: '7', route: { userId: 'a b', fixed: 'yes' } });
  });

  it('calls custom methods by X-Service-Method', async () => {
    const answer = await sendJson(url, 'POST', '/echo', { x: 1 }, { 'X-Service-Method': 'shout' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ method: 'shout', data: { x: 1 } });
  });

  it('gives the headers of the request', async () => {
    const app = express(framework()) as Application;
    app.configure(rest());
    app.use('headers', {
      async find(params: { headers?: Record<string, unknown> }) {
        return params.headers?.['x-mine'] ?? 'none';
      },
    });
    const other = await listen(app);
    expect((await send(other.url, '/headers', { headers: { 'X-Mine': 'yes' } })).body).toBe('yes');
    await other.stop();
  });
});

describe('the status of answers (decisions: success status)', () => {
  it.each(['null', 'zero', 'empty', 'false', 'nothing'])('204 for the result %s', async (kind) => {
    const answer = await send(url, `/results/${kind}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  it('200 for a list without records, 204 for a create without a record', async () => {
    expect(await send(url, '/results/list')).toMatchObject({ status: 200, body: [] });
    expect((await sendJson(url, 'POST', '/results/null', {})).status).toBe(204);
  });

  it('context.http.status and headers win, 303 with a location, dispatch is sent', async () => {
    expect(await send(url, '/shaped')).toMatchObject({ status: 206, headers: { 'x-own': 'a, b' } });
    expect(await send(url, '/shaped/1')).toMatchObject({ status: 303, headers: { location: '/a%20b' }, body: { shown: true } });
  });

  it('Location of a created record', async () => {
    expect(await sendJson(url, 'POST', '/shaped/?a=1', {})).toMatchObject({ status: 201, headers: { location: '/shaped/new%20one' } });
  });
});

describe('S11 what crosses from outside', () => {
  it('is the query alone', async () => {
    const names = [
      'user',
      'provider',
      'authentication',
      'headers',
      'adapter',
      'pipeline',
      'docdb',
      'collation',
      'paginate',
      'route',
      'authenticated',
      'payload',
      'connection',
    ];
    const query = names.map((name) => `${name}=evil&${name}[x]=evil`).join('&');
    const body = Object.fromEntries(names.map((name) => [name, 'evil']));
    for (const answer of [
      await send(url, `/echo?${query}`),
      await sendJson(url, 'POST', `/echo?${query}`, body),
      await sendJson(url, 'PATCH', `/echo/1?${query}`, body),
    ]) {
      const { query: seen, data: _data, id: _id, method: _method, ...params } = answer.body;
      expect(params).toEqual({ provider: 'rest', route: {} });
      expect(Object.keys(seen)).toEqual(names);
    }
  });
});

describe('query strings (interface 4.6, 8)', () => {
  const query = async (text: string): Promise<unknown> => (await send(url, `/echo?${text}`)).body.query;
  const items = (count: number, form: (index: number) => string): string =>
    Array.from({ length: count }, (_unused, index) => form(index)).join('&');

  it('has text values, also in nested objects', async () => {
    expect(await query('read=true&$sort[createdAt]=-1')).toEqual({ read: 'true', $sort: { createdAt: '-1' } });
    expect(await query('$select[]=a&$select[]=b&$or[0][x]=1&$or[1][y][$gt]=2&n[$in][]=1')).toEqual({
      $select: ['a', 'b'],
      $or: [{ x: '1' }, { y: { $gt: '2' } }],
      n: { $in: ['1'] },
    });
    expect(await query('a=%20b+c%26')).toEqual({ a: ' b c&' });
  });

  it.each([
    ['a[]=x', () => 'a[]=x'],
    ['a[i]=x', (index: number) => `a[${index}]=x`],
  ])('%s is an array up to 20 items and an object beyond', async (_form, form) => {
    expect(((await query(items(20, form))) as { a: unknown }).a).toEqual(Array.from({ length: 20 }, () => 'x'));
    const beyond = ((await query(items(21, form))) as { a: Record<string, string> }).a;
    expect(Array.isArray(beyond)).toBe(false);
    expect(Object.keys(beyond)).toEqual(Array.from({ length: 21 }, (_unused, index) => String(index)));
  });

  it("the limit is raised by the 'query parser' setting", async () => {
    const { default: qs } = await import('qs');
    const app = express(framework()) as Application;
    app.set('query parser', (text: string) => qs.parse(text, { arrayLimit: 100 }));
    app.configure(rest());
    app.use('echo', echo);
    const other = await listen(app);
    expect((await send(other.url, `/echo?${items(50, (index) => `a[${index}]=x`)}`)).body.query.a).toHaveLength(50);
    await other.stop();
  });
});

describe('service middleware (interface 4.1)', () => {
  it('S47 may be asynchronous: what it rejects with goes to the error handler, in Express 4 too', async () => {
    const failing = async (): Promise<never> => {
      throw new BadRequest('not this way');
    };
    const other = await start((app) => {
      app.use('before', failing, echo);
      app.use('after', echo, failing);
      app.use('twice', echo, {
        express: {
          before: [
            failing,
            async (error: unknown, _req: unknown, _res: unknown, _next: unknown) => Promise.reject(new Conflict(String(error))),
          ],
        },
      });
    });
    try {
      for (const path of ['/before', '/after']) {
        expect(await send(other.url, path)).toMatchObject({ status: 400, body: { message: 'not this way' } });
      }
      expect(await send(other.url, '/twice')).toMatchObject({ status: 409, body: { message: 'BadRequest: not this way' } });
    } finally {
      await other.stop();
    }
  });

  it('runs before and after, sees res.data and res.hook, and may end the answer', async () => {
    const log: string[] = [];
    const other = await start((app) => {
      app.use(
        'wrapped',
        (req, _res, next) => {
          log.push('before');
          req.framework = { ...req.framework, fromBefore: true };
          next();
        },
        [
          (_req: unknown, _res: unknown, next: () => void) => {
            log.push('before 2');
            next();
          },
        ],
        echo,
        (_req, res, next) => {
          log.push(`after ${String((res.data as { method: string }).method)} ${String((res.hook as HookContext).path)}`);
          res.data = { ...(res.data as object), after: true };
          next();
        },
      );
      app.use('ended', echo, (_req, res) => {
        res.status(202).end('ended');
      });
      app.use(
        'failing',
        (_req, _res, next) => {
          next(new Error('in before'));
        },
        echo,
      );
    });
    expect((await send(other.url, '/wrapped/1')).body).toMatchObject({ fromBefore: true, after: true, id: '1' });
    expect(log).toEqual(['before', 'before 2', 'after get wrapped']);
    expect(await send(other.url, '/ended')).toMatchObject({ status: 202, text: 'ended' });
    expect((await send(other.url, '/failing')).status).toBe(500);
    await other.app.service('wrapped').get(1);
    expect(log).toHaveLength(3);
    await other.stop();
  });

  it('takes the options of the service wherever they stand behind it', async () => {
    const form: RequestHandler = (_req, res) => {
      res.type('text').send(String((res.data as { method: string }).method));
    };
    const other = await start((app) => {
      app.use('exports', echo, form, { methods: ['find'] });
      app.use('reports', echo, { methods: ['find'] }, form);
    });
    for (const path of ['/exports', '/reports']) {
      expect((await send(other.url, path)).text).toBe('find');
      expect((await send(other.url, `${path}/1`)).status).toBe(405);
    }
    await other.stop();
  });

  it('properties of req.framework become params, also from middleware before rest()', async () => {
    const app = express(framework()) as Application;
    app.use((req, _res, next) => {
      req.framework = { ...req.framework, mine: 1 };
      next();
    });
    app.configure(rest());
    app.use('echo', echo);
    const other = await listen(app);
    expect((await send(other.url, '/echo')).body).toMatchObject({ mine: 1, provider: 'rest' });
    await other.stop();
  });

  it('refuses what is neither middleware nor options', () => {
    const app = express(framework()) as Application;
    expect(() => app.use('x', 'text' as never, echo)).toThrow('Invalid options passed to app.use');
    expect(() => app.use('x', echo, undefined as never)).toThrow('and got undefined. Is what you pass exported');
    expect(() => app.use('x', echo, { methods: [] }, { events: [] } as never)).toThrow('one options object after it, and got object');
  });
});

describe('formatters (interface 4.1)', () => {
  it('a custom one sees res.data and may negotiate', async () => {
    const app = express(framework()) as Application;
    app.configure(
      rest((_req, res) => {
        res.format({
          'text/plain': () => {
            res.end(`text ${JSON.stringify(res.data)}`);
          },
          'application/json': () => {
            res.json(res.data);
          },
        });
      }),
    );
    app.use('list', {
      async find() {
        return [1];
      },
    });
    const other = await listen(app);
    expect((await send(other.url, '/list', { headers: { accept: 'text/plain' } })).text).toBe('text [1]');
    expect((await send(other.url, '/list')).body).toEqual([1]);
    await other.stop();
    expect(formatter).toHaveLength(3);
  });

  it('the default one honours the JSON settings of Express', async () => {
    const other = await start((app) => {
      app.set('json spaces', 1);
      app.set('json escape', true);
      app.use('x', {
        async find() {
          return { a: '<b>' };
        },
      });
    });
    expect((await send(other.url, '/x')).text).toBe('{\n "a": "\\u003cb\\u003e"\n}');
    await other.stop();
  });
});

describe('applications (interface 4.3, 9)', () => {
  it('wrap: without an application a plain one, with a wrong one an error, onto an existing one', () => {
    expect(express()).not.toHaveProperty('service');
    expect(() => express({} as never)).toThrow('requires a valid application instance');
    for (const none of [{}, 5, null, createServer()])
      expect(() => express(framework(), none as never)).toThrow(
        'express(app, serverApp) takes an application of Express behind the application',
      );
    const existing = express();
    expect(express(framework(), existing)).toBe(existing);
    expect(() => framework().configure(rest())).toThrow('wrap it first with express(app)');
  });

  it('keep settings and listeners from before, and are the app of contexts', async () => {
    const inner = framework();
    inner.set('mine', 1);
    let heard = 0;
    inner.on('ping', () => {
      heard += 1;
    });
    inner.use('early', echo);
    const app = express(inner) as unknown as Application;
    expect(app.get('mine')).toBe(1);
    app.set('later', 2);
    expect(inner.get('later')).toBe(2);
    app.emit('ping');
    inner.emit('ping');
    expect(heard).toBe(2);
    let seen: unknown;
    app.service('early').hooks({
      before: {
        find: [
          (context) => {
            seen = context.app;
          },
        ],
      },
    });
    await app.service('early').find();
    expect(seen).toBe(app);
  });

  it('serve services that were registered before rest() and after listen()', async () => {
    const app = express(framework()) as Application;
    app.use('before', echo);
    app.configure(rest());
    const other = await listen(app);
    app.use('after', echo);
    expect((await send(other.url, '/before')).status).toBe(200);
    expect((await send(other.url, '/after')).status).toBe(200);
    await app.unuse('after');
    expect((await send(other.url, '/after')).status).toBe(404);
    await other.stop();
  });

  it('mount core and wrapped applications below a prefix', async () => {
    const core = framework();
    core.use('things', echo);
    const sub = express(framework()) as Application;
    sub.use(json());
    sub.configure(rest());
    sub.use('things', echo);
    const other = await start((app) => {
      app.use('/api/v1', core);
      app.use('/api/v2', sub);
      void sub.setup();
    });
    expect((await send(other.url, '/api/v1/things/5')).body).toMatchObject({ id: '5' });
    expect((await sendJson(other.url, 'POST', '/api/v2/things', { a: 1 })).body).toMatchObject({ method: 'create', data: { a: 1 } });
    expect(other.app.service('api/v1/things')).toBe(core.service('things'));
    await other.stop();
  });

  it('serve a root service, routers, static files and plain routes beside services', async () => {
    const other = await start((app) => {
      const router = Router();
      router.get('/inside', (_req, res) => {
        res.json({ router: true });
      });
      app.use('/routed', router);
      app.use('/files', express.static(import.meta.dirname));
      app.get('/plain', (_req, res) => {
        res.json({ plain: true });
      });
      app.use('/', {
        async find() {
          return ['root'];
        },
        async get(id: string) {
          return { root: id };
        },
      });
    });
    expect((await send(other.url, '/')).body).toEqual(['root']);
    expect((await send(other.url, '/routed/inside')).body).toEqual({ router: true });
    expect((await send(other.url, '/files/harness.ts')).text).toContain('A running application');
    await other.stop();
  });

  it('listen rejects when the port is taken, and when setup fails', async () => {
    const app = express(framework()) as Application;
    const port = Number(new URL(url).port);
    await expect(app.listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const failing = express(framework()) as Application;
    failing.use('x', {
      async find() {
        return [];
      },
      async setup() {
        throw new Error('no database');
      },
    });
    await expect(failing.listen(0)).rejects.toThrow('no database');
    expect(failing.server).toBeUndefined();
  });

  it('set up and tear down their services with the server', async () => {
    const log: unknown[] = [];
    const other = await start((app) => {
      app.use('x', {
        async find() {
          return [];
        },
        async setup(given: unknown, path: string) {
          log.push(given === app, path);
        },
        async teardown() {
          log.push('teardown');
        },
      });
      app.hooks({
        setup: [
          async (context, next) => {
            log.push(context.app === app, context.server === app.server);
            await next();
          },
        ],
      });
    });
    await other.stop();
    expect(log).toEqual([true, true, true, 'x', 'teardown']);
  });
});

it('a service that is registered again has the middleware of its new registration alone', async () => {
  class Items {
    async find(): Promise<string[]> {
      return ['x'];
    }
  }
  const items = new Items();
  const {
    app,
    url: address,
    stop,
  } = await start((building) => {
    building.use('items', items);
  });
  const status = async (): Promise<number> => (await send(address, '/items')).status;
  expect(await status()).toBe(200);
  await app.unuse('items');
  expect(await status()).toBe(404);
  const refuse: RequestHandler = (_req, res) => {
    res.status(403).end();
  };
  app.use('items', refuse, items);
  expect(await status()).toBe(403);
  await stop();
});
