import { framework, type Application } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import {
  authenticate,
  AuthenticationService,
  JWTStrategy,
  type AuthenticationConfiguration,
  type AuthenticationParams,
} from '../src/index.ts';
import { createApp, SECRET, WordStrategy } from './harness.ts';

const login = { strategy: 'word', word: 'open' };

/** A service behind the hook, which remembers the params of its calls. */
function guarded() {
  const harness = createApp();
  const seen: Record<string, unknown>[] = [];
  harness.app.use('secret', { find: async (params: Record<string, unknown>) => (seen.push(params) > 0 ? 'found' : 'nothing') });
  const secret = harness.app.service('secret') as unknown as { find(params?: object): Promise<unknown>; hooks(map: object): void };
  secret.hooks({ before: { find: [authenticate('jwt', 'word')] } });
  return { ...harness, secret, seen };
}

/** Logs in and out from outside, and gives the arguments of both events. */
async function eventsOfLoginAndLogout() {
  const { app } = createApp();
  await app.setup();
  const heard: Record<string, unknown[]> = {};
  for (const event of ['login', 'logout']) app.on(event, (...args: unknown[]) => (heard[event] = args));
  const service = app.service('authentication') as unknown as AuthenticationService;
  const created = await service.create(login, { provider: 'rest' });
  const authentication = { strategy: 'jwt', accessToken: created.accessToken };
  const removed = await service.remove(null, { provider: 'rest', authentication });
  return { service, heard, created, removed };
}

describe('2.1 the configuration', () => {
  it('2.1#1 is read with app.get(configKey)', () => {
    const app = framework() as Application;
    app.set('own-key', { secret: SECRET, authStrategies: ['word'] });
    expect(new AuthenticationService(app, 'own-key').configuration).toMatchObject({ secret: SECRET, authStrategies: ['word'] });
  });

  it('2.1#2 has the key authentication by default', () => {
    const app = framework() as Application;
    new AuthenticationService(app);
    expect(app.get('authentication')).toMatchObject({ jwtOptions: { algorithm: 'HS256' } });
  });

  it("2.1#4 is set with app.set('authentication', config), later too", () => {
    const { app, service } = createApp();
    app.set('authentication', { ...(app.get('authentication') as object), authStrategies: ['word'] });
    expect(service.configuration.authStrategies).toEqual(['word']);
  });

  it('2.1#8 the strategies that may create tokens are those of authStrategies', async () => {
    await expect(createApp({ authStrategies: ['word'] }).service.create(login)).resolves.toHaveProperty('accessToken');
    await expect(createApp({ authStrategies: ['jwt'] }).service.create(login)).rejects.toMatchObject({ code: 401 });
  });
});

describe('2.2 data and result', () => {
  it('2.2#1 data.strategy is required, and the name of a registered and allowed one', async () => {
    const { service } = createApp();
    for (const strategy of [undefined, 'unknown', '', 5]) {
      await expect(service.create({ ...login, strategy } as never)).rejects.toMatchObject({ name: 'NotAuthenticated', code: 401 });
    }
  });

  it('2.2#5 the result has the access token as accessToken', async () => {
    const { service } = createApp();
    const { accessToken } = await service.create(login);
    await expect(service.verifyAccessToken(accessToken as string)).resolves.toHaveProperty('exp');
  });

  it('2.2#6 the result has the entity under the name that the configuration gives it', async () => {
    await expect(createApp().service.create(login)).resolves.toHaveProperty('user', { id: 1, name: 'Ann' });
    await expect(createApp({ entity: null }).service.create(login)).resolves.toHaveProperty('accessToken');
  });

  it('2.2#7 the result has what else the strategy returned', async () => {
    await expect(createApp().service.create(login)).resolves.toHaveProperty('info', 'more');
  });

  it('2.2#10 the payload is params.payload when set, and nothing beside the claims of the token otherwise', async () => {
    const { service } = createApp();
    const claims = async (params: AuthenticationParams): Promise<string[]> =>
      Object.keys(decodeJwt((await service.create(login, params)).accessToken as string)).sort();
    const plain = await claims({});
    expect(plain).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sub']);
    expect(await claims({ payload: { role: 'x' } })).toEqual([...plain, 'role'].sort());
  });

  it('2.2#11 the subject is the id of the entity, and there is none without an entity', async () => {
    const subject = async (options: AuthenticationConfiguration): Promise<unknown> =>
      decodeJwt((await createApp(options).service.create(login)).accessToken as string).sub;
    expect(await subject({})).toBe('1');
    expect(await subject({ entity: null })).toBeUndefined();
  });

  it('2.2#12 the jwt strategy fills params[entity] with the entity of the subject', async () => {
    const { secret, service, users, seen } = guarded();
    const { accessToken } = await service.create(login);
    await users.patch(1, { name: 'renamed' });
    await secret.find({ provider: 'rest', authentication: { strategy: 'jwt', accessToken } });
    expect(seen[0]?.user).toEqual({ id: 1, name: 'renamed' });
  });
});

describe('4.2 the service', () => {
  it('4.2#4 create calls authenticate of the strategy with the data, and no other strategy', async () => {
    const { service } = createApp({ authStrategies: ['jwt', 'counting'] });
    const calls: unknown[] = [];
    service.register('counting', {
      async authenticate(data) {
        calls.push(data);
        return { authentication: { strategy: 'counting' }, user: { id: 1 } };
      },
    });
    await service.create({ strategy: 'counting', a: 1 });
    expect(calls).toEqual([{ strategy: 'counting', a: 1 }]);
    await expect(service.create(login)).rejects.toMatchObject({ code: 401 });
  });

  it('4.2#5 create makes the token from getPayload and getTokenOptions', async () => {
    const { app } = createApp();
    class Own extends AuthenticationService {
      override async getPayload(): Promise<Record<string, unknown>> {
        return { from: 'getPayload' };
      }
      override async getTokenOptions(): Promise<{ issuer: string; subject: string }> {
        return { issuer: 'getTokenOptions', subject: '1' };
      }
    }
    const own = new Own(app);
    own.register('word', new WordStrategy());
    const { accessToken } = await own.create(login);
    expect(decodeJwt(accessToken as string)).toMatchObject({ from: 'getPayload', iss: 'getTokenOptions' });
  });

  it('4.2#6 create returns the token together with what the strategy gives', async () => {
    await expect(createApp().service.create(login)).resolves.toMatchObject({ accessToken: expect.any(String), info: 'more' });
  });

  it('4.2#7 create emits login', async () => {
    const { heard, created } = await eventsOfLoginAndLogout();
    expect(heard.login?.[0]).toBe(created);
  });

  it('4.2#12 remove is for the token that the call authenticates with', async () => {
    const { service } = createApp();
    const { accessToken } = await service.create(login);
    const authentication = { strategy: 'jwt', accessToken };
    await expect(service.remove(accessToken as string, { authentication })).resolves.toMatchObject({ accessToken });
    await expect(service.remove('another', { authentication })).rejects.toMatchObject({ code: 401 });
  });

  it('4.2#14 register calls what a strategy implements of the four, and a strategy may implement none', () => {
    const { service } = createApp();
    const calls: string[] = [];
    const noting = (name: string) => () => void calls.push(name);
    service.register('bare', { authenticate: async () => ({}) });
    service.register('half', { setName: noting('name'), verifyConfiguration: noting('verify'), authenticate: async () => ({}) });
    expect(calls).toEqual(['name', 'verify']);
  });

  it('4.2#15 getStrategy returns the registered strategy', () => {
    const { service } = createApp();
    const strategy = new JWTStrategy();
    service.register('mine', strategy);
    expect(service.getStrategy('mine')).toBe(strategy);
  });

  it('4.2#18 verifyAccessToken returns the payload or throws', async () => {
    const { service } = createApp();
    const token = await service.createAccessToken({ role: 'x' });
    await expect(service.verifyAccessToken(token)).resolves.toMatchObject({ role: 'x' });
    await expect(service.verifyAccessToken(`${token.slice(0, -4)}AAAA`)).rejects.toMatchObject({ code: 401 });
  });

  it('4.2#19 getTokenOptions sets the subject to the entity id when there is one', async () => {
    const { service } = createApp();
    await expect(service.getTokenOptions({ user: { id: 7 } }, {})).resolves.toMatchObject({ subject: '7' });
    await expect(service.getTokenOptions({}, {})).resolves.not.toHaveProperty('subject');
  });

  it('4.2#20 getPayload returns params.payload or an empty object', async () => {
    const { service } = createApp();
    await expect(service.getPayload({}, { payload: { a: 1 } })).resolves.toEqual({ a: 1 });
    await expect(service.getPayload({}, {})).resolves.toEqual({});
  });

  it('4.2#23 a setting defaultAuthentication that is there stays', () => {
    const app = framework() as Application;
    app.set('defaultAuthentication', 'chosen');
    new AuthenticationService(app, 'other');
    expect(app.get('defaultAuthentication')).toBe('chosen');
  });

  it("4.2#24 defaultAuthentication is 'authentication' after the usual set-up", () => {
    expect(createApp().app.get('defaultAuthentication')).toBe('authentication');
  });

  it('4.2#25 the hook uses the default service when it names none', async () => {
    const { secret, service } = guarded();
    const { accessToken } = await service.create(login);
    await expect(secret.find({ provider: 'rest', authentication: { strategy: 'jwt', accessToken } })).resolves.toBe('found');
  });
});

describe('5 authentication of calls', () => {
  it('5.1#2 authenticate of the strategy runs at a login, and its refusal is the answer', async () => {
    await expect(createApp().service.create({ strategy: 'word', word: 'shut' })).rejects.toMatchObject({
      code: 401,
      message: 'Wrong word',
    });
  });

  it('5.1#3 a strategy that authStrategies does not list creates no token', async () => {
    const { service } = createApp({ authStrategies: ['jwt'] });
    expect(service.getStrategy('word')).toBeDefined();
    await expect(service.create(login)).rejects.toMatchObject({ name: 'NotAuthenticated' });
  });

  it('5.2#1 parse goes through the strategies in their order, and the first that finds something wins', async () => {
    const { service } = createApp();
    const req = { headers: { word: 'open', authorization: 'Bearer x' } };
    await expect(service.parse(req, null, 'jwt', 'word')).resolves.toEqual({ strategy: 'jwt', accessToken: 'x' });
    await expect(service.parse(req, null, 'word', 'jwt')).resolves.toEqual(login);
  });

  it('5.2#4 what the strategy returns is merged into params', async () => {
    const { secret, seen } = guarded();
    await secret.find({ provider: 'rest', authentication: login, kept: true });
    expect(seen[0]).toMatchObject({ kept: true, user: { id: 1, name: 'Ann' }, info: 'more', authenticated: true });
  });

  it('5.3#1 params.authentication may be set in a call on the server', async () => {
    const { secret, seen } = guarded();
    await secret.find({ authentication: login });
    expect(seen[0]).toMatchObject({ user: { id: 1 } });
  });

  it('5.3#2 params.authentication of a call on the server is verified', async () => {
    const { secret, seen } = guarded();
    await expect(secret.find({ authentication: { strategy: 'word', word: 'wrong' } })).rejects.toMatchObject({ code: 401 });
    expect(seen).toEqual([]);
  });

  it('5.3#3 a known entity in params runs no strategy and loads no entity', async () => {
    const { app, secret, service, seen } = guarded();
    const ran: string[] = [];
    app.service('users').hooks({ before: { get: [() => void ran.push('users.get')] } });
    service.register('word', {
      authenticate: async () => {
        ran.push('strategy');
        return { user: { id: 2 } };
      },
    });
    const user = { id: 1, name: 'known' };
    await secret.find({ user });
    expect(ran).toEqual([]);
    expect(seen[0]?.user).toBe(user);
    await secret.find({ authentication: login });
    expect(ran).toEqual(['strategy']);
  });
});

describe('6 events', () => {
  it('6#1 login and logout carry three arguments', async () => {
    const { heard } = await eventsOfLoginAndLogout();
    expect([heard.login?.length, heard.logout?.length]).toEqual([3, 3]);
  });

  it('6#2 the first argument is what create and remove returned', async () => {
    const { heard, created, removed } = await eventsOfLoginAndLogout();
    expect([heard.login?.[0], heard.logout?.[0]]).toEqual([created, removed]);
  });

  it('6#3 the second argument is the params of the call', async () => {
    const { heard, created } = await eventsOfLoginAndLogout();
    expect(heard.login?.[1]).toMatchObject({ provider: 'rest' });
    expect(heard.logout?.[1]).toMatchObject({ provider: 'rest', authentication: { accessToken: created.accessToken } });
  });

  it('6#4 the third argument is the context of the call', async () => {
    const { heard } = await eventsOfLoginAndLogout();
    expect([heard.login?.[2], heard.logout?.[2]]).toMatchObject([
      { path: 'authentication', method: 'create' },
      { path: 'authentication', method: 'remove' },
    ]);
  });

  it('6#7 logout follows a remove that succeeded, and no other', async () => {
    const { app } = createApp();
    await app.setup();
    const heard: unknown[] = [];
    app.on('logout', (result: unknown) => heard.push(result));
    const service = app.service('authentication') as unknown as AuthenticationService;
    await expect(service.remove(null, { provider: 'rest' })).rejects.toMatchObject({ code: 401 });
    expect(heard).toEqual([]);
    const { accessToken } = await service.create(login);
    await service.remove(null, { provider: 'rest', authentication: { strategy: 'jwt', accessToken } });
    expect(heard).toHaveLength(1);
  });

  it('6#8 a dropped connection is handled by the event disconnect', async () => {
    const { app } = createApp();
    await app.setup();
    const service = app.service('authentication') as unknown as AuthenticationService;
    const connection: Record<string, unknown> = {};
    await service.create(login, { provider: 'socket', connection });
    expect(connection).toHaveProperty('user');
    app.emit('disconnect', connection);
    await new Promise((resolve) => setImmediate(resolve));
    expect(connection).not.toHaveProperty('authentication');
  });

  it('6#11 without setup the service emits neither event', async () => {
    const { app } = createApp();
    const heard: unknown[] = [];
    app.on('login', () => heard.push('login'));
    const service = app.service('authentication') as unknown as AuthenticationService;
    await service.create(login, { provider: 'rest' });
    expect(heard).toEqual([]);
    await app.setup();
    await service.create(login, { provider: 'rest' });
    expect(heard).toEqual(['login']);
  });
});
