import { BadGateway, BadRequest, Gone, NotFound } from '@framework/errors';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt } from 'jose';
import {
  IDENTITY,
  ORIGIN,
  type AuthenticationConfiguration,
  type AuthenticationResult,
  type AuthenticationStrategy,
} from '../../src/index.ts';
import { createWorld, endWorlds, type LoggedIn, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

const INVALID = { code: 401, message: 'invalid token', data: { name: 'JsonWebTokenError' } };
const NOT_ALLOWED = { code: 401, message: 'Invalid authentication information (strategy not allowed in authStrategies)' };
const OTHER_ORIGIN = { code: 403, message: expect.stringContaining("only for the server's own pages") };

/** A world with a strategy that gives what it is told to. */
async function giving(result: (world: SessionWorld) => AuthenticationResult, options: AuthenticationConfiguration = {}) {
  const world = await createWorld(options);
  const strategy: AuthenticationStrategy = { authenticate: async () => result(world) };
  world.service.register('own', strategy);
  world.configure({ authStrategies: ['own', 'name', 'jwt'] });
  const create = (params: object = {}): Promise<LoggedIn> =>
    world.service.create({ strategy: 'own' }, params) as unknown as Promise<LoggedIn>;
  return { ...world, create };
}

const sessionsOf = ({ store }: SessionWorld): Record<string, unknown>[] =>
  [...store.store.values()].filter(({ kind }) => kind === 'session');

describe('S5 the name of the strategy', () => {
  it.each(['{"toString":1}', '{"toString":1,"valueOf":1}', '{"toString":null}', '{}', '[]', '["name"]', '[["name"]]', '7', 'null', 'true'])(
    'is a text: %s is none, and is refused as that',
    async (json) => {
      const { service } = await createWorld();
      const data = JSON.parse(`{"strategy":${json},"name":"Ann"}`) as { strategy: string };
      await expect(service.create(data, { provider: 'rest' })).rejects.toMatchObject({
        code: 401,
        message: 'Invalid authentication information (no `strategy` set)',
      });
    },
  );
});

describe('the answer of a login', () => {
  it('has the tokens, the session that they belong to and the entity', async () => {
    const world = await createWorld();
    const { accessToken, refreshToken, authentication, user, ...rest } = await world.logIn();
    const [session] = sessionsOf(world);
    expect(rest).toEqual({});
    expect(user).toMatchObject({ id: 1, name: 'Ann' });
    expect(authentication).toEqual({ strategy: 'name', payload: decodeJwt(accessToken) });
    expect(authentication.payload).toMatchObject({
      sid: session?.id,
      sub: '1',
      iat: expect.any(Number),
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(refreshToken.startsWith(`${String(session?.id)}.`)).toBe(true);
  });

  it('has no refresh token where there are none, and no session where they are off', async () => {
    const without = await createWorld({ sessions: { refresh: false } });
    expect(await without.logIn()).not.toHaveProperty('refreshToken');
    expect(sessionsOf(without)).toHaveLength(1);
    const off = await createWorld({ sessions: false });
    const { authentication, ...rest } = await off.logIn();
    expect([authentication.payload.sid, Object.keys(rest).sort(), sessionsOf(off)]).toEqual([undefined, ['accessToken', 'user'], []]);
  });

  it('names the strategy, also where its result does not', async () => {
    const { create, configure } = await giving(() => ({ user: { id: 1 } }));
    expect((await create()).authentication.strategy).toBe('own');
    const named = await giving(() => ({ user: { id: 1 }, authentication: { strategy: 'own', via: 'elsewhere' } }));
    expect((await named.create()).authentication).toMatchObject({ strategy: 'own', via: 'elsewhere' });
    configure({ sessions: false });
    expect((await create()).authentication.strategy).toBe('own');
  });

  it('shows to callers from outside what they may see of the entity, and of its service', async () => {
    const { service, logIn } = await createWorld();
    const { user } = await service.create({ strategy: 'name', name: 'Ann' }, { provider: 'rest' });
    expect(Object.keys((user ?? {}) as object)).toEqual(['id', 'name']);
    expect((await logIn()).user).toHaveProperty('password', 'secret of Ann');
  });

  it('stays as it is where the entity of the result is a text', async () => {
    const { create, configure } = await giving(() => ({ user: 'Ann' }), { sessions: false });
    configure({ service: undefined as never });
    expect(await create({ provider: 'rest' })).toMatchObject({ accessToken: expect.any(String), user: 'Ann' });
  });

  it.each([undefined, null, false])('is none where the entity of the result is %j', async (user) => {
    for (const sessions of [true, false]) {
      const { create } = await giving(() => ({ user }), { sessions });
      for (const params of [{}, { provider: 'rest' }]) await expect(create(params)).rejects.toMatchObject({ code: 401 });
    }
  });

  it.each([
    [false, 'gave false'],
    [undefined, 'gave undefined'],
    [null, 'gave null'],
    [true, 'gave true'],
    ['a code', 'gave a string'],
    [[], 'gave a list'],
    [() => ({}), 'gave a function'],
  ])('is none for a strategy that gives no object (%j), and whoever wrote that is told once', async (given, text) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const { create, service } = await giving(() => given as never);
    for (const params of [{}, { provider: 'rest' }])
      await expect(create(params)).rejects.toMatchObject({ code: 401, message: 'Invalid authentication information' });
    await expect(service.authenticate({ strategy: 'own' }, {}, 'own')).rejects.toMatchObject({ code: 401 });
    expect(warned.mock.calls).toEqual([
      [expect.stringContaining(`authenticate() of the strategy 'own' ${text}, which lets nobody in`), { code: 'NO_LOGIN_RESULT' }],
    ]);
    warned.mockRestore();
  });

  it('is the error that a strategy gives in place of throwing it', async () => {
    const { create } = await giving(() => new Gone('no more logins') as never);
    await expect(create({ provider: 'rest' })).rejects.toMatchObject({ code: 410, message: 'no more logins' });
  });

  it('is the one of the strategy where that has a token already, and nothing is written', async () => {
    const world = await giving(() => ({ accessToken: 'made elsewhere', user: { id: 1, name: 'Ann', password: 'x' } }));
    expect(await world.create({ provider: 'rest' })).toEqual({ accessToken: 'made elsewhere', user: { id: 1, name: 'Ann' } });
    expect(sessionsOf(world)).toEqual([]);
  });

  it('shows what was left of a result that has no entity where there is none', async () => {
    const { service } = await createWorld({ entity: null });
    const result = await service.create({ strategy: 'name', name: 'Ann' }, { provider: 'rest' });
    expect(result).toMatchObject({ user: { name: 'Ann', password: 'secret of Ann' } });
  });
});

describe('the token of a login', () => {
  it('has the claims, id and secret that the call on the server says', async () => {
    const world = await createWorld();
    const params = {
      payload: { role: 'x', sid: 'mine' },
      jwtOptions: { jwtid: 'own id', subject: '2' },
      secret: 'another secret, long enough for this test',
    };
    const result = (await world.service.create({ strategy: 'name', name: 'Ann' }, params)) as unknown as LoggedIn;
    expect(result.authentication.payload).toMatchObject({ role: 'x', jti: 'own id', sub: '2', sid: sessionsOf(world)[0]?.id });
    await expect(world.service.verifyAccessToken(result.accessToken)).rejects.toMatchObject({ code: 401 });
    await expect(world.service.verifyAccessToken(result.accessToken, undefined, params.secret)).resolves.toMatchObject({ role: 'x' });
  });

  it('that can not be made leaves no session behind', async () => {
    const world = await createWorld();
    const call = world.service.create({ strategy: 'name', name: 'Ann' }, { jwtOptions: { algorithm: 'RS256' } });
    await expect(call).rejects.toThrow();
    expect(sessionsOf(world)).toEqual([]);
  });

  it('of a refresh is for whom the session is, with another id, unless the call on the server says so', async () => {
    const world = await createWorld({ entity: null });
    const first = (await world.service.create({ strategy: 'name', name: 'Ann' }, { jwtOptions: { subject: '7' } })) as unknown as LoggedIn;
    const refresh = (refreshToken: string, jwtOptions?: object): Promise<LoggedIn> =>
      world.service.create({ strategy: 'refresh', refreshToken }, { jwtOptions } as object) as unknown as Promise<LoggedIn>;
    const second = await refresh(first.refreshToken);
    expect(second.authentication.payload).toMatchObject({ sub: '7', jti: expect.stringMatching(/^[\w-]{22}$/) });
    const third = await refresh(second.refreshToken, { subject: '8', jwtid: 'own id' });
    expect(third.authentication.payload).toMatchObject({ sub: '8', jti: 'own id' });
  });

  it('of a refresh that is answered again in its grace time is the same pair', async () => {
    const world = await createWorld({ sessions: { refreshGrace: '5s' } });
    const { refreshToken } = await world.logIn();
    const refresh = (): Promise<LoggedIn> => world.service.create({ strategy: 'refresh', refreshToken }) as unknown as Promise<LoggedIn>;
    const [second, again] = [await refresh(), await refresh()];
    expect(again.refreshToken).toBe(second.refreshToken);
    expect(again.authentication.payload.jti).toBe(second.authentication.payload.jti);
  });
});

describe('a login is refused', () => {
  it('where no strategy may log in', async () => {
    const { service, configure } = await createWorld();
    const error = { code: 401, message: 'No authentication strategies allowed for creating a JWT (`authStrategies`)' };
    configure({ authStrategies: undefined as never });
    await expect(service.create({ strategy: 'name', name: 'Ann' })).rejects.toMatchObject(error);
    await expect(service.create({ strategy: 'name', name: 'Ann' }, { authStrategies: [] })).rejects.toMatchObject(error);
  });

  it('for a strategy that this call on the server does not allow', async () => {
    const { service } = await createWorld({ authStrategies: ['jwt'] });
    const data = { strategy: 'name', name: 'Ann' };
    await expect(service.create(data)).rejects.toMatchObject(NOT_ALLOWED);
    await expect(service.create(data, { authStrategies: ['name'] })).resolves.toMatchObject({ user: { id: 1 } });
  });

  it('from a form of another page, and from none that can not be told', async () => {
    const { service } = await createWorld();
    const log = (headers: object): Promise<unknown> =>
      service.create({ strategy: 'name', name: 'Ann' }, { provider: 'rest', headers } as object);
    const form = { 'content-type': 'application/x-www-form-urlencoded', host: 'app.example.com' };
    await expect(log({ ...form, origin: 'https://evil.example.com' })).rejects.toMatchObject(OTHER_ORIGIN);
    await expect(log({ ...form, origin: 'https://app.example.com' })).resolves.toHaveProperty('accessToken');
    await expect(log(form)).resolves.toHaveProperty('accessToken');
  });

  it('when a cookie refreshes it and nobody says which page it came from', async () => {
    const { service, logIn } = await createWorld({ sessions: { refresh: 'cookie' } });
    const { refreshToken } = await logIn();
    const headers = { cookie: `__Host-refresh=${refreshToken}`, host: 'app.example.com' };
    const refresh = (more: object): Promise<unknown> =>
      service.create({ strategy: 'refresh' }, { provider: 'rest', headers: { ...headers, ...more } });
    await expect(refresh({})).rejects.toMatchObject(OTHER_ORIGIN);
    await expect(refresh({ origin: 'https://evil.example.com' })).rejects.toMatchObject(OTHER_ORIGIN);
    // A login brings its own credentials: no browser adds them.
    await expect(service.create({ strategy: 'name', name: 'Ann' }, { provider: 'rest', headers })).resolves.toHaveProperty('accessToken');
    await expect(refresh({ origin: 'https://app.example.com' })).resolves.toHaveProperty('accessToken');
  });

  it('never for a refresh token in the body, wherever it comes from: no browser adds it', async () => {
    const { service, logIn } = await createWorld({ sessions: { cookie: true, refresh: false } });
    await expect(
      service.create({ strategy: 'refresh', refreshToken: (await logIn()).refreshToken }, { provider: 'rest' }),
    ).rejects.toMatchObject(NOT_ALLOWED);
    const inBody = await createWorld();
    const { refreshToken } = await inBody.logIn();
    await expect(inBody.service.create({ strategy: 'refresh', refreshToken }, { provider: 'rest', headers: {} })).resolves.toHaveProperty(
      'accessToken',
    );
  });
});

describe('a login whose user changes while it is verified', () => {
  const AT_LOGIN = { id: 1, name: 'Ann', password: 'secret of Ann' };

  it.each<[string, (world: SessionWorld) => void]>([
    ['is removed', ({ users }) => void users.store.delete('1')],
    ['is disabled', ({ users }) => void users.store.set('1', { ...AT_LOGIN, disabled: true })],
  ])('is 401 when it %s', async (_what, change) => {
    const own = await giving((world) => {
      change(world);
      return { user: AT_LOGIN };
    });
    await expect(own.create()).rejects.toMatchObject(INVALID);
    expect(sessionsOf(own)).toEqual([]);
  });

  it('is 401 when its secret is another one than that which was verified', async () => {
    const identity = { account: '1', known: true, entity: AT_LOGIN };
    const own = await giving(() => ({ user: AT_LOGIN, [IDENTITY]: identity }) as AuthenticationResult);
    await expect(own.create()).resolves.toHaveProperty('accessToken');
    own.users.store.set('1', { ...AT_LOGIN, password: 'another' });
    await expect(own.create()).rejects.toMatchObject(INVALID);
    expect(sessionsOf(own)).toHaveLength(1);
  });

  it('is 401 when its secret is another one than that which its strategy has found before', async () => {
    const world = await createWorld();
    const own: AuthenticationStrategy = {
      identify: async () => ({ account: '1', known: true, entity: { ...world.users.store.get('1') } }),
      authenticate: async ({ meanwhile }) => {
        if (meanwhile !== undefined) world.users.store.set('1', { ...AT_LOGIN, password: meanwhile });
        return { user: AT_LOGIN };
      },
    };
    world.service.register('own', own);
    world.configure({ authStrategies: ['own'] });
    await expect(world.service.create({ strategy: 'own', meanwhile: 'another' })).rejects.toMatchObject(INVALID);
    expect(sessionsOf(world)).toEqual([]);
    await expect(world.service.create({ strategy: 'own' })).resolves.toHaveProperty('accessToken');
  });

  it.each([new NotFound('none'), new BadRequest('no id'), new Gone('removed')])(
    'is 401 when its service answers with %s',
    async (error) => {
      const own = await giving(() => ({ user: AT_LOGIN }));
      own.usersService.hooks({
        before: {
          get: [
            () => {
              throw error;
            },
          ],
        },
      });
      await expect(own.create()).rejects.toMatchObject(INVALID);
    },
  );

  it.each([undefined, null, 'text'])('is 401 when its service gives %j in place of it', async (nothing) => {
    const own = await giving(() => ({ user: AT_LOGIN }));
    own.app.use('people', { id: 'id', get: async () => nothing } as never);
    own.configure({ service: 'people' });
    await expect(own.create()).rejects.toMatchObject(INVALID);
  });

  it('fails as its service does where that can not be told', async () => {
    const own = await giving(() => ({ user: AT_LOGIN }));
    const error = new BadGateway('no database');
    own.usersService.hooks({
      before: {
        get: [
          () => {
            throw error;
          },
        ],
      },
    });
    await expect(own.create()).rejects.toBe(error);
    expect(sessionsOf(own)).toEqual([]);
  });

  it('is read as the server reads it, without where the login came from', async () => {
    const { service, userCalls } = await createWorld();
    await service.create({ strategy: 'name', name: 'Ann' }, { provider: 'rest', query: { of: 'the call' }, mark: 'kept' } as object);
    expect(userCalls).toEqual([{ method: 'get', id: '1', params: expect.objectContaining({ query: {}, mark: 'kept' }) }]);
    expect(userCalls[0]?.params).not.toHaveProperty('provider');
  });
});

describe('the session of a login', () => {
  const marks = { field: 'password', marks: [expect.any(String)] };

  it('is for the user, with marks of the secrets, the client and where it came from', async () => {
    const origin = { strategy: 'google', subject: 'ann@there', session: 's1' };
    const own = await giving(() => ({ user: { id: 2 }, [ORIGIN]: origin }) as AuthenticationResult);
    const result = await own.create({ address: '192.0.2.1', headers: { 'user-agent': 'Browser' } });
    expect(Object.getOwnPropertySymbols(result)).toEqual([]);
    expect(sessionsOf(own)).toMatchObject([
      { user: '2', secrets: [marks], address: '192.0.2.1', agent: 'Browser', via: 'google', viaSession: expect.any(String) },
    ]);
  });

  it.each<[string, AuthenticationConfiguration]>([
    ['there is no entity', { entity: null }],
    ['the result has none', {}],
  ])('is for nobody where %s', async (_what, options) => {
    const own = await giving(() => ({}), options);
    await own.create();
    expect(sessionsOf(own)).toMatchObject([{ user: '', secrets: null }]);
    expect(own.userCalls).toEqual([]);
  });

  it('has no marks where the entities have no service', async () => {
    const own = await giving(() => ({}), {});
    own.configure({ service: undefined as never });
    await own.create({ jwtOptions: { subject: '5' } });
    expect(sessionsOf(own)).toMatchObject([{ user: '5', secrets: null }]);
  });
});
