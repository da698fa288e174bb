import { describesItself, inspectGuards } from '@framework/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OwnSessions, type AuthenticationConfiguration, type OwnSession } from '../../src/index.ts';
import { createWorld, endWorlds, type SessionWorld } from '../session-world.ts';

afterEach(endWorlds);

interface OwnService {
  find(params: object): Promise<OwnSession[]>;
  remove(id: string | null, params: object): Promise<OwnSession | OwnSession[]>;
}

const serviceOf = ({ app }: SessionWorld): OwnService => app.service('authentication/sessions') as unknown as OwnService;
const by = (accessToken: string): object => ({ provider: 'rest', authentication: { strategy: 'jwt', accessToken } });

describe('the sessions of a caller', () => {
  it('are there by the strategies of logins where requests are read by none, and not there without any', async () => {
    const world = await createWorld({ parseStrategies: [] });
    const { accessToken } = await world.logIn();
    await expect(serviceOf(world).find(by(accessToken))).resolves.toHaveLength(1);
    const closed = await createWorld({ authStrategies: [] });
    expect(Object.keys(closed.app.services)).not.toContain('authentication/sessions');
  });

  it('are listed as the caller may know them, with the one of the call marked', async () => {
    const world = await createWorld();
    const login = { address: '192.0.2.1', headers: { 'user-agent': 'B'.repeat(300) } };
    const other = await world.service.create({ strategy: 'name', name: 'Ann' }, login);
    const { accessToken, authentication } = await world.logIn();
    const key = await world.service.createApiKey({ entity: 1, name: 'nightly', scopes: ['*'] });
    await world.logIn('Bob');
    const store = (id: unknown, change: object): unknown => Object.assign(world.store.store.get(String(id)) as object, change);
    const { sid } = authentication.payload;
    const otherId = other.authentication?.payload?.sid;
    const NOW = Date.UTC(2030, 0, 1);
    store(sid, { usedAt: NOW + 2, createdAt: NOW, expiresAt: NOW + 10_000, idleUntil: NOW + 5000 });
    store(otherId, { usedAt: NOW + 1, createdAt: NOW, expiresAt: NOW + 5000, idleUntil: NOW + 10_000, via: 'google' });
    store(key.id, { usedAt: NOW, createdAt: NOW });
    const [day, end] = ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:05.000Z'];
    const list = await serviceOf(world).find(by(accessToken));
    expect(JSON.parse(JSON.stringify(list))).toEqual([
      { id: sid, createdAt: day, usedAt: '2030-01-01T00:00:00.002Z', expiresAt: end, address: null, agent: null, current: true },
      {
        id: otherId,
        via: 'google',
        createdAt: day,
        usedAt: '2030-01-01T00:00:00.001Z',
        expiresAt: end,
        address: '192.0.2.1',
        agent: 'B'.repeat(200),
        current: false,
      },
      {
        id: key.id,
        kind: 'key',
        name: 'nightly',
        scopes: ['*'],
        createdAt: day,
        usedAt: day,
        expiresAt: null,
        address: null,
        agent: null,
        current: false,
      },
    ]);
  });

  it('are not chosen by a query: what it leaves out stays', async () => {
    const world = await createWorld();
    const [own, other] = [await world.logIn(), await world.logIn()];
    const service = serviceOf(world);
    for (const id of [null, String(other.authentication.payload.sid)]) {
      await expect(service.remove(id, { ...by(own.accessToken), query: { current: 'false' } })).rejects.toMatchObject({
        code: 400,
        message: 'A query chooses no sessions: end one by its id, or all without a query',
      });
    }
    await expect(service.find(by(own.accessToken))).resolves.toHaveLength(2);
  });

  it('are given at once: a query that would not be looked at is refused', async () => {
    const world = await createWorld();
    const own = await world.logIn();
    const found = serviceOf(world).find({ ...by(own.accessToken), query: { $limit: '1' } });
    await expect(found).rejects.toMatchObject({ code: 400, message: 'All sessions are given at once: ask for them without a query' });
  });

  it('end one by one, those of the caller alone', async () => {
    const world = await createWorld();
    const [own, other, bob] = [await world.logIn(), await world.logIn(), await world.logIn('Bob')];
    const service = serviceOf(world);
    const id = String(other.authentication.payload.sid);
    expect(await service.remove(id, by(own.accessToken))).toMatchObject({ id, current: false });
    expect((await service.find(by(own.accessToken))).map((one) => one.id)).toEqual([own.authentication.payload.sid]);
    for (const foreign of [String(bob.authentication.payload.sid), id, 'none']) {
      const error = { code: 404, message: 'No session found for this id' };
      await expect(service.remove(foreign, by(own.accessToken))).rejects.toMatchObject(error);
    }
    await expect(world.service.verifyAccessToken(bob.accessToken)).resolves.toBeDefined();
  });

  it('end all together', async () => {
    const world = await createWorld();
    const [own, other, bob] = [await world.logIn(), await world.logIn(), await world.logIn('Bob')];
    const ended = (await serviceOf(world).remove(null, by(own.accessToken))) as OwnSession[];
    expect(ended.map(({ id, current }) => [id, current]).sort()).toEqual(
      [
        [own.authentication.payload.sid, true],
        [other.authentication.payload.sid, false],
      ].sort(),
    );
    for (const { accessToken } of [own, other])
      await expect(world.service.verifyAccessToken(accessToken)).rejects.toMatchObject({ code: 401 });
    await expect(world.service.verifyAccessToken(bob.accessToken)).resolves.toBeDefined();
  });

  it('are for those who are logged in', async () => {
    const world = await createWorld();
    await expect(serviceOf(world).find({ provider: 'rest' })).rejects.toMatchObject({ code: 401 });
    const own = new OwnSessions(() => world.service.sessions!);
    for (const authentication of [undefined, {}, { payload: {} }, { payload: { sub: '' } }, { payload: { sub: 5 } }, { payload: 'x' }]) {
      await expect(own.find({ authentication })).rejects.toMatchObject({ code: 401, message: 'Not authenticated' });
      await expect(own.remove(null, { authentication })).rejects.toMatchObject({ code: 401, message: 'Not authenticated' });
    }
    await expect(own.find({ authentication: { payload: { sub: '1' } } })).resolves.toEqual([]);
  });

  it('tell tools what they are, and send no events', async () => {
    const own = new OwnSessions(() => undefined as never);
    const describe = Reflect.get(own, describesItself) as () => { methods: object };
    expect(describe.call(own).methods).toMatchObject({
      find: { errors: [400, 401, 503] },
      remove: { ids: 'either', errors: [400, 401, 404, 503] },
    });
    expect(own.events).toEqual(['removed']);
  });
});

describe('the store of sessions', () => {
  it('is for the server alone', async () => {
    const world = await createWorld();
    const store = world.app.service('sessions') as unknown as { find(params: object): Promise<unknown> };
    await expect(store.find({ provider: 'rest' })).rejects.toMatchObject({ code: 405, message: 'Sessions are for the server alone' });
    await expect(store.find({})).resolves.toEqual([]);
  });

  it('says so to tools that look for what is open', async () => {
    const { app } = await createWorld();
    for (const method of ['find', 'get', 'create', 'patch', 'remove'])
      expect(inspectGuards(app.service('sessions'), method).map(({ name }) => name)).toEqual(['serverOnly']);
  });
});

describe('sessions and the configuration', () => {
  it('are the same while what they are made of is', async () => {
    const world = await createWorld();
    const { sessions } = world.service;
    const { accessToken } = await world.logIn();
    world.configure({ limiter: false });
    expect(world.service.sessions).toBe(sessions);
    world.configure({ sessions: { idle: '1d' } });
    expect(world.service.sessions).not.toBe(sessions);
    await expect(world.service.verifyAccessToken(accessToken)).resolves.toBeDefined();
    world.configure({ jwtOptions: { audience: 'others' } });
    expect(world.service.sessions?.scope).toEqual({ service: 'authentication', audience: 'others', entity: 'users' });
    world.configure({ sessions: true, jwtOptions: { audience: 'https://yourdomain.com' } });
    expect(world.service.sessions).toBe(sessions);
    world.configure({ sessions: false });
    expect(world.service.sessions).toBeUndefined();
  });

  it('are stored where the option says', async () => {
    const world = await createWorld();
    const written: unknown[] = [];
    world.app.use('logins', {
      id: 'id',
      find: async () => [],
      get: async () => ({}),
      create: async (data: object) => written.push(data),
      patch: async () => ({}),
    } as never);
    world.configure({ sessions: { service: 'logins' } });
    await world.logIn();
    expect(written).toMatchObject([{ kind: 'session', user: '1' }]);
    expect(world.store.store.size).toBe(0);
  });

  it.each<[string, AuthenticationConfiguration, string[]]>([
    ['memory', { sessions: false }, []],
    ['memory, beside sessions', { sessions: false, revocation: 'memory' }, []],
    ['the store of sessions', { sessions: false, revocation: 'store' }, ['revoked', 'changes']],
    ['a service of its own', { sessions: false, revocation: { service: 'sessions' } }, ['revoked', 'changes']],
  ])('remember tokens that were logged out in %s', async (_where, options, kinds) => {
    const world = await createWorld(options);
    const { accessToken, authentication } = await world.logIn();
    await world.service.remove(null, { authentication: { strategy: 'jwt', accessToken } });
    const rows = [...world.store.store.values()];
    expect(rows.map(({ kind }) => kind)).toEqual(kinds);
    if (kinds.length > 0) expect(rows[0]).toMatchObject({ purgeAt: new Date((Number(authentication.payload.exp) + 120) * 1000) });
    const error = { code: 401, message: 'The token was logged out', data: { name: 'TokenRevoked' } };
    await expect(world.service.verifyAccessToken(accessToken)).rejects.toMatchObject(error);
    await expect(world.service.verifyAccessToken((await world.logIn()).accessToken)).resolves.toBeDefined();
  });

  it('remember such tokens with the sessions where both have one store', async () => {
    const world = await createWorld({ revocation: 'store' });
    const { sessions } = world.service;
    await world.service.revokedTokens.revoke({ jti: 'a' });
    expect(await sessions?.isRevoked('a')).toBe(false);
    const [row] = [...world.store.store.values()];
    expect(row).toMatchObject({ kind: 'revoked', purgeAt: null });
    expect(await sessions?.isRevoked(String(row?.id).replace('revoked:', ''))).toBe(true);
    expect(await world.service.revokedTokens.isRevoked({ jti: 'a' })).toBe(true);
    expect(await world.service.revokedTokens.isRevoked({ jti: 'b' })).toBe(false);
  });
});

describe('what is stored of a session', () => {
  it('is all that it needs, and nothing that lets anybody in', async () => {
    const world = await createWorld();
    const { accessToken, refreshToken } = await world.logIn();
    const [row] = [...world.store.store.values()] as Record<string, unknown>[];
    expect(row).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      service: 'authentication',
      audience: 'https://yourdomain.com',
      entity: 'users',
      kind: 'session',
      user: '1',
      epoch: 0,
      key: expect.stringMatching(/^[\w-]{43}$/),
      secrets: [{ field: 'password', marks: [expect.stringMatching(/^[\w-]{22}$/)] }],
      createdAt: expect.any(Number),
      usedAt: row?.createdAt,
      expiresAt: Number(row?.createdAt) + 30 * 24 * 3_600_000,
      idleUntil: Number(row?.createdAt) + 14 * 24 * 3_600_000,
      endedAt: null,
      refresh: expect.stringMatching(/^[\w-]{43}$/),
      previous: null,
      rotatedAt: null,
      writtenBy: expect.stringMatching(/^[\w-]{22}$/),
      client: null,
      answered: null,
      address: null,
      agent: null,
      name: null,
      scopes: null,
      purgeAt: new Date(Number(row?.expiresAt) + 24 * 3_600_000),
    });
    const [, secret = ''] = refreshToken.split('.');
    for (const text of [accessToken, secret, 'secret of Ann']) expect(JSON.stringify(row)).not.toContain(text);
  });

  it('has no refresh token, and lives to its end, where there are none', async () => {
    const world = await createWorld({ sessions: { refresh: false, maxAge: '1d', idle: '2h' } });
    await world.logIn();
    const [row] = [...world.store.store.values()] as Record<string, unknown>[];
    expect(row).toMatchObject({ refresh: null, idleUntil: row?.expiresAt, expiresAt: Number(row?.createdAt) + 24 * 3_600_000 });
  });

  it('lives no longer idle than at all', async () => {
    const world = await createWorld({ sessions: { maxAge: '1d', idle: '2d' } });
    await world.logIn();
    const [row] = [...world.store.store.values()] as Record<string, unknown>[];
    expect(row?.idleUntil).toBe(row?.expiresAt);
  });

  it('of a key is its digest, and no end unless it has one', async () => {
    const world = await createWorld();
    const { id, key } = await world.service.createApiKey({ entity: 1, name: 'nightly', scopes: ['a:find'] });
    const row = world.store.store.get(id);
    expect(row).toMatchObject({
      kind: 'key',
      user: '1',
      name: 'nightly',
      scopes: ['a:find'],
      refresh: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: null,
      idleUntil: null,
      purgeAt: null,
    });
    expect(JSON.stringify(row)).not.toContain(key.slice(-43));
  });
});
