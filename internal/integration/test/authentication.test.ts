import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { MemoryService } from '@framework-internal/testing';
import { authenticate as authenticateHook } from '@framework/authentication';
import { framework, type Params } from '@framework/core';
import feathersClient from '@feathersjs/feathers';
import restModule from '@feathersjs/rest-client';
import authenticationModule from '@feathersjs/authentication-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestHandler } from 'express';
import express, {
  authenticate,
  errorHandler,
  json,
  notFound,
  parseAuthentication,
  rest,
  type Application,
} from '@framework/transport-express';
import { echo, listen, send, sendJson, type Running } from './harness.ts';

const SECRET = 'a secret for the tests of the transport 77';
// CommonJS modules whose types and values disagree about the default export.
const restClient = restModule as unknown as typeof restModule.default;
const authenticationClient = authenticationModule as unknown as typeof authenticationModule.default;
let running: Running;
let url: string;

function build(sessions = false): Application {
  const app = express(framework()) as Application;
  app.set('authentication', {
    secret: SECRET,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password' },
    sessions,
  });
  app.use(json());
  app.use('sessions', new MemoryService({ multi: true }));
  app.configure(rest());
  app.use('users', new MemoryService({ startId: 1 }));
  app.service('users').hooks({ around: { all: [protect('password')] }, before: { create: [hashPassword('password')] } });
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
  app.use('notes', new MemoryService({ multi: true }));
  app.service('notes').hooks({ before: { all: [authenticateHook('jwt')] } });
  app.use('echo', echo);
  app.service('echo').hooks({ before: { all: [authenticateHook('jwt')] } });
  app.get('/page', authenticate('jwt'), (req, res) => {
    res.json({ user: req.framework?.user, authenticated: req.framework?.authenticated });
  });
  const linkedToken: RequestHandler = (req, res, next) => {
    req.authentication = { strategy: 'jwt', accessToken: String(req.query.access_token) };
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    next();
  };
  app.get('/linked', linkedToken, authenticate({ strategies: ['jwt'] }), (req, res) => {
    res.json({ user: req.framework?.user });
  });
  const plain = express.original();
  plain.get('/page', authenticate('jwt'), (req, res) => {
    res.json({ user: req.framework?.user });
  });
  plain.get('/linked', linkedToken, authenticate('jwt'), (_req, res) => {
    res.json('reached');
  });
  app.use('/plain', plain);
  app.use(notFound());
  app.use(errorHandler({ logger: false }));
  return app;
}

beforeAll(async () => {
  running = await listen(build());
  url = running.url;
  await sendJson(url, 'POST', '/users', { email: 'a@b.c', password: 'right password' });
});
afterAll(() => running.stop());

const login = async (): Promise<string> =>
  (await sendJson(url, 'POST', '/authentication', { strategy: 'local', email: 'a@b.c', password: 'right password' })).body
    .accessToken as string;

describe('the service over REST (interface 4.2)', () => {
  it('logs in and out', async () => {
    const answer = await sendJson(url, 'POST', '/authentication', { strategy: 'local', email: 'a@b.c', password: 'right password' });
    expect(answer).toMatchObject({
      status: 201,
      body: { user: { id: 1, email: 'a@b.c' }, authentication: { strategy: 'local', payload: { sub: '1' } } },
    });
    expect(answer.text).not.toMatch(/argon2|"password"/);
    const { accessToken } = answer.body;
    const headers = { authorization: `Bearer ${accessToken}` };
    expect(await send(url, `/authentication/${accessToken}`, { method: 'DELETE', headers })).toMatchObject({
      status: 200,
      body: { accessToken, user: { id: 1 } },
    });
    // The token has ended, although there is no session.
    expect(await send(url, '/authentication', { method: 'DELETE', headers })).toMatchObject({ status: 401 });
    expect(await send(url, '/echo', { headers })).toMatchObject({ status: 401 });
    const other = { authorization: `Bearer ${await login()}` };
    expect((await send(url, '/authentication', { method: 'DELETE' })).status).toBe(401);
    expect((await send(url, `/authentication/${accessToken}`, { method: 'DELETE' })).status).toBe(401);
    expect((await send(url, '/authentication/other', { method: 'DELETE', headers: other })).status).toBe(401);
    expect(await send(url, '/authentication', { method: 'DELETE', headers: other })).toMatchObject({ status: 200 });
    expect((await send(url, '/authentication', { method: 'GET', headers })).status).toBe(405);
  });

  it('S5 refuses wrong logins with 401, other shapes with 400', async () => {
    for (const data of [
      {},
      { strategy: 'local' },
      { strategy: 'unknown' },
      { strategy: 'local', email: { $ne: null }, password: 'x' },
      { strategy: 'local', email: 'a@b.c', password: { $gt: '' } },
    ]) {
      expect((await sendJson(url, 'POST', '/authentication', data)).status).toBe(401);
    }
    expect((await sendJson(url, 'POST', '/authentication', [{ strategy: 'local' }])).status).toBe(400);
  });
});

describe('protected services', () => {
  it('need a token, and see the user', async () => {
    expect(await send(url, '/echo')).toMatchObject({
      status: 401,
      body: { name: 'NotAuthenticated', message: 'Not authenticated', code: 401 },
    });
    const answer = await send(url, '/echo', { headers: { authorization: `Bearer ${await login()}` } });
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { id: 1, email: 'a@b.c' }, authenticated: true },
      headers: { 'cache-control': 'no-store' },
    });
    expect(answer.text).not.toContain('argon2');
    expect((await send(url, '/echo', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
    expect((await send(url, '/echo', { headers: { authorization: 'Basic eDp5' } })).status).toBe(401);
  });
});

it('S45 refused calls from outside are told, without what they brought', async () => {
  const seen: unknown[] = [];
  const note = (event: unknown): void => void seen.push(event);
  running.app.on('authz-denied', note);
  await send(url, '/echo', { headers: { authorization: 'Bearer a-secret-token' } });
  await send(url, '/notes/1');
  await running.app.service('notes').find();
  running.app.off('authz-denied', note);
  expect(seen).toEqual([
    { path: 'echo', method: 'find', provider: 'rest', error: 'NotAuthenticated' },
    { path: 'notes', method: 'get', provider: 'rest', error: 'NotAuthenticated' },
  ]);
});

describe('authenticate for middleware (interface 4.4, 5.2)', () => {
  it('puts the result on req.framework', async () => {
    expect((await send(url, '/page')).status).toBe(401);
    expect((await send(url, '/page', { headers: { authorization: `Bearer ${await login()}` } })).body).toMatchObject({
      user: { id: 1 },
      authenticated: true,
    });
    expect((await send(url, '/plain/page')).status).toBe(401);
    const mounted = await send(url, '/plain/page', { headers: { authorization: `Bearer ${await login()}` } });
    expect(mounted).toMatchObject({ status: 200, body: { user: { id: 1 } } });
    for (const settings of [{ strategies: [] }, {}, undefined] as never[]) {
      expect(() => authenticate(settings)).toThrow('needs at least one allowed strategy');
    }
    expect(() => authenticate({ strategies: [1] } as never)).toThrow('is a list of names');
    expect(() => authenticate({ strategy: 'jwt', strategies: ['jwt'] } as never)).toThrow("no option 'strategy'");
    expect(() => parseAuthentication({ services: 'x' } as never)).toThrow("no option 'services'");
  });

  it('in front of rest() says to services what it has verified', async () => {
    const app = express(framework()) as Application;
    app.use('/seen', authenticate('jwt'));
    app.configure(rest());
    app.set('authentication', { secret: SECRET, entity: null, authStrategies: ['jwt'] });
    const service = new AuthenticationService(app);
    service.register('jwt', new JWTStrategy());
    app.use('authentication', service);
    app.use('seen', { find: async ({ authentication, authenticated }: Params) => ({ authentication, authenticated }) });
    const at = await listen(app);
    const accessToken = await service.createAccessToken({ role: 'editor' });
    const { body } = await send(at.url, '/seen', { headers: { authorization: `Bearer ${accessToken}` } });
    expect(body).toMatchObject({ authenticated: true, authentication: { strategy: 'jwt', accessToken, payload: { role: 'editor' } } });
    await at.stop();
  });

  it('S33 reads req.authentication, and two credentials in one request are 400', async () => {
    const token = await login();
    expect(await send(url, `/linked?access_token=${token}`)).toMatchObject({
      status: 200,
      body: { user: { id: 1 } },
      headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    });
    expect((await send(url, '/linked?access_token=x')).status).toBe(401);
    for (const path of [`/linked?access_token=${token}`, `/plain/linked?access_token=${token}`]) {
      expect(await send(url, path, { headers: { authorization: `Bearer ${token}` } })).toMatchObject({
        status: 400,
        body: { message: 'The request has two credentials. Send one' },
      });
    }
    const app = express(framework()) as Application;
    app.use((req, _res, next) => {
      req.authentication = { strategy: 'jwt', accessToken: 'x' };
      next();
    });
    app.set('authentication', { secret: SECRET, entity: null, authStrategies: ['jwt'] });
    app.configure(rest());
    const service = new AuthenticationService(app);
    service.register('jwt', new JWTStrategy());
    app.use('authentication', service);
    app.use('echo', echo);
    app.use(errorHandler({ logger: false }));
    const other = await listen(app);
    expect((await send(other.url, '/echo', { headers: { authorization: 'Bearer y' } })).status).toBe(400);
    expect((await send(other.url, '/echo')).body).toMatchObject({ authentication: { strategy: 'jwt', accessToken: 'x' } });
    await other.stop();
  });

  it('S33 a middleware beside a service gives the credentials of a request that has none, and both are 400', async () => {
    const app = express(framework()) as Application;
    app.set('authentication', { secret: SECRET, entity: null, authStrategies: ['jwt', 'own'] });
    app.configure(rest());
    const service = new AuthenticationService(app);
    service.register('jwt', new JWTStrategy());
    service.register('own', { authenticate: async () => Promise.resolve({ authentication: { strategy: 'own', payload: { of: 'own' } } }) });
    app.use('authentication', service);
    const given: RequestHandler = (req, _res, next) => {
      const { token: accessToken } = req.query;
      if (typeof accessToken === 'string')
        req.authentication = accessToken === 'own' ? { strategy: 'own' } : { strategy: 'jwt', accessToken };
      next();
    };
    const verified = authenticate('jwt', 'own');
    const other: RequestHandler = (req, _res, next) => {
      req.authentication = { strategy: 'jwt', accessToken: 'another' };
      next();
    };
    for (const [path, ...before] of [
      ['given', given],
      ['guarded', given, verified],
      ['other', verified, other],
    ] as const) {
      app.use(path, ...before, echo as never);
      app.service(path).hooks({ before: { all: [authenticateHook('jwt', 'own')] } });
    }
    app.use(errorHandler({ logger: false }));
    const at = await listen(app);
    const [token, second] = [await service.createAccessToken({}), await service.createAccessToken({})];
    const header = { authorization: `Bearer ${second}` };
    const two = { status: 400, body: { message: 'The request has two credentials. Send one' } };
    for (const path of ['given', 'guarded']) {
      expect(await send(at.url, `/${path}?token=${token}`)).toMatchObject({
        status: 200,
        body: { authentication: { accessToken: token } },
      });
      expect(await send(at.url, `/${path}?token=own`)).toMatchObject({ status: 200, body: { authentication: { strategy: 'own' } } });
      expect(await send(at.url, `/${path}`, { headers: header })).toMatchObject({
        status: 200,
        body: { authentication: { accessToken: second } },
      });
      for (const of of [token, second, 'own', 'wrong'])
        expect(await send(at.url, `/${path}?token=${of}`, { headers: header })).toMatchObject(two);
    }
    expect(await send(at.url, '/other', { headers: header })).toMatchObject(two);
    await at.stop();
  });

  it('parseAuthentication can be registered for another service', async () => {
    const app = express(framework()) as Application;
    app.set('admin', { secret: SECRET, entity: null, authStrategies: ['jwt'], jwt: { header: 'X-Admin' } });
    app.set('authentication', { secret: SECRET, entity: null, authStrategies: ['jwt'] });
    app.configure(rest());
    app.use(parseAuthentication({ service: 'admin-login' }));
    for (const [path, key] of [
      ['login', 'authentication'],
      ['admin-login', 'admin'],
    ] as const) {
      const service = new AuthenticationService(app, key);
      service.register('jwt', new JWTStrategy());
      app.use(path, service);
    }
    app.get('/who', (req, res) => {
      res.json(req.framework?.authentication ?? null);
    });
    const other = await listen(app);
    expect((await send(other.url, '/who', { headers: { 'x-admin': 'Bearer a' } })).body).toEqual({ strategy: 'jwt', accessToken: 'a' });
    await other.stop();
  });
});

describe.each([
  ['off', false],
  ['on', true],
])("the incumbent's clients, unchanged, with sessions %s", (_state, sessions) => {
  let server: Running;
  beforeAll(async () => {
    server = await listen(build(sessions));
    await sendJson(server.url, 'POST', '/users', { email: 'a@b.c', password: 'right password' });
  });
  afterAll(() => server.stop());
  const clientFor = (storage: Storage) => {
    const client = feathersClient.feathers();
    client.configure(restClient(server.url).fetch(fetch));
    client.configure(authenticationClient({ storage }));
    return client;
  };
  type Storage = { getItem(key: string): unknown; setItem(key: string, value: unknown): void; removeItem(key: string): void };
  const memoryStorage = (): Storage => {
    const items = new Map<string, unknown>();
    return {
      getItem: (key) => items.get(key),
      setItem: (key, value) => {
        items.set(key, value);
      },
      removeItem: (key) => {
        items.delete(key);
      },
    };
  };

  it('log in, re-authenticate from storage, call all methods and log out', async () => {
    const storage = memoryStorage();
    const first = clientFor(storage);
    const result = await first.authenticate({ strategy: 'local', email: 'a@b.c', password: 'right password' });
    expect(result).toMatchObject({ user: { email: 'a@b.c' }, authentication: { strategy: 'local' } });

    const client = clientFor(storage);
    expect(await client.reAuthenticate()).toMatchObject({ accessToken: result.accessToken, user: { id: 1 } });
    const notes = client.service('notes');
    const one = await notes.create({ text: 'one', n: 1 });
    const [two, three] = await notes.create([
      { text: 'two', n: 2 },
      { text: 'three', n: 3 },
    ]);
    expect(await notes.get(one.id)).toEqual(one);
    expect(await notes.find({ query: { text: { $in: ['two', 'three'] }, $sort: { text: 1 }, $select: ['text'] } })).toEqual([
      { text: 'three', id: three.id },
      { text: 'two', id: two.id },
    ]);
    expect(await notes.update(one.id, { text: 'uno' })).toEqual({ id: one.id, text: 'uno' });
    expect(await notes.patch(one.id, { more: true })).toEqual({ id: one.id, text: 'uno', more: true });
    expect(await notes.patch(null, { all: true }, { query: { text: 'two' } })).toEqual([{ ...two, all: true }]);
    expect(await notes.remove(one.id)).toMatchObject({ id: one.id });
    expect(await notes.remove(null)).toHaveLength(2);

    expect(await client.logout()).toMatchObject({ accessToken: result.accessToken, user: { id: 1 } });
    const after = await send(server.url, '/notes', { headers: { authorization: `Bearer ${result.accessToken}` } });
    expect(after.status).toBe(401);
    expect(storage.getItem('feathers-jwt')).toBeUndefined();
    await expect(notes.find()).rejects.toMatchObject({ name: 'NotAuthenticated', code: 401, message: 'Not authenticated' });
  });

  it('get errors of the right class', async () => {
    const storage = memoryStorage();
    const client = clientFor(storage);
    await expect(client.authenticate({ strategy: 'local', email: 'a@b.c', password: 'wrong' })).rejects.toMatchObject({
      name: 'NotAuthenticated',
      message: 'Invalid login',
    });
    await client.authenticate({ strategy: 'local', email: 'a@b.c', password: 'right password' });
    const { NotFound, MethodNotAllowed, BadRequest } = (await import('@feathersjs/errors')).default;
    await expect(client.service('notes').get(12345)).rejects.toBeInstanceOf(NotFound);
    await expect(client.service('nothing').find()).rejects.toBeInstanceOf(NotFound);
    await expect(client.service('authentication').get('x')).rejects.toBeInstanceOf(MethodNotAllowed);
    await expect(client.service('notes').find({ query: { $wrong: 1 } })).rejects.toBeInstanceOf(BadRequest);
    await expect(client.service('notes').get('a/b c?')).rejects.toMatchObject({ message: "No record found for id 'a/b c?'" });
  });

  it('refresh, where sessions are on', async () => {
    const client = clientFor(memoryStorage());
    const { refreshToken } = (await client.authenticate({ strategy: 'local', email: 'a@b.c', password: 'right password' })) as {
      refreshToken?: string;
    };
    expect(refreshToken === undefined).toBe(!sessions);
    const again = client.authenticate({ strategy: 'refresh', refreshToken });
    if (sessions) await expect(again).resolves.toMatchObject({ user: { email: 'a@b.c' } });
    else await expect(again).rejects.toMatchObject({ code: 401 });
    expect(
      await client
        .service('notes')
        .find()
        .catch((error: unknown) => (error as Error).name),
    ).toEqual(sessions ? [] : 'NotAuthenticated');
  });

  it('forget a token that is no longer valid', async () => {
    const storage = memoryStorage();
    storage.setItem('feathers-jwt', 'not.a.token');
    await expect(clientFor(storage).reAuthenticate()).rejects.toMatchObject({ code: 401 });
    expect(storage.getItem('feathers-jwt')).toBeUndefined();
  });
});
