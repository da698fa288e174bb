import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { framework, type Application } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  authenticate,
  AuthenticationBase,
  AuthenticationService,
  authenticationSettingsSchema,
  defaultConfiguration,
  JWTStrategy,
  type AuthenticationStrategy,
} from '../src/index.ts';
import { createApp, SECRET, WordStrategy } from './harness.ts';

const login = { strategy: 'word', word: 'open' };

describe('registration', () => {
  it('again, at the same or another path, has all hooks again, and once', async () => {
    const { app, service } = createApp();
    await app.setup();
    let present = 'authentication';
    for (const path of ['authentication', 'login', 'login']) {
      await app.unuse(present);
      app.use(path, service);
      await app.setup();
      present = path;
      const events: unknown[] = [];
      const note = (result: unknown): void => void events.push(result);
      app.on('login', note);
      await (app.service(path) as unknown as AuthenticationService).create(login, { provider: 'rest' });
      app.off('login', note);
      expect([path, events.length]).toEqual([path, 1]);
    }
  });

  it.each([null, undefined, 'word', 5, [], [login]])('a login with %j is 400', async (data) => {
    const { service } = createApp();
    const error = { code: 400, message: 'The authentication data must be one object' };
    await expect(service.create(data as never, { provider: 'rest' })).rejects.toMatchObject(error);
  });
});

describe('construction (interface 2.1, 4.2)', () => {
  it('needs an application', () => {
    expect(() => new AuthenticationService(undefined as never)).toThrow('An application instance has to be passed');
  });

  it('writes the defaults into the configuration, and keeps what is there', () => {
    const app = framework() as Application;
    app.set('authentication', { secret: SECRET, jwtOptions: { expiresIn: '2h' } });
    new AuthenticationService(app);
    expect(app.get('authentication')).toMatchObject({
      secret: SECRET,
      authStrategies: [],
      jwtOptions: {
        expiresIn: '2h',
        algorithm: 'HS256',
        header: { typ: 'access' },
        audience: 'https://yourdomain.com',
        issuer: 'framework',
      },
    });
  });

  it('refuses a change in the setting that it wrote, which nobody would see, and leaves the object that it was made of alone', () => {
    const app = framework() as Application;
    const given = { secret: SECRET, local: { usernameField: 'email' } };
    app.set('authentication', given);
    const { configuration } = new AuthenticationService(app);
    const setting = app.get('authentication') as typeof given & { entity?: null; jwtOptions: { issuer?: string } };
    const changes: (() => unknown)[] = [
      () => (setting.entity = null),
      () => (setting.secret = `${SECRET}-new`),
      () => (setting.jwtOptions.issuer = 'other'),
      () => (setting.local.usernameField = 'name'),
      () => Reflect.deleteProperty(setting, 'secret') || (setting.secret = ''),
    ];
    for (const change of changes) expect(change).toThrow(TypeError);
    expect(configuration).toMatchObject({ secret: SECRET, jwtOptions: { issuer: 'framework' }, local: { usernameField: 'email' } });
    given.local.usernameField = 'name';
    expect(app.get('authentication')).toMatchObject({ local: { usernameField: 'email' } });
  });

  it('becomes the default service when there is none', () => {
    const app = framework() as Application;
    new AuthenticationService(app, 'v1-auth');
    new AuthenticationService(app, 'authentication');
    expect(app.get('defaultAuthentication')).toBe('v1-auth');
  });

  it('has a configuration that is a frozen copy, made anew when the setting changes', () => {
    const { app, service } = createApp();
    const { configuration } = service;
    expect(service.configuration).toBe(configuration);
    expect(Object.isFrozen(configuration.jwtOptions?.header)).toBe(true);
    app.set('authentication', { ...(app.get('authentication') as object), jwtOptions: { issuer: 'other' } });
    expect(service.configuration).not.toBe(configuration);
    expect(service.configuration.jwtOptions).toMatchObject({ issuer: 'other', algorithm: 'HS256' });
  });

  it('S16 shows no secret as JSON', () => {
    expect(JSON.stringify(createApp().service.configuration)).not.toContain(SECRET);
    expect(JSON.stringify(defaultConfiguration)).toContain('HS256');
    expect(authenticationSettingsSchema.required).toEqual(['secret', 'entity', 'authStrategies']);
  });
});

describe('strategies (interface 4.2)', () => {
  it('are told their name, application and service, and checked, when they are registered', () => {
    const { app, service } = createApp();
    const log: unknown[] = [];
    service.register('own', {
      setName: (name) => log.push(name),
      setApplication: (given) => log.push(given === app),
      setAuthentication: (given) => log.push(given === service),
      verifyConfiguration: () => log.push('verified'),
    });
    expect(log).toEqual(['own', true, true, 'verified']);
  });

  it('are given by name; unknown ones are undefined', () => {
    const { service } = createApp();
    expect(service.getStrategy('jwt')).toBeInstanceOf(JWTStrategy);
    expect(service.getStrategies('jwt', 'unknown', 'word')).toEqual([expect.any(JWTStrategy), undefined, expect.any(WordStrategy)]);
    expect(service.strategyNames).toEqual(['jwt', 'word']);
  });

  it('authenticate with data.strategy, which must be there and allowed (interface 7)', async () => {
    const { service } = createApp();
    await expect(service.authenticate(login, {}, 'word')).resolves.toMatchObject({ user: { id: 1 } });
    for (const [data, allowed] of [
      [{}, ['word']],
      [{ strategy: 'word' }, ['jwt']],
      [{ strategy: 'unknown' }, ['unknown']],
      [{ strategy: { $ne: 1 } }, ['word']],
      [undefined, ['word']],
    ] as const) {
      await expect(service.authenticate(data as never, {}, ...allowed)).rejects.toMatchObject({ name: 'NotAuthenticated', code: 401 });
    }
  });

  it('parse a request in turn; the first that finds something wins', async () => {
    const { service } = createApp();
    expect(await service.parse({ headers: { word: 'open', authorization: 'Bearer x' } }, null, 'unknown', 'word', 'jwt')).toEqual({
      strategy: 'word',
      word: 'open',
    });
    expect(await service.parse({ headers: { authorization: 'Bearer x' } }, null, 'word', 'jwt')).toEqual({
      strategy: 'jwt',
      accessToken: 'x',
    });
    expect(await service.parse({ headers: {} }, null, 'word', 'jwt')).toBeNull();
  });
});

describe('create (interface 4.2, 5.1)', () => {
  it('gives a token, the entity and what the strategy gives', async () => {
    const { service } = createApp();
    const result = await service.create(login);
    expect(result).toMatchObject({
      user: { id: 1, name: 'Ann' },
      info: 'more',
      authentication: { strategy: 'word', payload: { sub: '1' } },
    });
    const token = result.accessToken as string;
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'access' });
    const payload = decodeJwt(token);
    expect(payload).toMatchObject({ sub: '1', aud: 'https://yourdomain.com', iss: 'framework' });
    expect((payload.exp as number) - (payload.iat as number)).toBe(86_400);
    expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('takes the payload and token options of the call', async () => {
    const { service } = createApp();
    const result = await service.create(login, { payload: { role: 'x' }, jwtOptions: { expiresIn: 60, issuer: 'here' } });
    const payload = decodeJwt(result.accessToken as string);
    expect(payload).toMatchObject({ role: 'x', iss: 'here' });
    expect((payload.exp as number) - (payload.iat as number)).toBe(60);
  });

  it('makes tokens that count only later', async () => {
    const { service } = createApp();
    const result = await service.create(login, { jwtOptions: { notBefore: '1h' } });
    const { payload } = result.authentication as unknown as { payload: { nbf: number; iat: number } };
    expect(payload.nbf - payload.iat).toBe(3600);
    await expect(service.verifyAccessToken(result.accessToken as string)).rejects.toMatchObject({ code: 401 });
  });

  it('gives no new token for a token', async () => {
    const { service } = createApp();
    const { accessToken } = await service.create(login);
    const again = await service.create({ strategy: 'jwt', accessToken });
    expect(again).toMatchObject({ accessToken, user: { id: 1 }, authentication: { strategy: 'jwt', accessToken } });
  });

  it('refuses what is not allowed', async () => {
    const { service } = createApp({ authStrategies: [] });
    await expect(service.create(login)).rejects.toThrow('No authentication strategies allowed for creating a JWT (`authStrategies`)');
    await expect(createApp({ authStrategies: ['jwt'] }).service.create(login)).rejects.toMatchObject({ code: 401 });
    await expect(createApp().service.create([login] as never)).rejects.toMatchObject({ code: 400 });
  });

  it('works without an entity', async () => {
    const { service } = createApp({ entity: null });
    const { accessToken } = await service.create(login, { payload: { free: true } });
    expect(decodeJwt(accessToken as string)).not.toHaveProperty('sub');
    const result = await service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt');
    expect(result).not.toHaveProperty('user');
    expect(result.authentication?.payload).toMatchObject({ free: true });
  });

  it('works before setup has run', async () => {
    const { service } = createApp();
    const { accessToken } = await service.create(login);
    await expect(service.verifyAccessToken(accessToken as string)).resolves.toMatchObject({ sub: '1' });
  });
});

describe('remove (interface 4.2)', () => {
  it('takes null or the token, and verifies the authentication', async () => {
    const { service } = createApp();
    const { accessToken } = await service.create(login);
    const authentication = { strategy: 'jwt', accessToken };
    await expect(service.remove(null, { authentication })).resolves.toMatchObject({ accessToken, user: { id: 1 } });
    const { accessToken: other } = await service.create(login);
    const byId = service.remove(other as string, { authentication: { strategy: 'jwt', accessToken: other } });
    await expect(byId).resolves.toMatchObject({ accessToken: other });
  });

  it("S21 refuses another token's id, and no authentication, with 401", async () => {
    const { service } = createApp();
    const [one, two] = [await service.create(login), await service.create(login)];
    await expect(
      service.remove(two.accessToken as string, { authentication: { strategy: 'jwt', accessToken: one.accessToken } }),
    ).rejects.toMatchObject({ code: 401, message: 'Invalid access token' });
    await expect(service.remove(one.accessToken as string, {})).rejects.toMatchObject({ code: 401 });
    await expect(service.remove(null, {})).rejects.toMatchObject({ code: 401 });
  });
});

describe('setup (interface 5.4)', () => {
  it.each([
    [
      'no secret',
      { secret: undefined },
      "A 'secret' must be provided in your authentication configuration: set 'authentication.secret' to a random text",
    ],
    ['no secret, and says how to make one', { secret: '' }, 'Make one with: node -e'],
    [
      'a strategy that nobody registered',
      { authStrategies: ['jwt', 'wrod'] },
      "'authentication.authStrategies' names the strategy 'wrod', which is not registered (registered: 'jwt', 'word'). Register it before",
    ],
    ['such a strategy for requests', { parseStrategies: ['cookie'] }, "'authentication.parseStrategies' names the strategy 'cookie'"],
    ['no service', { service: undefined }, "The 'service' option is not set"],
    ['an unknown service', { service: 'nobody' }, "Can not find service 'nobody'"],
    [
      'an unknown service, and names the setting',
      { service: 'nobody' },
      "'authentication.service' names the service of the users, and there is none of that name",
    ],
    ['S16 a short secret', { secret: 'short' }, 'has 5 bytes; at least 32 are needed'],
    ['S16 a simple secret', { secret: 'a'.repeat(64) }, 'is easy to guess'],
    ['S16 a sample secret', { secret: 'supersecret-supersecret-1234567890-abcdef' }, 'is easy to guess'],
  ])('refuses %s', async (_what, change, message) => {
    const { app } = createApp();
    app.set('authentication', { ...(app.get('authentication') as object), ...change });
    await expect(app.setup()).rejects.toThrow(message);
  });

  it('S16 that fails in a running application lets nobody in by any hook, until another one succeeds', async () => {
    const app = framework() as Application;
    app.use('users', new MemoryService({ startId: 1 }));
    app.use('notes', { find: () => Promise.resolve('found') });
    const notes = app.service('notes') as unknown as { find(params: object): Promise<unknown>; hooks(map: object): void };
    notes.hooks({ before: { find: [authenticate('jwt')] } });
    await app.setup();
    await app.service('users').create({ name: 'Ann' });
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    app.set('authentication', { secret: 'weak', service: 'users', entity: 'user', authStrategies: ['jwt'] });
    const service = new AuthenticationService(app);
    service.register('jwt', new JWTStrategy());
    app.use('authentication', service);
    const accessToken = await service.createAccessToken({}, { subject: '1' });
    const call = (): Promise<unknown> => notes.find({ provider: 'rest', authentication: { strategy: 'jwt', accessToken } });
    await expect(
      (app.service('authentication') as unknown as AuthenticationService).create({ strategy: 'jwt', accessToken }),
    ).rejects.toThrow('has 4 bytes');
    await expect(call()).rejects.toMatchObject({
      message: 'The authentication service lets nobody in: its setup has failed',
      cause: expect.objectContaining({ message: expect.stringContaining('has 4 bytes') }),
    });
    expect(warned.mock.calls).toEqual([[expect.stringContaining("setup of service 'authentication' failed")]]);
    warned.mockRestore();
    app.set('authentication', { ...(app.get('authentication') as object), secret: SECRET });
    await app.setup();
    await expect(call()).rejects.toMatchObject({ code: 401 });
    const now = await service.createAccessToken({}, { subject: '1' });
    await expect(notes.find({ provider: 'rest', authentication: { strategy: 'jwt', accessToken: now } })).resolves.toBe('found');
  });

  it('takes strategies that are registered until then, by whatever is set up before', async () => {
    const { app, service } = createApp({ authStrategies: ['jwt', 'late'] });
    const late: AuthenticationStrategy = { setup: () => service.register('later', new WordStrategy()) };
    app.set('authentication', { ...(app.get('authentication') as object), authStrategies: ['late', 'later'] });
    service.register('late', late);
    await app.setup();
    expect(service.strategyNames).toContain('later');
  });

  it('takes a weak secret for development, an entityId in place of an id, and no entity', async () => {
    await createApp({ secret: 'dev', allowWeakSecret: true }).app.setup();
    await createApp({ entity: null, service: undefined as never }).app.setup();
    const { app } = createApp({ service: 'plain', entityId: 'uuid' });
    app.use('plain', {
      async get() {
        return {};
      },
    });
    await app.setup();
    const other = createApp({ service: 'plain' });
    other.app.use('plain', {
      async get() {
        return {};
      },
    });
    await expect(other.app.setup()).rejects.toThrow("does not have an 'id' property");
  });

  it('may be overridden with super.setup(path, app)', async () => {
    const calls: unknown[] = [];
    class Own extends AuthenticationService {
      override async setup(path?: unknown, app?: unknown): Promise<void> {
        await super.setup(path, app);
        calls.push(typeof path);
      }
      override async getPayload(): Promise<Record<string, unknown>> {
        return { own: true };
      }
    }
    const { app } = createApp();
    const own = new Own(app);
    own.register('word', new WordStrategy());
    app.use('own', own);
    await app.setup();
    expect(calls).toHaveLength(1);
    expect(decodeJwt((await own.create(login)).accessToken as string)).toMatchObject({ own: true });
  });
});

describe('tokens of another form, which a service of one’s own makes and verifies', () => {
  class Encrypted extends AuthenticationService {
    override async createAccessToken(
      ...[payload, options, secret]: Parameters<AuthenticationService['createAccessToken']>
    ): Promise<string> {
      return `sealed ${Buffer.from(await super.createAccessToken(payload, options, secret)).toString('hex')}`;
    }
    override async verifyAccessToken(
      ...[token, options, secret]: Parameters<AuthenticationService['verifyAccessToken']>
    ): Promise<Record<string, unknown>> {
      return super.verifyAccessToken(Buffer.from(token.slice(7), 'hex').toString(), options, secret);
    }
  }

  it('log in, stay with a connection and log out', async () => {
    const { app } = createApp();
    const own = new Encrypted(app, 'own', { ...(app.get('authentication') as object) });
    own.register('word', new WordStrategy());
    own.register('jwt', new JWTStrategy());
    app.use('own', own);
    await app.setup();
    const service = app.service('own') as unknown as AuthenticationService;
    const connection: Record<string, unknown> = {};
    const ended: unknown[] = [];
    app.on('disconnect', (one: unknown) => ended.push(one));
    const { accessToken, authentication } = await service.create(login, { provider: 'socketio', connection });
    expect(accessToken).toMatch(/^sealed [0-9a-f]+$/);
    expect(authentication).toEqual({ strategy: 'word' });
    expect(connection.authentication).toEqual({ strategy: 'jwt', accessToken });
    const again = await service.create({ strategy: 'jwt', accessToken }, { provider: 'rest' });
    expect(again.authentication).toMatchObject({ payload: { exp: expect.any(Number), jti: expect.any(String) } });
    await service.remove(null, { provider: 'rest', authentication: { strategy: 'jwt', accessToken } });
    await expect(service.create({ strategy: 'jwt', accessToken }, { provider: 'rest' })).rejects.toMatchObject({ code: 401 });
    await new Promise(setImmediate);
    expect(ended).toEqual([connection]);
  });
});

describe('events (interface 6)', () => {
  it('login and logout carry result, params and context, for calls from outside only', async () => {
    const { app } = createApp();
    await app.setup();
    const seen: [string, unknown, unknown, unknown][] = [];
    for (const event of ['login', 'logout'])
      app.on(event, (result: unknown, params: { provider: string }, context: { method: string }) => {
        seen.push([event, result, params.provider, context.method]);
      });
    const service = app.service('authentication') as unknown as AuthenticationService;
    await service.create(login);
    expect(seen).toEqual([]);
    const result = await service.create(login, { provider: 'rest' });
    await service.remove(null, { provider: 'rest', authentication: { strategy: 'jwt', accessToken: result.accessToken } });
    expect(seen).toEqual([
      ['login', result, 'rest', 'create'],
      ['logout', expect.objectContaining({ accessToken: result.accessToken }), 'rest', 'remove'],
    ]);
    await expect(service.create({ strategy: 'word', word: 'x' }, { provider: 'rest' })).rejects.toMatchObject({ code: 401 });
    expect(seen).toHaveLength(2);
  });

  it('login and logout: the service sends no other events of its methods', async () => {
    const { app } = createApp();
    await app.setup();
    const service = app.service('authentication') as unknown as AuthenticationService & NodeJS.EventEmitter;
    const seen: string[] = [];
    for (const event of ['created', 'updated', 'patched', 'removed']) service.on(event, () => seen.push(event));
    const { accessToken } = await service.create(login, { provider: 'rest' });
    await service.remove(null, { provider: 'rest', authentication: { strategy: 'jwt', accessToken } });
    await service.create(login);
    expect(seen).toEqual([]);
  });

  it('keep a real-time connection current until logout or the end of the token', async () => {
    const { app } = createApp();
    await app.setup();
    const service = app.service('authentication') as unknown as AuthenticationService;
    const connection: Record<string, unknown> = {};
    const result = await service.create(login, { provider: 'socket', connection });
    expect(connection).toMatchObject({ authentication: { strategy: 'jwt', accessToken: result.accessToken }, user: { id: 1 } });
    await service.remove(null, { provider: 'socket', connection, authentication: connection.authentication as never });
    expect(connection).toEqual({});

    const disconnected = new Promise((resolve) => app.once('disconnect', resolve));
    const short = await service.create(login, { provider: 'socket', connection, jwtOptions: { expiresIn: 1 } });
    expect(short.accessToken).toBeDefined();
    expect(await disconnected).toBe(connection);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(connection).toEqual({});
  });
});

it('AuthenticationBase works alone', async () => {
  const app = framework() as Application;
  const base = new AuthenticationBase(app, 'authentication', { secret: SECRET });
  await expect(base.verifyAccessToken(await base.createAccessToken({ a: 1 }))).resolves.toMatchObject({ a: 1 });
});

describe('verified tokens', () => {
  it('are verified once, and again after a logout and after a change of the configuration', async () => {
    // With a key pair, web crypto verifies, where it can be counted.
    const { privateKey: secret } = generateKeyPairSync('ed25519');
    const { app, service } = createApp({ secret, jwtOptions: { algorithm: 'EdDSA' } });
    const { accessToken } = await service.create(login);
    const token = accessToken as string;
    const verify = jest.spyOn(globalThis.crypto.subtle, 'verify');
    try {
      await service.verifyAccessToken(token);
      await service.verifyAccessToken(token);
      expect(verify).toHaveBeenCalledTimes(1);
      await service.remove(null, { authentication: { strategy: 'jwt', accessToken: token } });
      expect(verify).toHaveBeenCalledTimes(1);
      await expect(service.verifyAccessToken(token)).rejects.toMatchObject({ code: 401, message: 'The token was logged out' });
      expect(verify).toHaveBeenCalledTimes(2);
      const { accessToken: other } = await service.create(login);
      await service.verifyAccessToken(other as string);
      app.set('authentication', { ...(app.get('authentication') as object) });
      await service.verifyAccessToken(other as string);
      expect(verify).toHaveBeenCalledTimes(4);
    } finally {
      verify.mockRestore();
    }
  });
});

it('the entity is loaded with what middleware and hooks have put into the parameters, under symbols too', async () => {
  const { app, service } = createApp();
  const { accessToken } = await service.create(login);
  const mark = Symbol('mark');
  let seen: unknown;
  app.service('users').hooks({
    before: {
      get: [
        (context) => {
          seen = (context.params as Record<symbol, unknown>)[mark];
        },
      ],
    },
  });
  const guarded = authenticate('jwt');
  app.use('things', { get: async (id: unknown) => ({ id }) });
  app.service('things').hooks({ before: { all: [guarded] } });
  const params = { provider: 'rest', authentication: { strategy: 'jwt', accessToken }, [mark]: 'kept' };
  await (app.service('things') as { get(id: number, params: object): Promise<unknown> }).get(1, params);
  expect(seen).toBe('kept');
});
