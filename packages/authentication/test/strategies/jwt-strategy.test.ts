import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { JWTStrategy, type AuthenticationConfiguration, type Connection, type HttpRequest } from '../../src/index.ts';
import { createWorld, endWorlds, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

const INVALID = { code: 401, message: 'invalid token', data: { name: 'JsonWebTokenError' } };
const OWN = { origin: 'https://app.example.com', host: 'app.example.com' };
const FOREIGN = { origin: 'https://evil.example.com', host: 'app.example.com' };

const jwtOf = ({ service }: SessionWorld): JWTStrategy => service.getStrategy('jwt') as JWTStrategy;
const wait = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('the options of the jwt strategy', () => {
  it('have defaults, also before it is registered, and are those of the service where they name none', async () => {
    expect(new JWTStrategy().configuration).toMatchObject({ header: 'Authorization', schemes: ['Bearer', 'JWT'] });
    const world = await createWorld({ entityId: 'uuid' });
    const { configuration } = jwtOf(world);
    expect(configuration).toMatchObject({ service: 'users', entity: 'user', entityId: 'uuid', header: 'Authorization' });
    expect(jwtOf(world).configuration).toBe(configuration);
    world.configure({ jwt: { service: 'people', entity: 'person', entityId: 'key', header: 'X-Token', schemes: ['Own'] } });
    const given = { service: 'people', entity: 'person', entityId: 'key', header: 'X-Token', schemes: ['Own'] };
    expect(jwtOf(world).configuration).toEqual(given);
    world.configure({ jwt: { service: undefined, entity: undefined, header: undefined, schemes: undefined } });
    expect(jwtOf(world).configuration).toEqual(configuration);
  });

  it.each<[unknown, string]>([
    [false, "'authentication.token' must be an object of options"],
    ['Bearer', "'authentication.token' must be an object of options"],
    [['Bearer'], "'authentication.token' must be an object of options"],
    [{ header: '' }, "'authentication.token.header' must be the name of a header"],
    [{ schemes: 'Bearer' }, "'authentication.token.schemes' must be a list of schemes, such as ['Bearer']"],
    [{ schemes: null }, "'authentication.token.schemes' must be a list of schemes, such as ['Bearer']"],
    [{ schemes: [''] }, "'authentication.token.schemes' must be a list of schemes, such as ['Bearer']"],
    [{ entity: 'provider' }, "'authentication.token.entity' can not be 'provider'"],
    [{ entity: 5 }, "'authentication.token.entity' must be the name that users have in the parameters of calls"],
    [{ entityId: 5 }, "'authentication.token.entityId' must be the name of the id property of the users"],
    [{ service: ['users'] }, "'authentication.token.service' must be the path of the users"],
  ])('refuse what can not be meant: %j', async (token, message) => {
    const world = await createWorld({ token } as never);
    expect(() => world.service.register('token', new JWTStrategy())).toThrow(message);
  });

  it.each<[unknown]>([[undefined], [null], [{}], [{ schemes: [] }], [{ entity: null }]])('take what can be: %j', async (token) => {
    const world = await createWorld({ token } as never);
    expect(() => world.service.register('token', new JWTStrategy())).not.toThrow();
  });

  it.each([5, null, { name: 'X-Token' }])('refuse a header that is no text: %j', async (header) => {
    const world = await createWorld({ token: { header } as never });
    expect(() => world.service.register('token', new JWTStrategy())).toThrow("The 'header' option for the token strategy must be a string");
  });
});

describe('what tools are told of the jwt strategy', () => {
  const login = { properties: { accessToken: { type: 'string' } }, required: ['accessToken'] };
  const cookie = { type: 'apiKey', in: 'cookie', name: '__Host-access' };

  it.each<[string, AuthenticationConfiguration, object[]]>([
    ['a bearer token', {}, [{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }]],
    ['a bearer token without sessions', { sessions: false }, [{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }]],
    [
      'a bearer token and a cookie',
      { jwt: { header: 'AUTHORIZATION' }, sessions: { cookie: true } },
      [{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, cookie],
    ],
    ['a key in its header', { jwt: { header: 'X-Token' } }, [{ type: 'apiKey', in: 'header', name: 'X-Token' }]],
  ])('is that it takes %s', async (_what, options, credentials) => {
    expect(jwtOf(await createWorld(options)).describe()).toEqual({ login, credentials });
  });
});

describe('a token in a cookie', () => {
  const read = async (options: AuthenticationConfiguration, request: HttpRequest): Promise<unknown> => {
    const parsed = await (await createWorld(options)).service.parse(request, null, 'jwt');
    return parsed?.accessToken ?? null;
  };
  const cookies = { sessions: { cookie: true } };
  const withCookie = (headers: object = {}): Record<string, string> => ({ cookie: '__Host-access=abc', ...headers });

  it.each(['GET', 'HEAD', 'OPTIONS', undefined])('is read for %s, which changes nothing, wherever it comes from', async (method) => {
    expect(await read(cookies, { method: method as string, headers: withCookie(FOREIGN) })).toBe('abc');
  });

  it('S32 S35 is not read for a page of the server that came without encryption: anybody on the way may have written it, and it opens sockets', async () => {
    const from = (origin: string, host = 'app.example.com') => read(cookies, { headers: withCookie({ origin, host }) });
    expect(await from('http://app.example.com')).toBeNull();
    expect(await from('https://app.example.com')).toBe('abc');
    expect(await from('http://localhost:3030', 'localhost:3030')).toBe('abc');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'get'])('is read for %s only when a page of the server itself sends it', async (method) => {
    expect(await read(cookies, { method, headers: withCookie(OWN) })).toBe('abc');
    expect(await read(cookies, { method, headers: withCookie(FOREIGN) })).toBeNull();
    expect(await read(cookies, { method, headers: withCookie() })).toBeNull();
    // Whoever stands on the way could write such a page.
    expect(await read(cookies, { method, headers: withCookie({ ...OWN, origin: 'http://app.example.com' }) })).toBeNull();
  });

  it.each([
    ['service', { ...cookies, origins: [FOREIGN.origin] }],
    ['sessions', { sessions: { cookie: true, origins: [FOREIGN.origin] } }],
  ])('is read for a POST of an origin that the option `origins` of the %s lists', async (_where, options) => {
    expect(await read(options, { method: 'POST', headers: withCookie(FOREIGN) })).toBe('abc');
  });

  it.each([
    ['without sessions', { sessions: false }],
    ['with sessions without cookies', { sessions: true }],
    ['with a refresh token alone in a cookie', { sessions: { refresh: 'cookie' as const } }],
  ])('is not read %s', async (_what, options) => {
    expect(await read(options, { method: 'GET', headers: withCookie() })).toBeNull();
  });

  it('is not missed in requests that bring none, for changes neither', async () => {
    expect(await read(cookies, { method: 'POST', headers: OWN })).toBeNull();
    expect(await read(cookies, { method: 'GET' })).toBeNull();
    expect(await read(cookies, {})).toBeNull();
  });

  it('is used when the header has none, which wins', async () => {
    expect(await read(cookies, { headers: withCookie({ authorization: 'Bearer xyz' }) })).toBe('xyz');
    expect(await read(cookies, { headers: withCookie({ authorization: 'Basic xyz' }) })).toBe('abc');
  });
});

describe('authenticating with a token', () => {
  it.each([undefined, '', 5, null, ['abc']])('%j in its place is 401', async (accessToken) => {
    const { service } = await createWorld();
    const error = { code: 401, message: 'No access token' };
    await expect(service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt')).rejects.toMatchObject(error);
  });

  it('by a strategy that is not registered is 401', async () => {
    const error = { code: 401, message: 'The strategy is not registered' };
    await expect(new JWTStrategy().authenticate({ accessToken: 'abc' }, {})).rejects.toMatchObject(error);
  });

  it('gives the token, its contents and the entity', async () => {
    const { service, logIn } = await createWorld();
    const { accessToken, authentication } = await logIn();
    const result = await service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt');
    const { payload } = authentication;
    expect(result).toEqual({
      accessToken,
      authentication: { strategy: 'jwt', accessToken, payload },
      user: expect.objectContaining({ id: 1, name: 'Ann' }),
    });
  });

  it('that has no session is 401 where sessions are on, however it was signed', async () => {
    const { service, configure } = await createWorld();
    const accessToken = await service.createAccessToken({}, { subject: '1' });
    const call = (): Promise<unknown> => service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt');
    await expect(call()).rejects.toMatchObject(INVALID);
    configure({ sessions: false });
    await expect(call()).resolves.toMatchObject({ user: { name: 'Ann' } });
  });

  it('that was made with sessions goes on without a session where sessions are off', async () => {
    const { service, logIn, configure } = await createWorld();
    const { accessToken } = await logIn();
    configure({ sessions: false });
    await expect(service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt')).resolves.toMatchObject({ user: { name: 'Ann' } });
  });

  it.each([{}, { sub: '' }])('with the claims %j names no entity: 401', async (claims) => {
    const { service } = await createWorld({ sessions: false });
    const accessToken = await service.createAccessToken(claims);
    await expect(service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt')).rejects.toMatchObject(INVALID);
  });

  it.each([
    [{}],
    [{ authentication: { strategy: 'jwt' } }],
    [{ authentication: { strategy: 'jwt', payload: {} } }],
    [{ authentication: { strategy: 'jwt', payload: { sub: 5 } } }],
    [{ authentication: { strategy: 'jwt', payload: { sub: '' } } }],
  ])('whose result is %j has no id of an entity: 401', async (result) => {
    await expect(new JWTStrategy().getEntityId(result, {})).rejects.toMatchObject(INVALID);
  });

  it('loads no entity where the option `entity` is null, and that of the service where it is undefined', async () => {
    const { service, logIn, configure, userCalls } = await createWorld();
    const { accessToken } = await logIn();
    userCalls.length = 0;
    configure({ jwt: { entity: null } });
    const result = await service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt');
    expect(Object.keys(result)).toEqual(['accessToken', 'authentication']);
    expect(userCalls).toEqual([]);
    configure({ jwt: { entity: undefined } });
    expect(await service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt')).toMatchObject({ user: { id: 1 } });
  });

  it('of a user whose password was changed behind the back of everybody is 401, and ends the session for all', async () => {
    const { service, logIn, users, store } = await createWorld();
    const { accessToken } = await logIn();
    users.store.set('1', { ...users.store.get('1'), password: 'another' });
    const error = { code: 401, message: 'The session has ended', data: { name: 'SessionEnded' } };
    await expect(service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt')).rejects.toMatchObject(error);
    expect([...store.store.values()].find(({ kind }) => kind === 'session')).toMatchObject({ endedAt: expect.any(Number) });
  });
});

describe('a connection that has logged in', () => {
  /** A connection of a world, with what its application is told of connections that are to end. */
  const connect = async (options: AuthenticationConfiguration = {}) => {
    const world = await createWorld(options);
    const ended: unknown[] = [];
    world.app.on('disconnect', (connection: unknown) => ended.push(connection));
    const connection: Connection = {};
    return { ...world, jwt: jwtOf(world), ended, connection };
  };

  it('carries the strategy, the token and the entity', async () => {
    const { jwt, connection, logIn } = await connect();
    const result = await logIn();
    await jwt.handleConnection('login', connection, result as never);
    expect(connection).toEqual({ authentication: { strategy: 'jwt', accessToken: result.accessToken }, user: result.user });
  });

  it('has nothing of a login without a token', async () => {
    const { jwt, connection, logIn } = await connect();
    const { user } = await logIn();
    await jwt.handleConnection('login', connection, { user, authentication: { strategy: 'name' } });
    await jwt.handleConnection('login', connection);
    expect(connection).toEqual({});
  });

  it('has nobody of a login before where the result of the next one has no entity', async () => {
    const { jwt, connection, logIn } = await connect();
    await jwt.handleConnection('login', connection, (await logIn()) as never);
    const { accessToken, authentication } = await logIn('Bob');
    await jwt.handleConnection('login', connection, { accessToken, authentication } as never);
    expect(connection).toEqual({ authentication: { strategy: 'jwt', accessToken } });
  });

  it('has no entity where there is none, and none where the result has none', async () => {
    const { jwt, connection, logIn, configure } = await connect();
    const { accessToken, authentication, user } = await logIn();
    await jwt.handleConnection('login', connection, { accessToken, authentication } as never);
    expect(Object.keys(connection)).toEqual(['authentication']);
    configure({ entity: null });
    await jwt.handleConnection('login', connection, { accessToken, authentication, user, null: 'x' } as never);
    expect(Object.keys(connection)).toEqual(['authentication']);
    await jwt.handleConnection('disconnect', connection);
    expect(connection).toEqual({});
  });

  it('reads the token where the result does not say what is in it, and takes no token that is wrong', async () => {
    const { jwt, connection, logIn, service, ended } = await connect();
    const { accessToken, authentication } = await logIn();
    await jwt.handleConnection('login', connection, { accessToken });
    await service.sessions?.end(String(authentication.payload.sid));
    await wait();
    expect(ended).toEqual([connection]);
    await expect(jwt.handleConnection('login', {}, { accessToken: 'wrong' })).rejects.toMatchObject({ code: 401 });
    await expect(jwt.handleConnection('login', {}, { accessToken, authentication: { strategy: 'name' } })).rejects.toMatchObject({
      code: 401,
    });
  });

  it.each<[string, (world: Awaited<ReturnType<typeof connect>>, sid: string) => Promise<unknown>]>([
    ['its session ends', ({ service }, sid) => service.sessions!.end(sid)],
    ['all sessions of its user end', ({ service }) => service.sessions!.endAll('1')],
    ['its user is removed', ({ usersService }) => usersService.remove(1)],
    ['its user changes the password', ({ usersService }) => usersService.patch(1, { password: 'new' })],
  ])('is ended when %s, once', async (_what, end) => {
    const world = await connect();
    const { jwt, connection, logIn, ended } = world;
    const result = await logIn();
    await jwt.handleConnection('login', connection, result as never);
    await end(world, String(result.authentication.payload.sid));
    await wait();
    expect(ended).toEqual([connection]);
    await end(world, String(result.authentication.payload.sid)).catch(() => undefined);
    await wait();
    expect(ended).toEqual([connection]);
    expect(connection).toEqual({});
  });

  it('goes on when something else ends', async () => {
    const { jwt, connection, logIn, ended, service } = await connect();
    const result = await logIn();
    await jwt.handleConnection('login', connection, result as never);
    await wait();
    const check = jest.spyOn(service.sessions!, 'check');
    const { sid } = (await logIn()).authentication.payload;
    await service.sessions!.end(String(sid));
    await service.sessions!.endAll('2');
    await service.sessions!.revoke(String(result.authentication.payload.sid), null);
    await wait();
    // What does not concern it is not even asked for.
    expect(check).not.toHaveBeenCalled();
    expect(ended).toEqual([]);
    expect(connection).toHaveProperty('user');
  });

  it('asks for itself when more has ended than can be told, and where it can not be told it ends', async () => {
    const { jwt, connection, logIn, ended, service, store } = await connect();
    await jwt.handleConnection('login', connection, (await logIn()) as never);
    const told: ((change: { kind: 'lost' }) => void)[] = [];
    const watch = jest.spyOn(service.sessions!, 'watch').mockImplementation((listener) => {
      told.push(listener);
      return () => undefined;
    });
    await jwt.handleConnection('login', connection, (await logIn()) as never);
    watch.mockRestore();
    told[0]?.({ kind: 'lost' });
    await wait();
    expect(ended).toEqual([]);
    store.get = () => Promise.reject(new Error('no database'));
    store.find = () => Promise.reject(new Error('no database'));
    const stopwatch = jest.spyOn(performance, 'now').mockImplementation(() => Number.MAX_SAFE_INTEGER);
    told[0]?.({ kind: 'lost' });
    await wait();
    stopwatch.mockRestore();
    expect(ended).toEqual([connection]);
  });

  it('goes on without a session where its token has none', async () => {
    const { jwt, connection, ended } = await connect();
    await jwt.handleConnection('login', connection, { accessToken: 'a', authentication: { strategy: 'own', payload: { sub: '1' } } });
    await wait();
    expect(ended).toEqual([]);
    expect(connection).toHaveProperty('authentication');
  });

  it.each<[string, (world: Awaited<ReturnType<typeof connect>>) => Promise<unknown>]>([
    ['disabled', ({ usersService }) => usersService.patch(1, { disabled: true })],
    ['disabled among others', ({ usersService }) => usersService.patch(null, { disabled: true })],
    ['removed', ({ usersService }) => usersService.remove(1)],
  ])('ends without a session when its user is %s', async (_what, end) => {
    const world = await connect({ sessions: false });
    const { jwt, connection, logIn, ended, usersService } = world;
    await jwt.handleConnection('login', connection, (await logIn()) as never);
    await usersService.patch(1, { name: 'Anne' });
    await usersService.patch(2, { disabled: true });
    await wait();
    expect(ended).toEqual([]);
    await end(world);
    // Before anything else that happens: what is emitted next is not for it any more.
    expect(ended).toEqual([connection]);
    await wait();
    expect(ended).toEqual([connection]);
    expect(connection).toEqual({});
  });

  it.each<[string, (users: Map<string, Record<string, unknown>>) => unknown, boolean]>([
    ['ends with its disabled user', (users) => users.set('1', { ...users.get('1'), disabled: true }), true],
    ['ends with its removed user', (users) => users.delete('1'), true],
    ['goes on where its user does', (users) => users.delete('2'), false],
  ])('%s when a write without a session does not tell whom it has changed', async (_what, write, ends) => {
    const { jwt, connection, logIn, ended, users, usersService } = await connect({ sessions: false });
    await jwt.handleConnection('login', connection, (await logIn()) as never);
    write(users.store);
    usersService.emit('removed', { count: 1 });
    await wait();
    expect(ended).toEqual(ends ? [connection] : []);
  });

  it('is not looked for any more without a session once it is gone', async () => {
    const { jwt, connection, logIn, ended, usersService, userCalls } = await connect({ sessions: false });
    await jwt.handleConnection('login', connection, (await logIn()) as never);
    await jwt.handleConnection('disconnect', connection);
    userCalls.length = 0;
    await usersService.patch(1, { disabled: true });
    await wait();
    expect(ended).toEqual([]);
    expect(userCalls.map(({ method }) => method)).toEqual(['patch']);
  });

  it('ends with the session of its last login alone', async () => {
    const { jwt, connection, logIn, ended, service } = await connect();
    const [first, second] = [await logIn(), await logIn()];
    await jwt.handleConnection('login', connection, first as never);
    await jwt.handleConnection('login', connection, second as never);
    await service.sessions!.end(String(first.authentication.payload.sid));
    await wait();
    expect(ended).toEqual([]);
    expect(connection.authentication).toEqual({ strategy: 'jwt', accessToken: second.accessToken });
    await service.sessions!.end(String(second.authentication.payload.sid));
    await wait();
    expect(ended).toEqual([connection]);
  });

  it('goes on when it has logged in anew while the end of the session of before is looked at', async () => {
    const { jwt, connection, logIn, ended, service } = await connect();
    const [first, second] = [await logIn(), await logIn()];
    await jwt.handleConnection('login', connection, first as never);
    await wait();
    const ending = service.sessions!.end(String(first.authentication.payload.sid));
    await jwt.handleConnection('login', connection, second as never);
    await ending;
    await wait();
    expect(ended).toEqual([]);
    expect(connection.authentication).toEqual({ strategy: 'jwt', accessToken: second.accessToken });
  });

  it.each([
    ['ends when it logs out', 'logout', 1],
    ['is not ended once more when it is gone', 'disconnect', 0],
  ] as const)('%s while the end of its session is looked at', async (_what, event, times) => {
    const { jwt, connection, logIn, ended, service } = await connect();
    const result = await logIn();
    await jwt.handleConnection('login', connection, result as never);
    await wait();
    const ending = service.sessions!.end(String(result.authentication.payload.sid));
    await jwt.handleConnection(event, connection, result as never);
    await ending;
    await wait();
    expect(ended).toHaveLength(times);
  });

  it('is not watched where it has gone before its login was done', async () => {
    const { jwt, connection, logIn, ended, service } = await connect();
    const result = await logIn();
    await jwt.handleConnection('disconnect', connection);
    await jwt.handleConnection('login', connection, result as never);
    expect(connection).toEqual({});
    await service.sessions!.end(String(result.authentication.payload.sid));
    await wait();
    expect(ended).toEqual([]);
  });

  it('forgets who it was once the handlers of the same logout are through, and is watched no more', async () => {
    const { jwt, connection, logIn, ended, service } = await connect();
    const result = await logIn();
    await jwt.handleConnection('login', connection, result as never);
    const handled = jwt.handleConnection('logout', connection, result as never);
    expect(connection).toHaveProperty('user');
    await handled;
    expect(connection).toEqual({});
    await service.sessions!.end(String(result.authentication.payload.sid));
    await wait();
    expect(ended).toEqual([]);
  });

  it('keeps who it is by a login that comes behind its logout in the same moment', async () => {
    const { jwt, connection, logIn } = await connect();
    const [first, second] = [await logIn(), await logIn()];
    await jwt.handleConnection('login', connection, first as never);
    await Promise.all([
      jwt.handleConnection('logout', connection, first as never),
      jwt.handleConnection('login', connection, second as never),
    ]);
    expect(connection).toMatchObject({ authentication: { accessToken: second.accessToken }, user: { name: expect.anything() } });
    await jwt.handleConnection('disconnect', connection);
    expect(connection).toEqual({});
  });

  describe.each([
    ['without a session', { sessions: false }],
    ['with a session', {}],
  ])('whose own token %s is logged out', (_what, settings) => {
    const logOut = async (hook: (context: { result: unknown; params: object }) => void, after = true) => {
      const world = await connect(settings);
      const { jwt, connection, logIn, app } = world;
      const login = await logIn();
      await jwt.handleConnection('login', connection, login as never);
      const registered = app.service('authentication') as unknown as SessionWorld['service'] & { hooks(map: object): void };
      registered.hooks({ [after ? 'after' : 'before']: { remove: [hook] } });
      const params = { provider: 'socketio', connection, authentication: connection.authentication as never };
      const failure = await registered.remove(null, params as never).then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      );
      await wait();
      return { ...world, login, failure };
    };

    it('goes on as nobody', async () => {
      const { connection, ended, failure } = await logOut(() => undefined);
      expect([connection, ended, failure]).toEqual([{}, [], undefined]);
    });

    it('S19 is ended where the logout was done and a hook behind it fails', async () => {
      const { connection, ended, failure } = await logOut(() => {
        throw new Error('behind');
      });
      expect([connection, ended, failure]).toEqual([{}, [connection], 'behind']);
    });

    it('S19 is ended where the result does not say any more whose token it was', async () => {
      const { connection, ended, failure } = await logOut((context) => {
        context.result = { done: true };
      });
      expect([connection, ended, failure]).toEqual([{}, [connection], undefined]);
    });

    it('goes on, and is ended by the next logout elsewhere, where the logout was not done', async () => {
      const { connection, ended, failure, service, login } = await logOut(({ params }) => {
        if ('provider' in params) throw new Error('before');
      }, false);
      expect([Object.keys(connection), ended, failure]).toEqual([['authentication', 'user'], [], 'before']);
      await service.remove(null, { authentication: { strategy: 'jwt', accessToken: login.accessToken } });
      await wait();
      expect(ended).toEqual([connection]);
    });
  });

  it('S46 is ended where the end of its own token without a session can not be written', async () => {
    const world = await connect({ sessions: false, revocation: 'store' });
    const { jwt, connection, logIn, app, store, ended } = world;
    await jwt.handleConnection('login', connection, (await logIn()) as never);
    await wait();
    store.create = () => Promise.reject(new Error('no database'));
    const params = { provider: 'socketio', connection, authentication: connection.authentication as never };
    const registered = app.service('authentication') as unknown as SessionWorld['service'];
    await expect(registered.remove(null, params as never)).rejects.toMatchObject({ code: 503 });
    await wait();
    expect(ended).toEqual([connection]);
  });

  it.each([
    ['of another token', { accessToken: 'another' }],
    ['without a token', { authentication: { strategy: 'refresh' } }],
    ['without a result', undefined],
  ])('stays through a logout %s', async (_what, logout) => {
    const { jwt, connection, logIn } = await connect();
    const result = await logIn();
    await jwt.handleConnection('login', connection, result as never);
    const before = { ...connection };
    await jwt.handleConnection('logout', connection, logout);
    expect(connection).toEqual(before);
  });

  it.each([
    ['without a token', { authentication: { strategy: 'refresh' } }],
    ['without a result', undefined],
  ])('that has no login stays as it is through a logout %s', async (_what, logout) => {
    const { jwt } = await connect();
    const connection: Connection = { user: 'set by the application' };
    await jwt.handleConnection('logout', connection, logout);
    expect(connection).toEqual({ user: 'set by the application' });
  });

  it('forgets who it was when it is gone, whatever the result', async () => {
    const { jwt, connection, logIn } = await connect();
    await jwt.handleConnection('login', connection, (await logIn()) as never);
    await jwt.handleConnection('disconnect', connection, { accessToken: 'another' });
    expect(connection).toEqual({});
  });
});

describe('a connection whose token ends by itself', () => {
  /** Timers that are set, in place of waiting for them. */
  interface Timer {
    readonly ring: () => void;
    readonly delay: number;
    cleared: boolean;
    unreferenced: boolean;
  }

  const NOW = Date.UTC(2030, 0, 1);
  const DAY = 24 * 3600;

  const withTimers = async (
    work: (world: { jwt: JWTStrategy; ended: unknown[]; timers: Timer[]; at(time: number): void }) => Promise<void>,
  ): Promise<void> => {
    const world = await createWorld({ sessions: false });
    const ended: unknown[] = [];
    world.app.on('disconnect', (connection: unknown) => ended.push(connection));
    const timers: Timer[] = [];
    let now = NOW;
    const spies = [
      jest.spyOn(Date, 'now').mockImplementation(() => now),
      jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void, delay: number) => {
        const timer = { ring, delay, cleared: false, unreferenced: false, unref: () => void (timer.unreferenced = true) };
        timers.push(timer);
        return timer;
      }) as never),
      jest.spyOn(globalThis, 'clearTimeout').mockImplementation(((timer: Timer | undefined) => {
        if (timer) timer.cleared = true;
      }) as never),
    ];
    try {
      await work({ jwt: jwtOf(world), ended, timers, at: (time) => void (now = time) });
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  };
  const tokenUntil = (exp: unknown) => ({ accessToken: 'a', authentication: { strategy: 'name', payload: { sub: '1', exp } } });

  it('is ended at that moment, by a timer that keeps no process alive', async () => {
    await withTimers(async ({ jwt, ended, timers, at }) => {
      const connection: Connection = {};
      await jwt.handleConnection('login', connection, tokenUntil(NOW / 1000 + 60));
      expect(timers).toMatchObject([{ delay: 60_000, unreferenced: true }]);
      at(NOW + 60_000);
      timers[0]?.ring();
      expect(ended).toEqual([connection]);
    });
  });

  it('is ended at once when it has ended already', async () => {
    await withTimers(async ({ jwt, timers }) => {
      await jwt.handleConnection('login', {}, tokenUntil(NOW / 1000 - 60));
      expect(timers).toMatchObject([{ delay: 0 }]);
    });
  });

  it('is not ended where the token has no end', async () => {
    await withTimers(async ({ jwt, timers }) => {
      await jwt.handleConnection('login', {}, tokenUntil(undefined));
      await jwt.handleConnection('login', {}, tokenUntil('never'));
      expect(timers).toEqual([]);
    });
  });

  it('is ended when the clock is put forward past its end, as by a machine that slept', async () => {
    await withTimers(async ({ jwt, ended, timers, at }) => {
      const connection: Connection = {};
      await jwt.handleConnection('login', connection, tokenUntil(NOW / 1000 + 30 * DAY));
      expect(timers).toMatchObject([{ delay: 60_000 }]);
      at(NOW + 31 * DAY * 1000);
      timers[0]?.ring();
      expect([timers.length, ended]).toEqual([1, [connection]]);
    });
  });

  it.each(['login', 'logout', 'disconnect'] as const)('has no timer of before any more after a %s', async (event) => {
    await withTimers(async ({ jwt, timers }) => {
      const connection: Connection = {};
      const result = tokenUntil(NOW / 1000 + 60);
      await jwt.handleConnection('login', connection, result);
      await jwt.handleConnection(event, connection, event === 'login' ? tokenUntil(undefined) : result);
      expect(timers).toMatchObject([{ cleared: true }]);
    });
  });

  it('has none where it has gone before its login was done', async () => {
    await withTimers(async ({ jwt, timers }) => {
      const connection: Connection = {};
      await jwt.handleConnection('disconnect', connection);
      await jwt.handleConnection('login', connection, tokenUntil(NOW / 1000 + 60));
      expect(timers).toEqual([]);
    });
  });
});
