import { randomUUID } from 'node:crypto';
import { AuthenticationService, JWTStrategy, authenticate as authenticateHook } from '@framework/authentication';
import { framework, type HookContext } from '@framework/core';
import type { RequestHandler } from 'express';
import { Forbidden } from '@framework/errors';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { authenticate, errorHandler, rest, type Application, type ErrorHandlerOptions } from '../src/index.ts';
import { echo, listen, send, sendJson, start, type Running } from './harness.ts';

const SECRET = 'a secret for the sentences of the interface 81';

/** Starts an application, asks it, and stops it. */
async function within<T>(build: (app: Application) => void, ask: (url: string) => Promise<T>, options?: ErrorHandlerOptions): Promise<T> {
  const running = await start(build, options);
  try {
    return await ask(running.url);
  } finally {
    await running.stop();
  }
}

/** Authentication without an entity, by the header that the jwt strategy reads. */
function withAuthentication(app: Application, options: object = {}): AuthenticationService {
  app.set('authentication', { secret: SECRET, entity: null, authStrategies: ['jwt'], ...options });
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  app.use('authentication', service);
  return service;
}

describe('authentication of requests', () => {
  let running: Running;
  let token: string;
  let parsedBy: unknown[];
  beforeAll(async () => {
    running = await start((app) => {
      const service = withAuthentication(app, { parseStrategies: ['other'] });
      service.register('other', {
        parse: async (req: { headers?: Record<string, unknown> }) =>
          req.headers?.other ? { strategy: 'other', seen: req.headers.other } : null,
        authenticate: async () => ({}),
      });
      app.use('echo', echo);
    });
    token = await (running.app.service('authentication') as unknown as AuthenticationService).createAccessToken({});
    parsedBy = [
      (await send(running.url, '/echo', { headers: { other: 'yes' } })).body.authentication,
      (await send(running.url, '/echo', { headers: { authorization: `Bearer ${token}` } })).body.authentication,
    ];
  });
  afterAll(() => running.stop());

  it('2.1#9 the strategies of parseStrategies read requests, and those of authStrategies when it is not set', async () => {
    expect(parsedBy).toEqual([{ strategy: 'other', seen: 'yes' }, undefined]);
    const parsed = await within(
      (app) => {
        withAuthentication(app);
        app.use('echo', echo);
      },
      async (url) => (await send(url, '/echo', { headers: { authorization: 'Bearer x' } })).body,
    );
    expect(parsed.authentication).toEqual({ strategy: 'jwt', accessToken: 'x' });
  });

  it('2.2#3 params.authentication of a bearer token names the strategy jwt', async () => {
    const parsed = await within(
      (app) => {
        withAuthentication(app);
        app.use('echo', echo);
      },
      async (url) => (await send(url, '/echo', { headers: { authorization: 'Bearer x' } })).body,
    );
    expect(parsed.authentication.strategy).toBe('jwt');
  });

  it('5.2#2 what is parsed first becomes params.authentication, before any hook verifies it', () => {
    expect(parsedBy[0]).toEqual({ strategy: 'other', seen: 'yes' });
  });

  it('5.2#6 the middleware takes the header Authorization with the scheme Bearer, and no other', async () => {
    const statuses = await within(
      (app) => {
        withAuthentication(app);
        app.get('/page', authenticate('jwt'), (_req, res) => void res.json({}));
      },
      async (url) =>
        Promise.all(
          [`Bearer ${token}`, token.slice(0, -3), `Basic ${token}`, ''].map(
            async (authorization) => (await send(url, '/page', { headers: { authorization } })).status,
          ),
        ),
    );
    expect(statuses).toEqual([200, 401, 401, 401]);
  });

  it('5.2#10 a session on the server lets a link of a browser through, by the token that it keeps', async () => {
    const sessions = new Map<string, string>();
    const answers = await within(
      (app) => {
        const service = withAuthentication(app);
        app.post('/session', (_req, res, next) => {
          service.createAccessToken({}).then((accessToken) => {
            const id = randomUUID();
            sessions.set(id, accessToken);
            res.set('set-cookie', `sid=${id}; HttpOnly; SameSite=Lax`).end();
          }, next);
        });
        app.use((req, _res, next) => {
          const id = /sid=([^;]+)/.exec(req.headers.cookie ?? '')?.[1] ?? '';
          const accessToken = sessions.get(id);
          if (accessToken !== undefined) req.authentication = { strategy: 'jwt', accessToken };
          next();
        });
        app.get('/page', authenticate('jwt'), (_req, res) => void res.end('the page'));
      },
      async (url) => {
        const [cookie = ''] = (await send(url, '/session', { method: 'POST' })).headers['set-cookie'] ?? [];
        const headers = { cookie: cookie.split(';')[0] };
        const inside = await send(url, '/page', { headers });
        sessions.clear();
        return [inside.text, inside.status, (await send(url, '/page', { headers })).status, (await send(url, '/page')).status];
      },
    );
    expect(answers).toEqual(['the page', 200, 401, 401]);
  });

  it('5.2#11 a middleware in front may take access_token from the query', async () => {
    const statuses = await within(
      (app) => {
        withAuthentication(app);
        const fromQuery: RequestHandler = (req, _res, next) => {
          if (typeof req.query.access_token === 'string') req.authentication = { strategy: 'jwt', accessToken: req.query.access_token };
          next();
        };
        app.get('/page', fromQuery, authenticate('jwt'), (_req, res) => void res.end());
      },
      async (url) => [(await send(url, `/page?access_token=${token}`)).status, (await send(url, '/page')).status],
    );
    expect(statuses).toEqual([200, 401]);
  });

  it('5.5#1 hooks decide what a user may do', async () => {
    const statuses = await within(
      (app) => {
        withAuthentication(app);
        app.use('echo', echo);
        app.service('echo').hooks({
          before: {
            all: [authenticateHook('jwt')],
            remove: [
              () => {
                throw new Forbidden('not you');
              },
            ],
          },
        });
      },
      async (url) => {
        const headers = { authorization: `Bearer ${token}` };
        return [(await send(url, '/echo', { headers })).status, (await send(url, '/echo/1', { method: 'DELETE', headers })).status];
      },
    );
    expect(statuses).toEqual([200, 403]);
  });

  it('5.5#2 a hook refuses REST by params.provider, and lets calls on the server pass', async () => {
    const other = await start((app) => {
      app.use('echo', echo);
      app.service('echo').hooks({
        before: {
          all: [
            (context: HookContext) => {
              if (context.params.provider === 'rest') throw new Forbidden('internal');
            },
          ],
        },
      });
    });
    expect((await send(other.url, '/echo')).status).toBe(403);
    await expect(other.app.service('echo').find()).resolves.toMatchObject({ method: 'find' });
    await other.stop();
  });
});

describe('queries', () => {
  it('4.6#23 read=true and $sort[createdAt]=-1 are texts, the latter in an object', async () => {
    const answer = await within(
      (app) => app.use('echo', echo),
      (url) => send(url, '/echo?read=true&$sort[createdAt]=-1'),
    );
    expect(answer.body.query).toEqual({ read: 'true', $sort: { createdAt: '-1' } });
  });

  it('4.6#3 brackets nest objects and lists', async () => {
    const answer = await within(
      (app) => app.use('echo', echo),
      (url) => send(url, '/echo?a[b][]=1&a[b][]=2&a[c][d]=3'),
    );
    expect(answer.body.query).toEqual({ a: { b: ['1', '2'], c: { d: '3' } } });
  });

  it('4.6#22 brackets nest when they are percent-encoded too', async () => {
    const answer = await within(
      (app) => app.use('echo', echo),
      (url) => send(url, '/echo?a%5Bb%5D=1&c=2'),
    );
    expect(answer.body.query).toEqual({ a: { b: '1' }, c: '2' });
  });
});

describe('services and their middleware', () => {
  it('2.4#13 a middleware of the service sets params by req.framework', async () => {
    const answer = await within(
      (app) =>
        app.use(
          'echo',
          (req, _res, next) => {
            req.framework = { ...req.framework, mine: 'yes' };
            next();
          },
          echo,
        ),
      (url) => send(url, '/echo'),
    );
    expect(answer.body.mine).toBe('yes');
  });

  it('4.1#8 placeholders of the path are in params.route, decoded', async () => {
    const answer = await within(
      (app) => app.use('users/:userId/messages', echo),
      (url) => send(url, '/users/a%20b/messages'),
    );
    expect(answer.body.route).toEqual({ userId: 'a b' });
  });

  it('4.1#15 middleware of a service does not run for calls on the server', async () => {
    const ran: string[] = [];
    const running = await start((app) =>
      app.use(
        'echo',
        (_req, _res, next) => {
          ran.push('before');
          next();
        },
        echo,
        (_req, _res, next) => {
          ran.push('after');
          next();
        },
      ),
    );
    await running.app.service('echo').find();
    expect(ran).toEqual([]);
    await send(running.url, '/echo');
    expect(ran).toEqual(['before', 'after']);
    await running.stop();
  });

  it('4.1#16 middleware after the service sees res.data and res.hook', async () => {
    const seen: unknown[] = [];
    await within(
      (app) =>
        app.use('echo', echo, (_req, res, next) => {
          seen.push((res.data as { id: string }).id, (res.hook as HookContext).method);
          next();
        }),
      (url) => send(url, '/echo/7'),
    );
    expect(seen).toEqual(['7', 'get']);
  });

  it('4.1#17 an answer sent after the service leaves out later middleware and the formatter', async () => {
    let later = 0;
    const answer = await within(
      (app) =>
        app.use(
          'echo',
          echo,
          (_req, res) => void res.status(202).end('mine'),
          (_req, _res, next) => {
            later += 1;
            next();
          },
        ),
      (url) => send(url, '/echo/7'),
    );
    expect(answer).toMatchObject({ status: 202, text: 'mine' });
    expect(later).toBe(0);
  });

  it('4.1#13 a formatter negotiates with res.format', async () => {
    const app = express(framework()) as Application;
    app.configure(
      rest((_req, res) => {
        res.format({ 'text/plain': () => void res.send('as text'), 'application/json': () => void res.json(res.data) });
      }),
    );
    app.use('echo', echo);
    const running = await listen(app);
    expect((await send(running.url, '/echo', { headers: { accept: 'text/plain' } })).text).toBe('as text');
    expect((await send(running.url, '/echo')).body).toMatchObject({ method: 'find' });
    await running.stop();
  });

  it('4.3#7 without rest() services are not reached over HTTP, with it they are', async () => {
    const statusWith = async (configure: (app: Application) => void): Promise<number> => {
      const app = express(framework()) as Application;
      configure(app);
      app.use('echo', echo);
      app.use(errorHandler({ logger: false }));
      const running = await listen(app);
      const { status } = await send(running.url, '/echo');
      await running.stop();
      return status;
    };
    expect([await statusWith(() => undefined), await statusWith((app) => app.configure(rest()))]).toEqual([404, 200]);
  });

  it('4.3#1 express(app) makes an application that serves HTTP and has its services', () => {
    const app = express(framework()) as Application;
    app.use('echo', echo);
    expect([typeof app, typeof app.get, typeof app.listen, app.service('echo') === undefined]).toEqual([
      'function',
      'function',
      'function',
      false,
    ]);
  });

  it('4.3#2 express(app, serverApp) extends the server application that it is given', async () => {
    const plain = express.original();
    plain.get('/plain', (_req, res) => void res.end('plain'));
    const app = express(framework(), plain) as Application;
    app.configure(rest());
    app.use('echo', echo);
    const running = await listen(app);
    expect(app).toBe(plain);
    expect([(await send(running.url, '/plain')).text, (await send(running.url, '/echo')).status]).toEqual(['plain', 200]);
    await running.stop();
  });

  it('4.3#3 express() is a plain server application without services', () => {
    const app = express();
    expect(typeof app).toBe('function');
    expect(app).not.toHaveProperty('service');
  });
});

describe('errors', () => {
  const failing = (app: Application): unknown =>
    app.use('fails', {
      async find() {
        throw new Forbidden('not here', { reason: 'closed' });
      },
    });

  it('7#5 notFound answers a request for a path that nothing serves with the error NotFound and 404', async () => {
    const answer = await within(
      () => undefined,
      (url) => send(url, '/nowhere'),
    );
    expect(answer).toMatchObject({ status: 404, body: { name: 'NotFound', code: 404 } });
  });

  it('7#6 an error is JSON for a request that accepts JSON', async () => {
    const answer = await within(failing, (url) => send(url, '/fails', { headers: { accept: 'application/json' } }));
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.body.name).toBe('Forbidden');
  });

  it('7#7 an error is HTML for a request that does not ask for JSON', async () => {
    const answer = await within(failing, (url) => send(url, '/fails', { headers: { accept: 'text/html, */*;q=0.1' } }));
    expect(answer).toMatchObject({ status: 403, headers: { 'content-type': expect.stringContaining('text/html') } });
  });

  it('7#8 with html: false an error is JSON for every request', async () => {
    const answer = await within(failing, (url) => send(url, '/fails', { headers: { accept: 'text/html, */*;q=0.1' } }), { html: false });
    expect(answer.body).toMatchObject({ name: 'Forbidden', code: 403 });
  });

  it('7#11 the body of an error has name, message, code, className and data, in this order', async () => {
    const answer = await within(failing, (url) => send(url, '/fails'));
    expect(answer.text).toBe('{"name":"Forbidden","message":"not here","code":403,"className":"forbidden","data":{"reason":"closed"}}');
  });

  it('8#5 a body above the limit of the parser is refused with 413', async () => {
    const answer = await within(
      (app) => app.use('echo', echo),
      (url) => sendJson(url, 'POST', '/echo', { text: 'x'.repeat(200_000) }),
    );
    expect(answer.status).toBe(413);
  });
});
