import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiKeyStrategy, authenticate, JWTStrategy } from '@framework/authentication';
import { framework } from '@framework/core';
import express, { authenticate as requireLogin, cors } from '@framework/transport-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  addAuthentication,
  addUsers,
  ask,
  answerOf,
  call,
  connectionId,
  credentials,
  dataOf,
  memory,
  open,
  openSource,
  start,
  stopAll,
  until,
  type AnyApplication,
  type Reader,
  type Running,
  type StartOptions,
} from './harness.ts';
import { sse } from '../src/index.ts';

afterEach(stopAll);

/** Notes that only those get who are logged in. */
async function startProtected(
  settings: object = {},
  build: (app: AnyApplication) => void = () => undefined,
  options: StartOptions = {},
): Promise<Running> {
  const running = await start((app) => {
    build(app);
    addAuthentication(app, settings);
    app.use('notes', {
      find: async ({ user, connection }: any) => ({ name: user?.name, connection }),
      create: async (data: unknown) => data,
    } as never);
    app.service('notes').publish(() => app.channel('authenticated'));
    app.on('login', (_result: unknown, { connection }: any) => connection && app.channel('authenticated').join(connection));
  }, options);
  await addUsers(running.app, 'ann', 'bob');
  return running;
}

async function tokenOf(url: string, name = 'ann'): Promise<string> {
  return (await call(url, 'POST', '/authentication', credentials(name))).body.accessToken;
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Opens a stream with a token of short life: one that has ended before it was used is taken for the next one. */
async function openInTime(url: string): Promise<{ readonly reader: Reader; readonly token: string }> {
  for (;;) {
    const token = await tokenOf(url);
    const reader = await open(url, bearer(token)).catch((error: unknown) => {
      if ((error as { readonly status?: number }).status !== 401) throw error;
    });
    if (reader) return { reader, token };
  }
}

it('a stream that is asked for while the application is set up waits until logins are followed', async () => {
  let opening: Promise<Reader> | undefined;
  const { app } = await startProtected({}, (early) => {
    early.hooks({
      setup: [
        async ({ server }: { readonly server: Server }, next: () => Promise<void>) => {
          const { id } = await early.service('users').create({ name: 'eve', email: 'eve@example.com', password: 'eve' });
          const token = await early.service('authentication').createAccessToken({}, { subject: String(id) });
          const asked = new Promise((resolve) => server.once('request', resolve));
          opening = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, bearer(token));
          await asked;
          await new Promise((resolve) => setTimeout(resolve, 20));
          await next();
        },
      ],
    } as never);
  });
  const reader = (await opening) as Reader;
  expect(app.channel('authenticated').length).toBe(1);
  app.service('notes').emit('created', { text: 'a' });
  await until(() => dataOf(reader, 'notes created').length > 0);
});

it('a stream of an application that lies in another one, asked for before that is set up, waits until logins are followed', async () => {
  const inner = express(framework()) as unknown as AnyApplication;
  inner.configure(sse());
  addAuthentication(inner, {});
  inner.on('login', (_result: unknown, { connection }: any) => connection && inner.channel('authenticated').join(connection));
  inner.use('notes', { create: async (data: unknown) => data } as never);
  inner.service('notes').publish(() => inner.channel('authenticated'));
  const joined: number[] = [];
  let opening: Promise<Reader> | undefined;
  const first = async (server: Server): Promise<void> => {
    const { id } = await inner.service('users').create({ name: 'eve', email: 'eve@example.com', password: 'eve' });
    const token = await inner.service('authentication').createAccessToken({}, { subject: String(id) });
    const asked = new Promise((resolve) => server.once('request', resolve));
    opening = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/inner/events`, bearer(token));
    await asked;
    await new Promise((resolve) => setTimeout(resolve, 20));
    joined.push(inner.channels.length);
  };
  await start((outer) => {
    outer.use('first', { find: async () => [], setup: async () => first(outer.server as Server) } as never);
    outer.use('/inner', inner as never);
  });
  const reader = (await opening) as Reader;
  expect([joined, inner.channel('authenticated').length]).toEqual([[0], 1]);
  inner.service('notes').emit('created', { text: 'a' });
  await until(() => dataOf(reader, 'notes created').length > 0);
});

describe('a stream ends with its session', () => {
  const times = { sessions: { maxAge: 2, refresh: false } };

  it('S35 also when that ends by its time, before its token does', async () => {
    const { app, url } = await startProtected(times, (made) => made.use('sessions', memory()));
    const { reader, token } = await openInTime(url);
    await until(() => reader.closed());
    expect(app.channels).toEqual([]);
    expect((await call(url, 'GET', '/authentication/sessions', undefined, bearer(token))).status).toBe(401);
  });

  it('and not before, where a refresh has put that off', async () => {
    const { url } = await startProtected({ sessions: { maxAge: 60, idle: 3 } }, (made) => made.use('sessions', memory()));
    const isPast = (time: string): boolean => new Date(time) < new Date();
    /** Whether a stream is closed behind the first end of its session; `undefined` where there was no time left to see that. */
    const closedEarly = async (): Promise<boolean | undefined> => {
      const { accessToken, refreshToken } = (await call(url, 'POST', '/authentication', credentials('ann'))).body;
      const reader = await open(url, bearer(accessToken)).catch(() => undefined);
      const own = async (): Promise<any> => {
        const { body } = await call(url, 'GET', '/authentication/sessions', undefined, bearer(accessToken));
        return Array.isArray(body) ? body.find(({ current }) => current) : undefined;
      };
      const first = await own();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const { status } = await call(url, 'POST', '/authentication', { strategy: 'refresh', refreshToken });
      const second = await own();
      // What is refreshed in the moment of its end may end all the same.
      if (!reader || !first || !second || status !== 201 || isPast(first.expiresAt)) return undefined;
      await until(() => isPast(first.expiresAt));
      await new Promise((resolve) => setTimeout(resolve, 300));
      const closed = reader.closed();
      if (isPast(second.expiresAt)) return undefined;
      await until(() => reader.closed());
      return closed;
    };
    let closed: boolean | undefined;
    await until(async () => (closed = await closedEarly()) !== undefined);
    expect(closed).toBe(false);
  });
});

describe('a stream is logged in', () => {
  it('by the header of the request that opens it', async () => {
    const order: string[] = [];
    const { app, url } = await startProtected({}, (added) => {
      for (const name of ['login', 'connection']) added.on(name, () => order.push(name));
    });
    const token = await tokenOf(url);
    order.splice(0);
    const reader = await open(url, bearer(token));
    expect(order).toEqual(['login', 'connection']);
    expect(app.channel('authenticated').connections).toMatchObject([{ provider: 'sse', user: { name: 'ann' } }]);
    await app.service('notes').create({ text: 'one' });
    await until(() => dataOf(reader, 'notes created').length === 1);
    expect(reader.events.map(({ name }) => name)).toEqual(['connection', 'position', 'notes created']);
    // It says from the start that it is logged in.
    expect(reader.events[1]?.id).toMatch(/\+$/);
  });

  it('by no API key, which is told: no calls come over it', async () => {
    const { app, url } = await startProtected({ sessions: true }, (made) => made.use('sessions', memory()));
    const authentication = app.service('authentication');
    authentication.register('api-key', new ApiKeyStrategy());
    app.set('authentication', { ...(app.get('authentication') as object), authStrategies: ['jwt', 'local', 'api-key'] });
    const [user] = await app.service('users').find();
    const { key } = await authentication.createApiKey({ entity: user });
    expect((await ask(url, { 'x-api-key': key })).statusCode).toBe(401);
  });

  it('S35 by no API key that middleware in front has let in either: nothing would end it with its key', async () => {
    const { app, url } = await startProtected(
      { sessions: true },
      (made) => {
        made.use('sessions', memory());
        made.on('connection', (connection: any) => connection.user && made.channel('authenticated').join(connection));
      },
      { first: (made) => void made.use('/events', requireLogin('jwt', 'api-key')) },
    );
    const authentication = app.service('authentication');
    authentication.register('api-key', new ApiKeyStrategy());
    app.set('authentication', { ...(app.get('authentication') as object), parseStrategies: ['jwt', 'api-key'] });
    const [user] = await app.service('users').find();
    const { key, id } = await authentication.createApiKey({ entity: user });
    const answer = await ask(url, { 'x-api-key': key });
    await authentication.sessions.end(id);
    expect((await ask(url, { 'x-api-key': key })).statusCode).toBe(401);
    expect([answer.statusCode, app.channel('authenticated').length]).toEqual([401, 0]);
    const reader = await open(url, bearer(await tokenOf(url)));
    expect(app.channel('authenticated').connections).toMatchObject([{ user: { name: 'ann' } }]);
    reader.close();
  });

  it('by a call that names it, and logged out by another; a client without cookies and headers needs no more', async () => {
    const { app, url } = await startProtected();
    const client = await openSource(url, ['notes created']);
    const named = { 'connection-id': connectionId(client) };
    await app.service('notes').create({ text: 'before' });
    const { status, body } = await call(url, 'POST', '/authentication', credentials('ann'), named);
    expect(status).toBe(201);
    await app.service('notes').create({ text: 'within' });
    await until(() => dataOf(client, 'notes created').length === 1);
    const out = await call(url, 'DELETE', '/authentication', undefined, { ...named, ...bearer(body.accessToken) });
    expect(out.status).toBe(200);
    expect(app.channels).toEqual([]);
    await app.service('notes').create({ text: 'after' });
    await call(url, 'POST', '/authentication', credentials('ann'), named);
    await app.service('notes').create({ text: 'again' });
    await until(() => dataOf(client, 'notes created').length === 2);
    expect(dataOf(client, 'notes created')).toEqual([{ text: 'within' }, { text: 'again' }]);
  });

  it('as somebody else, and keeps no channel of the one before', async () => {
    const { app, url } = await startProtected();
    app.on('login', (result: any, { connection }: any) => connection && app.channel(`for/${result.user.name}`).join(connection));
    const client = await openSource(url, []);
    const named = { 'connection-id': connectionId(client) };
    await call(url, 'POST', '/authentication', credentials('ann'), named);
    expect(app.channels.sort()).toEqual(['authenticated', 'for/ann']);
    await call(url, 'POST', '/authentication', credentials('bob'), named);
    expect(app.channels.sort()).toEqual(['authenticated', 'for/bob']);
  });

  it.each([[false], [true]])(
    'by no wrong token, no two credentials, and no token in the address (S33), in front of REST: %s',
    async (streamsFirst) => {
      const { app, url } = await startProtected({}, undefined, {
        streamsFirst,
        first: (added) =>
          added.use((req: any, _res: unknown, next: () => void) => {
            if (req.headers['x-given']) req.authentication = { strategy: 'jwt', accessToken: req.headers['x-given'] };
            next();
          }),
      });
      const token = await tokenOf(url);
      const accept = { accept: 'text/event-stream' };
      const wrong = await answerOf(await ask(url, { ...accept, ...bearer('not.a.token') }));
      expect(wrong).toMatchObject({ status: 401, body: { name: 'NotAuthenticated', message: 'invalid token', code: 401 } });
      const two = await answerOf(await ask(url, { ...accept, ...bearer(token), 'x-given': token }));
      expect(two).toMatchObject({ status: 400, body: { name: 'BadRequest', message: 'The request has two credentials. Send one' } });
      await open(`${url}/events?access_token=${token}&authorization=${token}`);
      expect(app.channels).toEqual([]);
      await open(url, { 'x-given': token });
      expect(app.channel('authenticated').length).toBe(1);
    },
  );
});

describe('a call that names a stream', () => {
  it('has it in params, and nothing else of it: whose call it is its own credentials say', async () => {
    const { app, url } = await startProtected();
    app.service('notes').hooks({ before: { create: [(context: any) => void app.channel('room').join(context.params.connection)] } });
    const reader = await open(url, bearer(await tokenOf(url)));
    const named = { 'connection-id': connectionId(reader) };
    expect((await call(url, 'GET', '/notes', undefined, named)).body).toMatchObject({ connection: { provider: 'sse' } });
    app.service('notes').hooks({ around: { find: [authenticate('jwt')] } });
    expect((await call(url, 'GET', '/notes', undefined, named)).status).toBe(401);
    expect((await call(url, 'GET', '/notes', undefined, { ...named, ...bearer(await tokenOf(url, 'bob')) })).body.name).toBe('bob');
    await call(url, 'POST', '/notes', {}, named);
    expect(app.channel('room').connections).toMatchObject([{ user: { name: 'ann' } }]);
    await call(url, 'POST', '/notes', {});
    expect(app.channel('room').length).toBe(1);
  });

  it('that is not open, or with what is no id, is refused, and nothing is done', async () => {
    const { app, url } = await startProtected();
    let made = 0;
    app.service('notes').on('created', () => (made += 1));
    const reader = await open(url);
    const id = connectionId(reader);
    const status = async (named: string): Promise<unknown> => {
      const answer = await call(url, 'POST', '/notes', {}, { 'connection-id': named });
      return [answer.status, answer.body.name];
    };
    expect(await status(id)).toEqual([201, undefined]);
    for (const other of [id.slice(1), 'x', `${id}x`, '__proto__', 'constructor']) expect(await status(other)).toEqual([410, 'Gone']);
    for (const other of ['', 'a b', '{}', 'x'.repeat(129), `${id}, ${id}`]) expect(await status(other)).toEqual([400, 'BadRequest']);
    reader.close();
    await until(async () => (await call(url, 'GET', '/notes', undefined, { 'connection-id': id })).status === 410);
    expect(made).toBe(1);
  });
});

describe('S35 a page of another origin', () => {
  const page = { origin: 'https://page.example.com' };
  const allowing = (options: object) => ({ first: (app: AnyApplication) => void app.use(cors(options) as never) });
  const listed = { origin: [page.origin] };
  const withCookies = { ...listed, credentials: true };

  it.each([
    ['no cors()', undefined, {}, true, 'access=yes'],
    ['no cors()', undefined, { origin: 'http://HOST' }, true, 'access=yes'],
    ['no cors()', undefined, { origin: 'https://HOST' }, true, 'access=yes'],
    ['no cors()', undefined, page, false, undefined],
    ['no cors()', undefined, { origin: 'null' }, false, undefined],
    ['no cors()', undefined, { origin: '' }, false, undefined],
    ['no cors()', undefined, { origin: 'http://HOST.evil.example' }, false, undefined],
    ['no cors()', undefined, { origin: 'http://HOST@evil.example' }, false, undefined],
    ['no cors()', undefined, { origin: 'http://evil.example/HOST' }, false, undefined],
    ['no cors()', undefined, { 'sec-fetch-site': 'same-origin' }, true, 'access=yes'],
    ['no cors()', undefined, { 'sec-fetch-site': 'none' }, true, 'access=yes'],
    ['no cors()', undefined, { 'sec-fetch-site': 'cross-site' }, false, undefined],
    ['no cors()', undefined, { 'sec-fetch-site': 'same-site' }, false, undefined],
    ['cors() for all', {}, page, true, undefined],
    ['cors() for all', {}, { 'sec-fetch-site': 'cross-site' }, false, undefined],
    ['cors() for a list', listed, page, true, undefined],
    ['cors() for a list', listed, { origin: 'http://HOST' }, true, 'access=yes'],
    ['cors() for a list', listed, { origin: 'https://evil.example' }, false, undefined],
    ['cors() for a list', listed, { origin: 'https://page.example.com.evil.example' }, false, undefined],
    ['cors() for a list, with cookies', withCookies, page, true, 'access=yes'],
    ['cors() for a list, with cookies', withCookies, { origin: 'https://evil.example' }, false, undefined],
    ['cors() for a list, with cookies', withCookies, { 'sec-fetch-site': 'cross-site' }, false, undefined],
  ])('with %s (%j): %j may read a stream: %s, and with cookies: %s', async (_title, options, headers, allowed, cookie) => {
    const seen: unknown[] = [];
    const { url } = await start(
      (app) => {
        app.defaultAuthentication = () => ({
          configuration: { authStrategies: ['cookie'] },
          create: () => undefined,
          parse: async (request: any) => void seen.push(request.headers.cookie),
        });
      },
      options && allowing(options),
    );
    const host = new URL(url).host;
    const sent: Record<string, string> = { cookie: 'access=yes', accept: 'text/event-stream' };
    for (const [name, value] of Object.entries(headers)) sent[name] = value.replace('HOST', host);
    const response = await ask(url, sent);
    expect(response.statusCode).toBe(allowed ? 200 : 403);
    expect(seen).toEqual(allowed ? [cookie] : []);
    if (!allowed) expect((await answerOf(response)).body).toMatchObject({ name: 'Forbidden' });
  });
});

describe('a stream that may get nothing more', () => {
  const stored = { sessions: true };

  /** Two processes, as far as they can be told apart here: they share the store of sessions and the users. */
  async function startTwo(): Promise<[Running, Running]> {
    const sessions = memory();
    const share = (app: AnyApplication): void => void app.use('sessions', Object.assign(memory(), { store: sessions.store }));
    const [here, elsewhere] = [await startProtected(stored, share), await startProtected(stored, share)];
    Object.assign(elsewhere.app.service('users'), { store: here.app.service('users').store });
    return [here, elsewhere];
  }

  it.each([['by its header'], ['by a call']])('S19 S35 logged in %s ends with its session, here or in another process', async (how) => {
    const [here, elsewhere] = await startTwo();
    for (const where of [here, elsewhere]) {
      const login = await call(here.url, 'POST', '/authentication', credentials('ann'));
      const token = bearer(login.body.accessToken);
      const reader = await open(here.url, how === 'by its header' ? token : {});
      if (how === 'by a call') {
        const data = { strategy: 'jwt', accessToken: login.body.accessToken };
        await call(here.url, 'POST', '/authentication', data, { 'connection-id': connectionId(reader) });
      }
      await here.app.service('notes').create({ number: 1 });
      await until(() => dataOf(reader, 'notes created').length === 1);
      expect((await call(where.url, 'DELETE', '/authentication', undefined, token)).status).toBe(200);
      await until(() => here.app.channels.length === 0);
      await here.app.service('notes').create({ number: 2 });
      await until(() => reader.closed());
      expect(dataOf(reader, 'notes created')).toEqual([{ number: 1 }]);
      // Coming back with the same token helps nobody.
      await expect(open(here.url, { ...token, 'last-event-id': String(reader.id()) })).rejects.toMatchObject({ status: 401 });
    }
  });

  it.each([
    ['its token', { expiresIn: '2s' }],
    ['the time for which tokens count', { maxAge: '2s' }],
  ])('S35 ends with %s', async (_what, jwtOptions) => {
    const { app, url } = await startProtected({ jwtOptions });
    const { reader } = await openInTime(url);
    await until(() => reader.closed());
    expect(app.channels).toEqual([]);
  });

  it('ends when the application says so, at once and with what it was sent', async () => {
    const { app, url } = await startProtected();
    const reader = await open(url, bearer(await tokenOf(url)));
    const [connection] = app.channel('authenticated').connections;
    await app.service('notes').create({ number: 1 });
    app.emit('disconnect', connection);
    await app.service('notes').create({ number: 2 });
    await until(() => reader.closed());
    expect(reader.response.complete).toBe(true);
    expect(dataOf(reader, 'notes created')).toEqual([{ number: 1 }]);
  });

  it.each([
    ['sessions', stored],
    ['tokens alone', {}],
  ])('S35 ends with the user whom a strategy of the application refuses from now on, with %s', async (_what, settings) => {
    class ActiveStrategy extends JWTStrategy {
      override getEntityQuery(): Promise<Record<string, unknown>> {
        return Promise.resolve({ left: { $ne: true } });
      }
    }
    const { app, url } = await startProtected(settings, (added) => added.use('sessions', memory()));
    app.service('authentication').register('jwt', new ActiveStrategy());
    app.service('notes').hooks({ around: { find: [authenticate('jwt')] } });
    const token = bearer(await tokenOf(url));
    const [left, stays] = [await open(url, token), await open(url, bearer(await tokenOf(url, 'bob')))];
    await app.service('users').patch(1, { name: 'ann of before' });
    expect((await call(url, 'GET', '/notes', undefined, token)).status).toBe(200);
    expect(left.closed()).toBe(false);
    await app.service('users').patch(1, { left: true });
    expect((await call(url, 'GET', '/notes', undefined, token)).status).toBe(401);
    await until(() => left.closed());
    expect([app.channel('authenticated').length, stays.closed()]).toEqual([1, false]);
  });

  it.each([
    ['sessions', stored],
    ['tokens alone', {}],
  ])('asks a strategy of the application with what the stream came with, with %s', async (_what, settings) => {
    class TenantStrategy extends JWTStrategy {
      override getEntityQuery(params: { headers?: Readonly<Record<string, unknown>> }): Promise<Record<string, unknown>> {
        // As an application of the incumbent may: each call has headers there.
        const { headers } = params as { headers: Readonly<Record<string, unknown>> };
        return Promise.resolve({ tenant: headers['x-tenant'] });
      }
    }
    const { app, url } = await startProtected(settings, (added) => added.use('sessions', memory()));
    await app.service('users').patch(1, { tenant: 'north' });
    app.service('authentication').register('jwt', new TenantStrategy());
    const reader = await open(url, { ...bearer(await tokenOf(url)), 'x-tenant': 'north' });
    await app.service('users').patch(1, { name: 'ann of before' });
    await app.service('notes').create({ number: 1 });
    await until(() => reader.closed() || dataOf(reader, 'notes created').length === 1);
    expect(reader.closed()).toBe(false);
    await app.service('users').patch(1, { tenant: 'south' });
    await until(() => reader.closed());
    expect(app.channel('authenticated').length).toBe(0);
  });

  it('S34 has no events of authentication and of sessions, whatever the application publishes', async () => {
    const { app, url } = await startProtected(stored, (added) => {
      added.use('sessions', memory());
      added.on('connection', (connection: any) => added.channel('everybody').join(connection));
      added.publish(() => added.channel('everybody'));
    });
    const reader = await open(url);
    await call(url, 'POST', '/authentication', credentials('ann'), { 'connection-id': connectionId(reader) });
    await app.service('users').patch(1, { seen: true });
    await until(() => dataOf(reader, 'users patched').length === 1);
    expect(new Set(reader.events.map(({ name }) => name))).toEqual(new Set(['connection', 'position', 'users patched']));
    expect(reader.text()).not.toContain('$argon2');
  });
});

it('middleware in front of streams keeps those away who are not logged in', async () => {
  const { app, url } = await startProtected({}, undefined, {
    first: (added) => void added.use('/events', requireLogin('jwt') as never),
  });
  const refused = await answerOf(await ask(url, { accept: 'text/event-stream' }));
  expect(refused).toMatchObject({ status: 401, body: { name: 'NotAuthenticated' } });
  const reader = await open(url, bearer(await tokenOf(url)));
  await app.service('notes').create({ text: 'one' });
  await until(() => dataOf(reader, 'notes created').length === 1);
});

it('a stream whose end the application tells when it hears of the login is refused', async () => {
  const told: string[] = [];
  const { app, url } = await startProtected({}, (added) => {
    for (const event of ['connection', 'disconnect']) added.on(event, () => told.push(event));
    added.on('login', (_result: unknown, { connection }: any) => connection && added.emit('disconnect', connection));
  });
  expect(await ask(url, bearer(await tokenOf(url)))).toMatchObject({ statusCode: 401 });
  expect(told).toEqual(['disconnect']);
  expect(app.channels).toEqual([]);
});

it('S35 a handler of `login` that waits for something tells by the connection whether its user is still logged in', async () => {
  const went: string[] = [];
  let go: () => void = () => undefined;
  const { app, url } = await start((app) => {
    addAuthentication(app);
    app.on('login', async ({ user }: any, { connection }: any) => {
      if (!connection) return;
      await new Promise<void>((resolve) => (go = resolve));
      if (connection.user?.id === user.id) app.channel(user.name).join(connection);
      went.push(user.name);
    });
  });
  await addUsers(app, 'ann', 'bob');
  const reader = await open(url);
  const named = { 'connection-id': connectionId(reader) };
  const logIn = async (name: string): Promise<string> =>
    (await call(url, 'POST', '/authentication', credentials(name), named)).body.accessToken;
  const ann = await logIn('ann');
  const goesOn = go;
  await call(url, 'DELETE', '/authentication', undefined, { ...bearer(ann), ...named });
  goesOn();
  await until(() => went.length === 1);
  await logIn('ann');
  const asAnn = go;
  await logIn('bob');
  asAnn();
  go();
  await until(() => went.length === 3);
  expect([went, app.channels]).toEqual([['ann', 'ann', 'bob'], ['bob']]);
});
