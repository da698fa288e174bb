import { afterEach, describe, expect, it } from '@jest/globals';
import type { AuthenticationRequest, AuthenticationStrategy } from '../../src/index.ts';
import { createWorld, endWorlds, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

const INVALID = { code: 401, message: 'Invalid refresh token' };
const ENDED = { code: 401, data: { name: 'SessionEnded' } };

const remove = (
  { service }: SessionWorld,
  authentication: AuthenticationRequest | undefined,
  params: object = {},
  id: string | null = null,
) => service.remove(id, { ...params, authentication });
const storedOf = ({ store }: SessionWorld, id: unknown): Record<string, unknown> | undefined => store.store.get(String(id));
const breakStore = ({ app }: SessionWorld, isDown: () => boolean): void => {
  app.service('sessions').hooks({
    before: {
      patch: [
        () => {
          if (isDown()) throw new Error('no database');
        },
      ],
    },
  });
};

describe('logging out with an access token', () => {
  it('ends its session, and says whose it was', async () => {
    const world = await createWorld();
    const { accessToken, authentication } = await world.logIn();
    const result = await remove(world, { strategy: 'jwt', accessToken }, { provider: 'rest' }, accessToken);
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      accessToken,
      authentication: { strategy: 'jwt', accessToken, payload: authentication.payload },
      user: { id: 1, name: 'Ann' },
    });
    expect(storedOf(world, authentication.payload.sid)).toMatchObject({ endedAt: expect.any(Number), refresh: null });
    await expect(world.service.verifyAccessToken(accessToken)).rejects.toMatchObject(ENDED);
  });

  it('needs one that is right, and that the call is for', async () => {
    const world = await createWorld();
    const { accessToken, authentication } = await world.logIn();
    await expect(remove(world, undefined)).rejects.toMatchObject({ code: 401, message: 'Not authenticated' });
    await expect(remove(world, { strategy: 'jwt', accessToken }, {}, 'another')).rejects.toMatchObject({
      code: 401,
      message: 'Invalid access token',
    });
    await expect(remove(world, { strategy: 'jwt', accessToken: 'wrong' })).rejects.toMatchObject({ code: 401 });
    expect(storedOf(world, authentication.payload.sid)).toMatchObject({ endedAt: null });
  });

  it('S19 ends the session of the cookie too, which the answer takes away, and no other', async () => {
    const world = await createWorld({ sessions: { cookie: true } });
    const [own, later, elsewhere] = [await world.logIn(), await world.logIn(), await world.logIn()];
    const headers = {
      cookie: `__Host-refresh=${String(later.refreshToken)}`,
      origin: 'https://shop.example.com',
      host: 'shop.example.com',
    };
    const ended = () => [own, later, elsewhere].map(({ authentication }) => storedOf(world, authentication.payload.sid)?.endedAt !== null);
    // The cookie of a socket is that of its beginning, and stays.
    const socket = await world.logIn();
    await remove(world, { strategy: 'jwt', accessToken: socket.accessToken }, { provider: 'socketio', headers });
    expect(ended()).toEqual([false, false, false]);
    await remove(world, { strategy: 'jwt', accessToken: own.accessToken }, { provider: 'rest', headers });
    expect(ended()).toEqual([true, true, false]);
    // A cookie that counts no more, or never did, keeps nobody from logging out.
    await remove(world, { strategy: 'jwt', accessToken: elsewhere.accessToken }, { provider: 'rest', headers });
    expect(ended()).toEqual([true, true, true]);
  });

  it('takes a strategy of `authStrategies` alone', async () => {
    const world = await createWorld();
    const { accessToken } = await world.logIn();
    world.configure({ authStrategies: undefined as never });
    const error = { code: 401, message: 'Invalid authentication information (strategy not allowed in authStrategies)' };
    await expect(remove(world, { strategy: 'jwt', accessToken })).rejects.toMatchObject(error);
    await expect(remove(world, { strategy: 'Stryker was here', accessToken })).rejects.toMatchObject(error);
  });

  it('without a session remembers the token until it ends', async () => {
    const world = await createWorld({ sessions: false });
    const [one, other] = [await world.logIn(), await world.logIn()];
    await expect(remove(world, { strategy: 'jwt', accessToken: one.accessToken })).resolves.toMatchObject({ user: { id: 1 } });
    const error = { code: 401, message: 'The token was logged out', data: { name: 'TokenRevoked' } };
    await expect(world.service.verifyAccessToken(one.accessToken)).rejects.toMatchObject(error);
    await expect(remove(world, { strategy: 'jwt', accessToken: one.accessToken })).rejects.toMatchObject(error);
    await expect(world.service.verifyAccessToken(other.accessToken)).resolves.toMatchObject({ sub: '1' });
  });

  it('of a session remembers the token where sessions are off now', async () => {
    const world = await createWorld();
    const { accessToken, authentication } = await world.logIn();
    world.configure({ sessions: false });
    await remove(world, { strategy: 'jwt', accessToken });
    await expect(world.service.verifyAccessToken(accessToken)).rejects.toMatchObject({ data: { name: 'TokenRevoked' } });
    expect(storedOf(world, authentication.payload.sid)).toMatchObject({ endedAt: null });
  });

  it('is what a token may do whose scopes are for something else', async () => {
    const world = await createWorld();
    const { id, accessToken } = await world.service.createToken({ entity: 1, scopes: ['orders:find'] });
    await expect(world.service.create({ strategy: 'jwt', accessToken })).rejects.toMatchObject({ code: 403 });
    await expect(remove(world, { strategy: 'jwt', accessToken })).resolves.toHaveProperty('accessToken');
    expect(storedOf(world, id)).toMatchObject({ endedAt: expect.any(Number) });
  });

  it('with a strategy that has no token ends nothing, and says what the strategy gives', async () => {
    const world = await createWorld();
    await world.logIn();
    const own: AuthenticationStrategy = { authenticate: async ({ with: given }) => ({ user: { id: 1 }, ...(given as object) }) };
    world.service.register('own', own);
    world.configure({ authStrategies: ['own'] });
    expect(await remove(world, { strategy: 'own' })).toEqual({ user: { id: 1 } });
    expect(
      await remove(world, { strategy: 'own', with: { authentication: { strategy: 'own', payload: { sid: 5, jti: 5 } } } }),
    ).toHaveProperty('user');
    expect([...world.store.store.values()].map(({ kind, endedAt }) => [kind, endedAt])).toEqual([['session', null]]);
  });
});

describe('logging out with a token that has ended', () => {
  /** A token of a session that ended an hour ago. */
  const outdated = async (world: SessionWorld, change: object = {}): Promise<{ accessToken: string; sid: unknown }> => {
    const { authentication } = await world.logIn();
    const { sid } = authentication.payload;
    const payload = { sid, iat: Math.floor(Date.now() / 1000) - 7200, ...change };
    return { accessToken: await world.service.createAccessToken(payload, { subject: '1', expiresIn: 3600 }), sid };
  };

  it('by itself ends its session, and says what was in it', async () => {
    const world = await createWorld();
    const { accessToken, sid } = await outdated(world);
    const result = await remove(world, { strategy: 'jwt', accessToken });
    expect(result).toEqual({
      accessToken,
      authentication: { strategy: 'jwt', accessToken, payload: expect.objectContaining({ sid, sub: '1' }) },
    });
    expect(storedOf(world, sid)).toMatchObject({ endedAt: expect.any(Number) });
    await expect(remove(world, { strategy: 'jwt', accessToken })).rejects.toMatchObject(ENDED);
  });

  it('by itself and names a session that does not live is 401', async () => {
    const world = await createWorld();
    const { accessToken } = await outdated(world, { sid: 'none' });
    await expect(remove(world, { strategy: 'jwt', accessToken })).rejects.toMatchObject(ENDED);
  });

  it('by itself and that another key has signed is 401', async () => {
    const world = await createWorld();
    const { authentication } = await world.logIn();
    const { sid } = authentication.payload;
    const claims = { sid, iat: Math.floor(Date.now() / 1000) - 7200 };
    const accessToken = await world.service.createAccessToken(
      claims,
      { subject: '1', expiresIn: 3600 },
      'another secret, long enough for this test',
    );
    await expect(remove(world, { strategy: 'jwt', accessToken })).rejects.toMatchObject({ code: 401 });
    expect(storedOf(world, sid)).toMatchObject({ endedAt: null });
  });

  it('by itself is remembered where there are no sessions', async () => {
    const world = await createWorld({ sessions: false });
    const iat = Math.floor(Date.now() / 1000) - 7200;
    const accessToken = await world.service.createAccessToken({ iat }, { subject: '1', expiresIn: 3600 });
    await expect(remove(world, { strategy: 'jwt', accessToken })).resolves.toMatchObject({ accessToken });
    const payload = await world.service.readEndedToken(accessToken);
    expect(await world.service.revokedTokens.isRevoked(payload)).toBe(true);
  });

  it('with its session is 401, and the end is written if it was not', async () => {
    const world = await createWorld();
    const { accessToken, authentication } = await world.logIn();
    const { sid } = authentication.payload;
    let isDown = true;
    breakStore(world, () => isDown);
    await expect(world.service.sessions!.end(String(sid))).rejects.toMatchObject({ code: 503 });
    await expect(remove(world, { strategy: 'jwt', accessToken })).rejects.toMatchObject({ code: 503 });
    isDown = false;
    expect(storedOf(world, sid)).toMatchObject({ endedAt: null });
    await expect(remove(world, { strategy: 'jwt', accessToken })).rejects.toMatchObject(ENDED);
    expect(storedOf(world, sid)).toMatchObject({ endedAt: expect.any(Number) });
  });

  it('with its session is 401, and the others are told of it, whoever wrote it before', async () => {
    const world = await createWorld();
    const { accessToken, authentication } = await world.logIn();
    const { sid } = authentication.payload;
    Object.assign(storedOf(world, sid) as object, { endedAt: 1 });
    const told: unknown[] = [];
    world.service.sessions!.watch((change) => told.push(change));
    await expect(remove(world, { strategy: 'jwt', accessToken })).rejects.toMatchObject(ENDED);
    expect(told).toContainEqual({ kind: 'session', id: sid });
    expect(storedOf(world, 'changes')).toMatchObject({ recent: [{ kind: 'session', id: sid }] });
  });

  it('that a strategy of its own says in another way is 401 as it says', async () => {
    const world = await createWorld();
    const { accessToken, sid } = await outdated(world);
    world.configure({ authStrategies: ['own'] });
    const refusing = (name: string): AuthenticationStrategy => ({
      authenticate: () => Promise.reject(Object.assign(new Error('ended'), { code: 401, data: { name } })),
    });
    world.service.register('own', refusing('SomethingElse'));
    await expect(remove(world, { strategy: 'own', accessToken })).rejects.toThrow('ended');
    for (const name of ['TokenExpiredError', 'SessionEnded']) {
      world.service.register('own', refusing(name));
      await expect(remove(world, { strategy: 'own', accessToken: undefined })).rejects.toThrow('ended');
      await expect(remove(world, { strategy: 'own', accessToken: 5 })).rejects.toThrow('ended');
    }
    expect(storedOf(world, sid)).toMatchObject({ endedAt: null });
  });
});

describe('logging out with a refresh token', () => {
  it('ends its session, and says nothing of whose it was', async () => {
    const world = await createWorld();
    const { accessToken, refreshToken, authentication } = await world.logIn();
    expect(await remove(world, { strategy: 'refresh', refreshToken })).toEqual({ authentication: { strategy: 'refresh' } });
    expect(storedOf(world, authentication.payload.sid)).toMatchObject({ endedAt: expect.any(Number) });
    await expect(world.service.verifyAccessToken(accessToken)).rejects.toMatchObject(ENDED);
    await expect(remove(world, { strategy: 'refresh', refreshToken })).rejects.toMatchObject(INVALID);
  });

  it('of a session that has ended tells the others of it once more', async () => {
    const world = await createWorld();
    const { refreshToken, authentication } = await world.logIn();
    await world.service.sessions!.end(String(authentication.payload.sid));
    const told: unknown[] = [];
    world.service.sessions!.watch((change) => told.push(change));
    await expect(remove(world, { strategy: 'refresh', refreshToken })).rejects.toMatchObject(INVALID);
    expect(told).toContainEqual({ kind: 'session', id: authentication.payload.sid });
  });

  it.each([undefined, 'wrong', 5])('%j is 401', async (refreshToken) => {
    await expect(remove(await createWorld(), { strategy: 'refresh', refreshToken })).rejects.toMatchObject(INVALID);
  });

  it('is 401 where sessions are off', async () => {
    const world = await createWorld();
    const { refreshToken } = await world.logIn();
    world.configure({ sessions: false });
    await expect(remove(world, { strategy: 'refresh', refreshToken })).rejects.toMatchObject(INVALID);
  });

  it('of a cookie is for pages of the server alone', async () => {
    const world = await createWorld({ sessions: { refresh: 'cookie' } });
    const { refreshToken, authentication } = await world.logIn();
    const request = {
      method: 'DELETE',
      path: '/authentication',
      headers: { cookie: `__Host-refresh=${refreshToken}`, host: 'app.example.com' },
    };
    const given = await world.service.parse(request, null, 'jwt');
    const logOut = (headers: object): Promise<unknown> =>
      remove(world, given as AuthenticationRequest, { provider: 'rest', headers: { ...request.headers, ...headers } });
    await expect(logOut({})).rejects.toMatchObject({ code: 403 });
    await expect(logOut({ origin: 'https://evil.example.com' })).rejects.toMatchObject({ code: 403 });
    expect(storedOf(world, authentication.payload.sid)).toMatchObject({ endedAt: null });
    await expect(logOut({ origin: 'https://app.example.com' })).resolves.toEqual({ authentication: { strategy: 'refresh' } });
  });
});
