import type { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as feathersErrors from '@feathersjs/errors';
import { ApiKeyStrategy, AuthenticationBaseStrategy, authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import {
  addAuthentication,
  call,
  collect,
  connect,
  connectClient,
  memory,
  start,
  stopAll,
  until,
  type AnyApplication,
  type Running,
} from './harness.ts';

afterEach(stopAll);

const ann = { email: 'ann@example.com', password: 'the right password' };
const credentials = { strategy: 'local', ...ann };

async function startProtected(build: (app: AnyApplication) => void = () => undefined, settings: object = {}): Promise<Running> {
  const running = await start((app) => {
    app.use('users', memory({ startId: 1 }));
    app.service('users').hooks({ around: { all: [protect('password')] }, before: { create: [hashPassword('password')] } });
    addAuthentication(app, settings);
    app.use('notes', {
      find: async ({ user, provider }: any) => ({ email: user.email, provider }),
      create: async (data: unknown) => data,
    } as never);
    app.service('notes').hooks({ around: { all: [authenticate('jwt')] } });
    app.on('login', (_result: unknown, { connection }: any) => connection && app.channel('authenticated').join(connection));
    app.service('notes').publish(() => app.channel('authenticated'));
    build(app);
  });
  if ((await running.app.service('users').find()).length === 0) await running.app.service('users').create(ann);
  return running;
}

async function post(
  url: string,
  path: string,
  body: object,
  headers: object = {},
): Promise<{ status: number; body: any; retryAfter: string | null }> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json(), retryAfter: answer.headers.get('retry-after') };
}

it('a socket that connects while the application is set up waits until logins are followed', async () => {
  let opening: Promise<Socket> | undefined;
  const { app } = await startProtected((early) => {
    early.hooks({
      setup: [
        async ({ server }: { readonly server: Server }, next: () => Promise<void>) => {
          const { id } = await early.service('users').create({ email: 'eve@example.com', password: 'eve' });
          const token = await early.service('authentication').createAccessToken({}, { subject: String(id) });
          const asked = new Promise((resolve) => early.io.engine.once('connection', (conn: EventEmitter) => conn.once('packet', resolve)));
          const { port } = server.address() as AddressInfo;
          opening = connect(`http://127.0.0.1:${port}`, { extraHeaders: { authorization: `Bearer ${token}` } });
          await asked;
          await new Promise((resolve) => setTimeout(resolve, 50));
          await next();
        },
      ],
    } as never);
  });
  const socket = (await opening) as Socket;
  expect(app.channel('authenticated').length).toBe(1);
  const received = new Promise((resolve) => socket.once('notes created', resolve));
  app.service('notes').emit('created', { text: 'a' });
  expect(await received).toEqual({ text: 'a' });
});

describe("logins of the incumbent's client", () => {
  it('are refused with a wrong password, and let calls through with the right one', async () => {
    const { url } = await startProtected();
    const { app, socket } = await connectClient(url);
    await expect(app.service('notes').find()).rejects.toBeInstanceOf(feathersErrors.NotAuthenticated);
    await expect(app.authenticate({ ...credentials, password: 'wrong' })).rejects.toMatchObject({ message: 'Invalid login', code: 401 });
    const login = await app.authenticate(credentials);
    expect(login).toMatchObject({ accessToken: expect.any(String), user: { email: ann.email } });
    expect(JSON.stringify(login)).not.toContain('$argon2');
    expect((await call(socket, 'find', 'notes', {})).result).toEqual({ email: ann.email, provider: 'socketio' });
    await app.logout();
    expect((await call(socket, 'find', 'notes', {})).error).toMatchObject({ code: 401 });
  });

  it('come with the request that opens the connection too, and keep it out when they are wrong', async () => {
    const { app, url } = await startProtected();
    const { body } = await post(url, '/authentication', credentials);
    const events: string[] = [];
    app.on('login', () => events.push('login'));
    app.on('connection', () => events.push('connection'));
    const socket = await connect(url, { extraHeaders: { authorization: `Bearer ${body.accessToken}` } });
    expect((await call(socket, 'find', 'notes', {})).result).toMatchObject({ email: ann.email });
    expect(events).toEqual(['login', 'connection']);
    const refused = await connect(url, { extraHeaders: { authorization: 'Bearer not.a.token' } }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: 'invalid token', data: { name: 'NotAuthenticated', code: 401 } });
    expect(app.channel('authenticated').length).toBe(1);
  });

  it('S22 S24 count together with those over REST, by the address that the proxy setting believes', async () => {
    const limiter = { account: { attempts: 100, window: '15m' }, address: { attempts: 3, window: '15m' } };
    const { app, url } = await startProtected(() => undefined, { limiter });
    app.set('trust proxy', 1);
    const from = (address: string): Promise<Awaited<ReturnType<typeof connect>>> =>
      connect(url, { extraHeaders: { 'x-forwarded-for': address } });
    const wrong = { ...credentials, password: 'wrong' };
    const socket = await from('203.0.113.1');
    for (let tries = 0; tries < 2; tries++)
      expect((await call(socket, 'create', 'authentication', wrong, {})).error).toMatchObject({ code: 401 });
    expect((await post(url, '/authentication', wrong, { 'x-forwarded-for': '203.0.113.1' })).status).toBe(401);
    // A right password says nothing now either, over both; what the client puts in front of the proxy's word is not believed.
    const again = await from('198.51.100.7, 203.0.113.1');
    expect((await call(again, 'create', 'authentication', credentials, {})).error).toMatchObject({
      code: 429,
      data: { retryAfter: expect.any(Number) },
    });
    expect((await post(url, '/authentication', credentials, { 'x-forwarded-for': '203.0.113.1' })).status).toBe(429);
    const other = await from('203.0.113.2');
    expect((await call(other, 'create', 'authentication', credentials, {})).error).toBeNull();
  });

  it('S11 do not take an object, a list or a query for what they are to say', async () => {
    const { url } = await startProtected();
    const socket = await connect(url);
    for (const field of ['email', 'password']) {
      expect((await call(socket, 'create', 'authentication', { ...credentials, [field]: { $ne: null } }, {})).error).toMatchObject({
        code: 401,
      });
    }
    expect((await call(socket, 'create', 'authentication', [credentials], {})).error).toMatchObject({ code: 400 });
    expect((await call(socket, 'create', 'authentication', {}, { ...credentials, authenticated: true, user: ann })).error).toMatchObject({
      code: 401,
    });
  });
});

describe('events to those who may not have them any more', () => {
  const stored = { sessions: true };

  it('S19 S35 end with the logout, here or in another process, and with a login that ended by itself', async () => {
    const sessions = memory();
    const users = memory({ startId: 1 });
    const share = (app: AnyApplication): void => {
      app.use('sessions', Object.assign(memory(), { store: sessions.store }));
      Object.assign(app.service('users'), { store: users.store });
    };
    const [here, elsewhere] = [await startProtected(share, stored), await startProtected(share, stored)];
    const client = await connectClient(here.url);
    const received = collect(client.socket, 'notes created');
    const { accessToken } = await client.app.authenticate(credentials);
    await here.app.service('notes').create({ number: 1 });
    await until(() => received.length === 1);
    const closed = new Promise((resolve) => client.socket.once('disconnect', resolve));
    const out = await fetch(`${elsewhere.url}/authentication`, { method: 'DELETE', headers: { authorization: `Bearer ${accessToken}` } });
    expect(out.status).toBe(200);
    expect(await closed).toBe('io server disconnect');
    expect(here.app.channels).toEqual([]);
    await here.app.service('notes').create({ number: 2 });
    expect(received).toEqual([{ number: 1 }]);

    const short = await startProtected(undefined, { jwtOptions: { expiresIn: '2s' } });
    const ending = await connectClient(short.url);
    const ended = new Promise((resolve) => ending.socket.once('disconnect', resolve));
    await ending.app.authenticate(credentials);
    expect(await ended).toBe('io server disconnect');
    expect(short.app.channels).toEqual([]);
  });

  it.each([
    ['of this process', {}],
    ['of a store', { revocation: 'store' }],
  ])('S19 S35 end with the logout of a token without a session, where the list of ended ones is that %s', async (_what, settings) => {
    const { app, url } = await startProtected((added) => added.use('sessions', memory()), settings);
    const [taken, own, other] = [await connectClient(url), await connectClient(url), await connectClient(url)];
    const received = collect(taken.socket, 'notes created');
    const { accessToken } = await own.app.authenticate(credentials);
    await other.app.authenticate(credentials);
    await taken.app.authentication.authenticate({ strategy: 'jwt', accessToken });
    await app.service('notes').create({ number: 1 });
    await until(() => received.length === 1);
    const closed = new Promise((resolve) => taken.socket.once('disconnect', resolve));
    await own.app.logout();
    expect(await closed).toBe('io server disconnect');
    await app.service('notes').create({ number: 2 });
    expect([received, app.channel('authenticated').length]).toEqual([[{ number: 1 }], 1]);
    // Whoever logs out over the own connection goes on with it, and may log in again.
    await own.app.authenticate(credentials);
    expect([own.socket.connected, other.socket.connected, app.channel('authenticated').length]).toEqual([true, true, 2]);
  });

  it('S19 S35 end with what has ended while hooks behind the login were at work', async () => {
    const { app, url } = await startProtected((added) => added.use('sessions', memory()), stored);
    const first = await connectClient(url);
    const { accessToken } = await first.app.authenticate(credentials);
    app.service('authentication').hooks({
      after: {
        create: [
          async ({ params }: any) => {
            if (params.provider === undefined) return;
            await app.service('authentication').sessions.endAll('1');
            // Longer than it takes until every process has heard of it.
            await new Promise((resolve) => setTimeout(resolve, 1500));
          },
        ],
      },
    });
    const socket = await connect(url);
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    await call(socket, 'create', 'authentication', { strategy: 'jwt', accessToken });
    expect(await closed).toBe('io server disconnect');
    await until(() => app.channels.length === 0);
  });

  it('S35 end with the login of somebody else at another authentication service, also where both have one id', async () => {
    const { app, url } = await startProtected((added) => {
      added.use('admins', memory({ startId: 1 }));
      added.service('admins').hooks({ before: { create: [hashPassword('password', { authentication: 'admin-authentication' })] } });
      added.set('adminAuthentication', {
        ...(added.get('authentication') as object),
        service: 'admins',
        entity: 'admin',
        jwtOptions: { audience: 'https://admin.example.com' },
      });
      const authentication = new AuthenticationService(added as never, 'adminAuthentication');
      authentication.register('jwt', new JWTStrategy());
      authentication.register('local', new LocalStrategy());
      added.use('admin-authentication', authentication);
      added.on('login', ({ admin }: any, { connection }: any) => admin && connection && added.channel('admins').join(connection));
      added.use('who', { find: async ({ user, admin }: any) => ({ user: user?.email, admin: admin?.email }) } as never);
    });
    const admin = { email: 'root@example.com', password: ann.password };
    await app.service('admins').create(admin);
    const socket = await connect(url);
    expect((await call(socket, 'create', 'admin-authentication', { strategy: 'local', ...admin }, {})).error).toBeNull();
    expect([(await call(socket, 'find', 'who', {})).result, app.channels]).toEqual([{ admin: admin.email }, ['authenticated', 'admins']]);
    expect((await call(socket, 'create', 'authentication', credentials, {})).error).toBeNull();
    expect([(await call(socket, 'find', 'who', {})).result, app.channels]).toEqual([{ user: ann.email }, ['authenticated']]);
    expect((await call(socket, 'remove', 'authentication', null, {})).error).toBeNull();
    expect([(await call(socket, 'find', 'who', {})).result, app.channels]).toEqual([{}, []]);
  });

  it('S19 S35 end with a logout over the socket, behind which the connection goes on as that of nobody', async () => {
    const { app, url } = await startProtected((added) => added.use('sessions', memory()), stored);
    const [own, taken] = [await connectClient(url), await connectClient(url)];
    const received = collect(own.socket, 'notes created');
    const { accessToken } = await own.app.authenticate(credentials);
    await taken.app.authentication.authenticate({ strategy: 'jwt', accessToken });
    await app.service('notes').create({ number: 1 });
    await until(() => received.length === 1);
    const closed = new Promise((resolve) => taken.socket.once('disconnect', resolve));
    const { error, result } = await call(own.socket, 'remove', 'authentication', null, {});
    expect([error, result.user.email]).toEqual([null, ann.email]);
    await app.service('notes').create({ number: 2 });
    // Another connection with the same session ends.
    expect([await closed, app.channels]).toEqual(['io server disconnect', []]);
    expect(await call(own.socket, 'find', 'notes', {})).toMatchObject({ error: { code: 401 } });
    await expect(own.app.authentication.authenticate({ strategy: 'jwt', accessToken })).rejects.toMatchObject({ code: 401 });
    await own.app.authenticate(credentials);
    await app.service('notes').create({ number: 3 });
    await until(() => received.length === 2);
    expect([own.socket.connected, received]).toEqual([true, [{ number: 1 }, { number: 3 }]]);
  });

  it('S34 are none of authentication and of sessions, whatever the application publishes', async () => {
    const { app, url } = await startProtected((added) => {
      added.use('sessions', memory());
      added.on('connection', (connection: any) => added.channel('everybody').join(connection));
      added.publish(() => added.channel('everybody'));
    }, stored);
    const client = await connectClient(url);
    const names: string[] = [];
    client.socket.onAny((name: string) => names.push(name));
    await client.app.authenticate(credentials);
    await app.service('users').patch(1, { seen: true });
    await until(() => names.includes('users patched'));
    await expect(client.app.logout()).resolves.toMatchObject({ user: { email: ann.email } });
    // What was sent behind the logout is there before the answer of another call.
    expect(await call(client.socket, 'find', 'notes', {})).toMatchObject({ error: { code: 401 } });
    expect(names.filter((name) => !name.startsWith('users') && !name.startsWith('framework:'))).toEqual([]);
  });
});

describe('a connection whose end the application tells before it is connected', () => {
  const end = (app: AnyApplication) => (_result: unknown, params: { readonly connection?: object }) => {
    if (params.connection) app.emit('disconnect', params.connection);
  };

  async function tokenOf(url: string): Promise<string> {
    return (await post(url, '/authentication', credentials)).body.accessToken;
  }

  it('is refused by who hears of its login', async () => {
    const told: string[] = [];
    const { app, url } = await startProtected((added) => {
      added.on('login', end(added));
      for (const event of ['connection', 'disconnect']) added.on(event, () => told.push(event));
    });
    const extraHeaders = { authorization: `Bearer ${await tokenOf(url)}` };
    await expect(connect(url, { extraHeaders })).rejects.toMatchObject({ data: { name: 'NotAuthenticated', code: 401 } });
    expect(told).toEqual(['disconnect']);
    expect(app.channels).toEqual([]);
  });

  it('does not stay when middleware of the application has let it through', async () => {
    let slow: Promise<unknown> = Promise.resolve();
    const told: string[] = [];
    const { app, url } = await startProtected((added) => {
      added.use('middleware', {
        find: async () => [],
        setup: async () => void added.io.use((_socket: unknown, next: () => void) => void slow.then(() => next())),
      } as never);
      for (const event of ['connection', 'disconnect']) added.on(event, () => told.push(event));
      added.on('connection', (connection: object) => added.channel('everybody').join(connection));
    });
    slow = new Promise((resolve) => app.once('disconnect', resolve));
    const subject = String((await app.service('users').find())[0].id);
    const connectInTime = async (): ReturnType<typeof connect> => {
      const accessToken = await app.service('authentication').createAccessToken({}, { subject, expiresIn: '2s' });
      return connect(url, { extraHeaders: { authorization: `Bearer ${accessToken}` } }).catch((error: unknown) => {
        // One that has ended before it was looked at was refused.
        if ((error as { readonly data?: { readonly code?: number } }).data?.code === 401) return connectInTime();
        throw error;
      });
    };
    const socket = await connectInTime();
    if (socket.connected) await new Promise((resolve) => socket.once('disconnect', resolve));
    expect(told).toEqual(['disconnect']);
    expect(app.channels).toEqual([]);
  });
});

describe('a session whose refresh token is in a cookie', () => {
  it('is not refreshed over a socket, which can set no cookie, and goes on', async () => {
    const { app, url } = await startProtected((made) => made.use('sessions', memory()), { sessions: { cookie: true } });
    const reused: unknown[] = [];
    app.on('refresh-reuse', (reuse: unknown) => reused.push(reuse));
    const send = (body: object, headers: object = {}) =>
      fetch(`${url}/authentication`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url, ...headers },
        body: JSON.stringify(body),
      });
    const login = await send(credentials);
    const cookie = login.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
    const socket = await connect(url, { extraHeaders: { cookie, origin: url } });
    expect((await call(socket, 'create', 'authentication', { strategy: 'refresh' }, {})).error).toMatchObject({
      code: 400,
      message: 'The refresh token is in a cookie, which only an answer over REST can replace: refresh there',
    });
    expect((await send({ strategy: 'refresh' }, { cookie })).status).toBe(201);
    expect((await call(socket, 'find', 'notes', {})).error).toBeNull();
    expect(reused).toEqual([]);
  });
});

describe('a socket that is opened with an API key', () => {
  it.each([
    ['authStrategies', { authStrategies: ['jwt', 'local', 'api-key'] }],
    ['parseStrategies', { parseStrategies: ['jwt', 'api-key'] }],
  ])('calls with it where %s name the strategy, until it has ended', async (_option, settings) => {
    const { app, url } = await start((made) => {
      made.use('users', memory({ startId: 1 }));
      made.use('sessions', memory());
      addAuthentication(made, { sessions: true, ...settings });
      made.service('authentication').register('api-key', new ApiKeyStrategy());
      made.use('notes', { find: async ({ user }: any) => user.email } as never);
      made.service('notes').hooks({ around: { find: [authenticate('api-key')] } });
    });
    await app.service('users').create({ email: ann.email });
    const authentication = app.service('authentication');
    const { id, key } = await authentication.createApiKey({ entity: 1 });
    const socket = await connect(url, { extraHeaders: { 'x-api-key': key } });
    expect(await call(socket, 'find', 'notes', {})).toMatchObject({ error: null, result: ann.email });
    await authentication.sessions.end(id);
    expect((await call(socket, 'find', 'notes', {})).error).toMatchObject({ code: 401 });
  });
});

/** Knows callers by a header that something in front has set, and gives no token. */
class HeaderStrategy extends AuthenticationBaseStrategy {
  async parse({ headers }: any): Promise<any> {
    return headers['x-name'] === undefined ? null : { strategy: this.name, email: headers['x-name'] };
  }

  async authenticate({ email }: any): Promise<any> {
    return { authentication: { strategy: this.name }, user: { email } };
  }
}

it('a socket that is opened with what only its calls are known by is no login', async () => {
  let logins = 0;
  const { app, url } = await start((made) => {
    made.use('users', memory());
    addAuthentication(made, { parseStrategies: ['jwt', 'header'] });
    made.service('authentication').register('header', new HeaderStrategy());
    made.on('login', () => (logins += 1));
    made.use('notes', { find: async ({ user }: any) => user.email } as never);
    made.service('notes').hooks({ around: { find: [authenticate('header')] } });
  });
  const socket = await connect(url, { extraHeaders: { 'x-name': 'ann' } });
  expect(await call(socket, 'find', 'notes', {})).toMatchObject({ error: null, result: 'ann' });
  expect([logins, app.channels]).toEqual([0, []]);
});
