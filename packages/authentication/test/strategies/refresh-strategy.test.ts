import { afterEach, describe, expect, it } from '@jest/globals';
import { RefreshStrategy, type AuthenticationConfiguration, type AuthenticationParams } from '../../src/index.ts';
import { createWorld, endWorlds, type LoggedIn, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

const INVALID = { code: 401, message: 'Invalid refresh token' };

const refresh = ({ service }: SessionWorld, refreshToken: unknown, params: AuthenticationParams = {}): Promise<LoggedIn> =>
  service.create({ strategy: 'refresh', refreshToken }, params) as unknown as Promise<LoggedIn>;
const cookie = (token: string): AuthenticationParams => ({ headers: { cookie: `__Host-refresh=${token}` } });

describe('what tools are told of the refresh strategy', () => {
  const inBody = { login: { properties: { refreshToken: { type: 'string' } }, required: ['refreshToken'] } };
  const inCookie = { login: { properties: {}, required: [] } };

  it.each<[string, AuthenticationConfiguration, object]>([
    ['in the body', { sessions: true }, inBody],
    ['in the body, where the cookie is for the access token alone', { sessions: { refresh: false, cookie: true } }, inBody],
    ['in a cookie', { sessions: { refresh: 'cookie' } }, inCookie],
  ])('is where its token is: %s', async (_where, options, description) => {
    const { service } = await createWorld(options);
    expect((service.getStrategy('refresh') as RefreshStrategy).describe()).toEqual(description);
  });

  it('is that it takes a token in the body before it knows of sessions', async () => {
    expect(new RefreshStrategy().describe()).toEqual(inBody);
    const { service } = await createWorld({ sessions: false });
    const strategy = new RefreshStrategy();
    service.register('refresh', strategy);
    expect(strategy.describe()).toEqual(inBody);
  });
});

describe('refreshing', () => {
  it('gives other tokens of the same session, and the user', async () => {
    const world = await createWorld();
    const first = await world.logIn('Bob');
    const second = await refresh(world, first.refreshToken);
    expect(second).toMatchObject({ authentication: { strategy: 'refresh' }, user: { id: 2, name: 'Bob' } });
    const { sid, sub } = second.authentication.payload;
    expect({ sid, sub }).toEqual({ sid: first.authentication.payload.sid, sub: '2' });
    expect([second.accessToken, second.refreshToken]).not.toContain(first.refreshToken);
    expect(second.accessToken).not.toBe(first.accessToken);
    await expect(world.service.verifyAccessToken(second.accessToken)).resolves.toMatchObject({ sub: '2' });
  });

  it('works without an entity, and names nobody', async () => {
    const world = await createWorld({ entity: null });
    const { refreshToken } = await world.logIn();
    const second = await refresh(world, refreshToken);
    expect(second).not.toHaveProperty('user');
    expect(second.authentication.payload).not.toHaveProperty('sub');
    expect(world.userCalls).toEqual([]);
  });

  it.each([undefined, '', 5, 'wrong', 'a.b.c', null, {}])('with %j is 401', async (token) => {
    await expect(refresh(await createWorld(), token)).rejects.toMatchObject(INVALID);
  });

  it('reads the token from where the options have it, and from nowhere else', async () => {
    const world = await createWorld({ sessions: { refresh: 'cookie' } });
    const { refreshToken } = await world.logIn();
    await expect(refresh(world, refreshToken)).rejects.toMatchObject(INVALID);
    await expect(refresh(world, undefined, cookie(refreshToken))).resolves.toMatchObject({ user: { id: 1 } });
    const inBody = await createWorld();
    const own = await inBody.logIn();
    await expect(refresh(inBody, undefined, cookie(own.refreshToken))).rejects.toMatchObject(INVALID);
  });

  it('is 401 where sessions are off, and where they have no refresh tokens', async () => {
    const world = await createWorld();
    const { refreshToken } = await world.logIn();
    const strategy = world.service.getStrategy('refresh') as RefreshStrategy;
    world.configure({ sessions: { refresh: false } });
    await expect(strategy.authenticate({ refreshToken }, {})).rejects.toMatchObject(INVALID);
    await expect(refresh(world, refreshToken)).rejects.toMatchObject({ code: 401, message: expect.stringContaining('not allowed') });
    world.configure({ sessions: false });
    await expect(strategy.authenticate({ refreshToken }, {})).rejects.toMatchObject({ code: 401, message: 'Sessions are off' });
    await expect(new RefreshStrategy().authenticate({ refreshToken }, {})).rejects.toMatchObject({ message: 'Sessions are off' });
  });

  it('for a user whose password was changed behind the back of everybody is 401, and ends the session for good', async () => {
    const world = await createWorld();
    const { refreshToken, authentication } = await world.logIn();
    const before = world.users.store.get('1') as object;
    world.users.store.set('1', { ...before, password: 'another' });
    await expect(refresh(world, refreshToken)).rejects.toMatchObject(INVALID);
    expect(world.store.store.get(String(authentication.payload.sid))).toMatchObject({ endedAt: expect.any(Number), refresh: null });
    world.users.store.set('1', { ...before });
    await expect(refresh(world, refreshToken)).rejects.toMatchObject(INVALID);
  });

  it('for such a user is 401 also where the end of the session can not be written', async () => {
    const world = await createWorld();
    const { refreshToken } = await world.logIn();
    world.users.store.set('1', { ...world.users.store.get('1'), password: 'another' });
    world.app.service('sessions').hooks({
      before: {
        patch: [
          () => {
            throw new Error('no database');
          },
        ],
      },
    });
    await expect(refresh(world, refreshToken)).rejects.toMatchObject(INVALID);
  });

  it.each([
    ['removed', (world: SessionWorld) => world.users.store.delete('1')],
    ['disabled', (world: SessionWorld) => world.users.store.set('1', { ...world.users.store.get('1'), disabled: true })],
  ])('for a user who was %s is 401, and uses nothing up', async (_what, change) => {
    const world = await createWorld();
    const { refreshToken, authentication } = await world.logIn();
    const stored = { ...world.store.store.get(String(authentication.payload.sid)) };
    change(world);
    await expect(refresh(world, refreshToken)).rejects.toMatchObject({ code: 401, message: 'invalid token' });
    expect(world.store.store.get(String(authentication.payload.sid))).toEqual(stored);
  });
});
