import { framework, type HookContext, type Params } from '@framework/core';
import { toFrameworkError } from '@framework/errors';
import { describe, expect, it, jest } from '@jest/globals';
import { authenticate, AuthenticationService, JWTStrategy, hooks } from '../src/index.ts';
import { createApp, WordStrategy } from './harness.ts';

const login = { strategy: 'word', word: 'open' };

function protectedApp() {
  const harness = createApp();
  const seen: unknown[] = [];
  harness.app.use('secret', {
    async find(params: unknown) {
      seen.push(params);
      return 'found';
    },
  });
  const secret = harness.app.service('secret') as unknown as { find(params?: object): Promise<unknown>; hooks(map: object): void };
  return { ...harness, secret, seen };
}

describe('the authenticate hook (interface 5.2, 5.3)', () => {
  it.each([
    ['before', { before: { find: [authenticate('jwt', 'word')] } }],
    ['around', { around: { find: [authenticate({ strategies: ['jwt', 'word'] })] } }],
  ])('works as a %s hook', async (_kind, map) => {
    const { secret, service, seen } = protectedApp();
    secret.hooks(map);
    await expect(secret.find({ provider: 'rest' })).rejects.toMatchObject({ code: 401, message: 'Not authenticated' });
    const { accessToken } = await service.create(login);
    await expect(secret.find({ provider: 'rest', query: { a: 1 }, authentication: { strategy: 'jwt', accessToken } })).resolves.toBe(
      'found',
    );
    expect(seen[0]).toMatchObject({
      provider: 'rest',
      query: { a: 1 },
      user: { id: 1, name: 'Ann' },
      authenticated: true,
      authentication: { strategy: 'jwt', payload: { sub: '1' } },
    });
    expect(seen[0]).not.toHaveProperty('accessToken');
  });

  it('lets internal calls pass, and verifies authentication that they bring', async () => {
    const { secret } = protectedApp();
    secret.hooks({ before: { find: [authenticate('word')] } });
    await expect(secret.find()).resolves.toBe('found');
    await expect(secret.find({ authentication: { strategy: 'word', word: 'wrong' } })).rejects.toMatchObject({ code: 401 });
    await expect(secret.find({ authentication: login })).resolves.toBe('found');
    await expect(secret.find({ provider: 'rest', authenticated: true })).resolves.toBe('found');
  });

  it('allows only its own strategies', async () => {
    const { secret } = protectedApp();
    secret.hooks({ before: { find: [authenticate('jwt')] } });
    await expect(secret.find({ provider: 'rest', authentication: login })).rejects.toMatchObject({ code: 401 });
  });

  it.each(['before', 'around'])('says to call it where it is listed uncalled as a %s hook, and lets nobody in', async (type) => {
    const { secret, seen } = protectedApp();
    secret.hooks({ [type]: { find: [authenticate] } });
    await expect(secret.find({ provider: 'rest' })).rejects.toThrow("list it called, as authenticate('jwt')");
    expect(seen).toEqual([]);
    expect(() => authenticate({ httpVersion: '1.1' } as never)).toThrow("list it called, as authenticate('jwt')");
  });

  it('needs a strategy, a service, and to be no after hook', async () => {
    expect(() => authenticate(undefined as never)).toThrow('needs at least one allowed strategy');
    expect(() => authenticate({ strategies: [] })).toThrow('needs at least one allowed strategy');
    expect(() => authenticate({ service: 'x' } as never)).toThrow('needs at least one allowed strategy');
    // A text has letters in it as a list has names.
    for (const strategies of ['jwt', 5, {}, null, ['jwt', null], ['jwt', ''], [['jwt']]])
      expect(() => authenticate({ strategies } as never)).toThrow(
        /^The option 'strategies' of the authenticate hook is a list of names, and not /,
      );
    for (const more of [['local'], undefined, ''])
      expect(() => authenticate('jwt', more as never)).toThrow("'strategies' of the authenticate hook is a list of names");
    for (const service of [null, '', 5, {}])
      expect(() => authenticate({ service, strategies: ['jwt'] } as never)).toThrow(
        /^The option 'service' of the authenticate hook is a name, and not /,
      );
    const { secret } = protectedApp();
    secret.hooks({ after: { find: [authenticate('jwt')] } });
    await expect(secret.find({ provider: 'rest' })).rejects.toThrow('must be used as a before hook');
    const { app } = createApp();
    (app.service('authentication') as unknown as { hooks(map: object): void }).hooks({ before: { create: [authenticate('jwt')] } });
    await expect((app.service('authentication') as unknown as AuthenticationService).create(login)).rejects.toThrow(
      'does not need to be used on the authentication service',
    );
    expect(Object.keys(hooks)).toEqual(['authenticate', 'connection', 'event']);
  });

  it("those of events and connections can be registered on a service of one's own", async () => {
    const app = framework();
    const followed: unknown[] = [];
    class OwnLogin {
      async create(data: object): Promise<object> {
        return { ...data, refreshToken: 'for the client alone' };
      }
      async handleConnection(...args: unknown[]): Promise<void> {
        followed.push(args);
      }
    }
    app.use('own-login', new OwnLogin());
    const heard: unknown[] = [];
    app.on('login', (result: unknown, { provider }: Params, { method }: HookContext) => heard.push([result, provider, method]));
    const own = app.service('own-login') as unknown as { create(data: object, params?: object): Promise<object>; hooks(map: object): void };
    own.hooks({ around: { create: [hooks.event('login'), hooks.connection('login')] } });
    const connection = {};
    await own.create({ name: 'Ann' }, { provider: 'rest', connection });
    await own.create({ name: 'Bob' });
    expect(heard).toEqual([[{ name: 'Ann' }, 'rest', 'create']]);
    expect(followed).toEqual([['login', connection, expect.objectContaining({ name: 'Ann' })]]);
  });

  it('refuses everybody where the service was made and not registered, of which whoever wrote it is told', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const app = framework();
    new AuthenticationService(app, 'login', { secret: 'a secret of thirty-two characters', entity: null, authStrategies: ['jwt'] });
    app.use('secret', { find: async (_params?: Params) => 'found' });
    app.service('secret').hooks({ before: { all: [authenticate('jwt')] } });
    for (let call = 0; call < 2; call += 1)
      await expect(app.service('secret').find({ provider: 'rest' })).rejects.toMatchObject({
        code: 401,
        message: 'Could not find a valid authentication service',
      });
    expect(warned.mock.calls).toEqual([
      [expect.stringContaining("with the configKey 'login', which the setting defaultAuthentication names"), { code: 'NO_AUTHENTICATION' }],
    ]);
    warned.mockRestore();
  });

  it('tells whoever wrote it, and not the caller, of a strategy that is not registered', async () => {
    const { app } = protectedApp();
    const from = { provider: 'rest', authentication: { strategy: 'jwt', accessToken: 'a' } };
    app.use('typo', { find: async () => 'found' });
    const typo = app.service('typo') as unknown as ReturnType<typeof protectedApp>['secret'];
    typo.hooks({ before: { find: [authenticate('jwtt')] } });
    const message = "authenticate('jwtt') at 'typo.find': no strategy 'jwtt' is registered (registered: 'jwt', 'word')";
    await expect(typo.find({ provider: 'rest' })).rejects.toThrow(new Error(message));
    const error: unknown = await typo.find(from).catch((thrown: unknown) => thrown);
    expect(error).toEqual(new Error(message));
    expect(toFrameworkError(error).toJSON()).toMatchObject({ code: 500, message: expect.not.stringContaining('jwt') });
    await expect(typo.find({})).resolves.toBe('found');
    // A service of somebody else's that has no such list decides by itself.
    app.use('own-login', { find: async () => [], authenticate: async () => ({ user: 'Ann' }) });
    app.use('own', { find: async (params: { user?: string }) => params.user });
    const own = app.service('own') as unknown as ReturnType<typeof protectedApp>['secret'];
    own.hooks({ before: { find: [authenticate({ service: 'own-login', strategies: ['other'] })] } });
    await expect(own.find(from)).resolves.toBe('Ann');
    // One of two lets the others in, and is told once.
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    app.use('half', { find: async () => 'found' });
    const half = app.service('half') as unknown as ReturnType<typeof protectedApp>['secret'];
    half.hooks({ before: { find: [authenticate('jwt', 'apikey')] } });
    for (const _turn of [1, 2]) await expect(half.find(from)).rejects.toMatchObject({ code: 401 });
    expect(warned.mock.calls).toEqual([[expect.stringContaining("no strategy 'apikey' is registered")]]);
    warned.mockRestore();
  });

  const WRONG = "authenticate('jwtt') at 'secret.find': no strategy 'jwtt' is registered (registered: 'jwt', 'word')";

  const LATE =
    "authenticate('jwt', 'word') at 'secret.find' is listed as an TYPE hook, where it guards nothing: list it as a before or around hook";

  it.each<[what: string, message: string, add: (of: ReturnType<typeof protectedApp>) => void]>([
    ['of a service', WRONG, ({ secret }) => secret.hooks({ before: { find: [authenticate('jwtt')] } })],
    ['around all methods', WRONG, ({ secret }) => secret.hooks({ around: { all: [authenticate('jwtt')] } })],
    ['of the application', WRONG.replace('secret', 'users'), ({ app }) => app.hooks({ before: { all: [authenticate('jwtt')] } })],
    [
      'that names a service which is not there',
      "authenticate({ service: 'logn' }) at 'secret.find': there is no service of that path. Name the path of an authentication service",
      ({ secret }) => secret.hooks({ before: { find: [authenticate({ service: 'logn', strategies: ['jwt'] })] } }),
    ],
    [
      'that would run behind the method',
      LATE.replace('TYPE', 'after'),
      ({ secret }) => secret.hooks({ after: { all: [authenticate('jwt', 'word')] } }),
    ],
    [
      'that would run for no call that succeeds',
      LATE.replace('TYPE', 'error'),
      ({ secret }) => secret.hooks({ error: { find: [authenticate('jwt', 'word')] } }),
    ],
    [
      'of the application that would run for no call that succeeds',
      LATE.replace('TYPE', 'error').replace('secret', 'users'),
      ({ app }) => app.hooks({ error: [authenticate('jwt', 'word')] } as never),
    ],
    [
      'that names a service of another kind',
      "authenticate({ service: 'users' }) at 'secret.find': that service authenticates nobody. Name the path of an authentication service",
      ({ secret }) => secret.hooks({ before: { find: [authenticate({ service: 'users', strategies: ['jwt'] })] } }),
    ],
  ])('a hook %s is refused when the application is set up', async (_what, message, add) => {
    const world = protectedApp();
    add(world);
    await expect(world.app.setup()).rejects.toThrow(new Error(message));
  });

  it('hooks whose strategies are there, also in a mounted application with its own, do not keep an application from its start', async () => {
    const { app, service, secret } = protectedApp();
    const inner = createApp({ secret: 'another secret, long enough for this 123' });
    inner.service.register('badge', new WordStrategy());
    inner.app.use('notes', { find: async () => 'found' });
    (inner.app.service('notes') as unknown as typeof secret).hooks({ before: { all: [authenticate('badge')] } });
    app.use('inner', inner.app as never);
    secret.hooks({
      before: { find: [authenticate('late')] },
      around: { find: [authenticate({ service: '/authentication/', strategies: ['jwt'] })] },
    });
    app.hooks({
      setup: [
        async (_context: unknown, next: () => Promise<void>) => {
          service.register('late', new WordStrategy());
          await next();
        },
      ],
    });
    await expect(app.setup()).resolves.toBe(app);
  });

  it('uses another service by its path, and several live in one application', async () => {
    const { app, secret } = protectedApp();
    app.set('admin', { secret: 'another secret, long enough for this 123', entity: null, authStrategies: ['jwt', 'word'] });
    const admin = new AuthenticationService(app, 'admin');
    admin.register('word', new WordStrategy());
    admin.register('jwt', new JWTStrategy());
    app.use('admin/login', admin);
    secret.hooks({ before: { find: [authenticate({ service: 'admin/login', strategies: ['jwt'] })] } });
    const own = await admin.create(login);
    const other = await (app.service('authentication') as unknown as AuthenticationService).create(login);
    await expect(secret.find({ provider: 'rest', authentication: { strategy: 'jwt', accessToken: own.accessToken } })).resolves.toBe(
      'found',
    );
    await expect(
      secret.find({ provider: 'rest', authentication: { strategy: 'jwt', accessToken: other.accessToken } }),
    ).rejects.toMatchObject({ code: 401 });
  });
});

describe('the jwt strategy', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['JWT abc', 'abc'],
    ['abc', 'abc'],
    ['Basic abc', null],
    ['XBearer abc', null],
    ['Bearer: abc', null],
    ['Bearer a b', null],
    ['Bearer ', null],
    ['', null],
  ])('reads %p as %p', async (header, token) => {
    const { service } = createApp();
    const parsed = await service.parse({ headers: { authorization: header } }, null, 'jwt');
    expect(parsed?.accessToken ?? null).toBe(token);
  });

  it('takes another header, and refuses unknown options', async () => {
    const { service, app } = createApp({ jwt: { header: 'X-Token', schemes: ['Own'] } });
    expect(await service.parse({ headers: { 'x-token': 'Own t' } }, null, 'jwt')).toMatchObject({ accessToken: 't' });
    const wrong = createApp({ wrong: { expiresIn: '1d' } }).service;
    expect(() => wrong.register('wrong', new JWTStrategy())).toThrow(
      "Invalid JwtStrategy option 'authentication.wrong.expiresIn'. Did you mean to set it in 'authentication.jwtOptions'?",
    );
    expect(app.get('authentication')).toBeDefined();
  });

  it('S19 answers 401 for a deleted entity and for a token without a subject', async () => {
    const { service, users } = createApp();
    const { accessToken } = await service.create(login);
    await users.remove(1);
    await expect(service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt')).rejects.toMatchObject({ code: 401 });
    const without = await service.createAccessToken({});
    await expect(service.authenticate({ strategy: 'jwt', accessToken: without }, {}, 'jwt')).rejects.toMatchObject({ code: 401 });
    await expect(service.authenticate({ strategy: 'jwt' }, {}, 'jwt')).rejects.toMatchObject({ code: 401, message: 'No access token' });
  });

  it('S46 fails closed when the entity service fails', async () => {
    const { service, app } = createApp();
    const { accessToken } = await service.create(login);
    app.service('users').hooks({
      before: {
        get: [
          () => {
            throw new Error('database down');
          },
        ],
      },
    });
    await expect(service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt')).rejects.toThrow('database down');
  });
});
