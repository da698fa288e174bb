import { AuthenticationService, JWTStrategy, MemoryLimiterStore, type LimiterOptions } from '@framework/authentication';
import { framework, type Application } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { hashPassword, LocalStrategy } from '../src/index.ts';

const RIGHT = 'right password';

async function createApp(
  limiter: LimiterOptions | false = { account: { attempts: 3, window: '15m' }, address: { attempts: 6, window: 60 } },
) {
  const app = framework() as Application;
  app.set('authentication', {
    secret: 'a secret that is long enough for tests 42',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
    limiter,
  });
  app.use('users', new MemoryService({ startId: 1 }));
  app.service('users').hooks({ before: { create: [hashPassword('password')] } });
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
  for (const name of ['ann', 'bob']) await app.service('users').create({ email: `${name}@b.c`, password: RIGHT });
  const events: [string, unknown][] = [];
  for (const name of ['login-failed', 'lockout']) app.on(name, (event: unknown) => events.push([name, event]));
  /** The status of a login. */
  const login = async (email: string, password: string, address = '192.0.2.1'): Promise<number | { retryAfter: number }> => {
    try {
      await service.create({ strategy: 'local', email, password }, { provider: 'rest', address });
      return 201;
    } catch (error) {
      const { code, data } = error as { code: number; data?: { retryAfter: number } };
      return code === 429 && data ? data : code;
    }
  };
  return { app, service, events, login };
}

describe('S22 the login limiter', () => {
  it('locks an account after some logins that fail, for the right password too', async () => {
    const { login } = await createApp();
    for (let round = 0; round < 3; round++) expect(await login('ann@b.c', 'wrong')).toBe(401);
    expect(await login('ann@b.c', 'wrong')).toEqual({ retryAfter: 900 });
    expect(await login('ann@b.c', RIGHT)).toEqual({ retryAfter: 900 });
    expect(await login('bob@b.c', RIGHT)).toBe(201);
  });

  it('counts an account from all addresses together, as it was found, in whatever spelling', async () => {
    const { app, login } = await createApp();
    // As a database with a collation that looks neither at case nor at accents.
    app.service('users').hooks({
      before: {
        find: [
          (context) => {
            const { email, ...query } = context.params.query ?? {};
            const plain = String(email).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
            context.params.query = { ...query, email: plain };
          },
        ],
      },
    });
    expect(await login('ann@b.c', 'wrong', '192.0.2.1')).toBe(401);
    expect(await login('ANN@B.C', 'wrong', '192.0.2.2')).toBe(401);
    expect(await login('änn@b.c', 'wrong', '192.0.2.3')).toBe(401);
    expect(await login('ånn@b.c', RIGHT, '192.0.2.4')).toEqual({ retryAfter: 900 });
  });

  it('counts unknown accounts by their text in one spelling', async () => {
    const { login } = await createApp();
    for (const [index, email] of ['nobody@b.c', 'NOBODY@b.c', ' nobody@b.c '].entries())
      expect(await login(email, 'wrong', `192.0.2.${index}`)).toBe(401);
    expect(await login('nobody@b.c', 'wrong', '192.0.2.9')).toEqual({ retryAfter: 900 });
  });

  it('S23 holds back other spellings of accounts that are there as those of accounts that are not', async () => {
    const { login } = await createApp();
    const statuses: unknown[][] = [];
    for (const [index, name] of ['ann', 'nobody'].entries()) {
      const tried: unknown[] = [];
      for (const email of [
        `${name}@b.c`,
        `${name}@b.c`,
        `${name}@b.c`,
        `${name.toUpperCase()}@b.c`,
        `${name.replace('n', 'ñ')}@b.c`,
        `${name}@b.c`,
      ])
        tried.push(await login(email, 'wrong', `192.0.2.${index}`));
      statuses.push(tried);
    }
    const heldBack = { retryAfter: 900 };
    expect(statuses).toEqual([1, 2].map(() => [401, 401, 401, heldBack, heldBack, heldBack]));
  });

  it('S23 holds back accounts that are there after tries of other spellings as it does those that are not', async () => {
    const { login } = await createApp();
    for (const [index, name] of ['ann', 'nobody'].entries()) {
      for (let round = 0; round < 3; round++) expect(await login(`${name.toUpperCase()}@b.c`, 'wrong', `192.0.2.${index}`)).toBe(401);
      expect(await login(`${name}@b.c`, 'wrong', `192.0.2.${index}`)).toEqual({ retryAfter: 900 });
    }
  });

  it('counts nothing for an account while the address is held back', async () => {
    const { login } = await createApp({ account: { attempts: 3, window: '15m' }, address: { attempts: 2, window: '15m' } });
    for (const name of ['x', 'y']) expect(await login(`${name}@b.c`, 'wrong', '192.0.2.7')).toBe(401);
    for (let round = 0; round < 20; round++) expect(await login('ann@b.c', 'wrong', '192.0.2.7')).toEqual({ retryAfter: 900 });
    expect(await login('ann@b.c', RIGHT, '192.0.2.8')).toBe(201);
  });

  it('makes the next login wait longer and longer by default, up to the window', async () => {
    const { login } = await createApp({ account: { attempts: 2, window: 60, delay: 1 } });
    const clock = jest.spyOn(Date, 'now');
    let now = 1_800_000_000_000;
    clock.mockImplementation(() => now);
    try {
      const waits: number[] = [];
      expect(await login('bob@b.c', 'wrong')).toBe(401);
      for (let round = 0; round < 9; round++) {
        expect(await login('bob@b.c', 'wrong')).toBe(401);
        const { retryAfter } = (await login('bob@b.c', RIGHT)) as { retryAfter: number };
        waits.push(retryAfter);
        now += retryAfter * 1000;
      }
      expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
      expect(await login('bob@b.c', RIGHT)).toBe(201);
      expect(await login('bob@b.c', 'wrong')).toBe(401);
      expect(await login('bob@b.c', 'wrong')).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });

  it('locks an address after logins to many accounts, and IPv6 addresses by their network', async () => {
    const { login } = await createApp();
    for (let round = 0; round < 6; round++) expect(await login(`nobody${round}@b.c`, 'wrong', '::ffff:192.0.2.9')).toBe(401);
    expect(await login('bob@b.c', RIGHT, '192.0.2.9')).toEqual({ retryAfter: 60 });
    for (let round = 0; round < 6; round++) expect(await login(`somebody${round}@b.c`, 'wrong', `2001:db8::${round}`)).toBe(401);
    expect(await login('bob@b.c', RIGHT, '2001:db8:0:0:ffff::1')).toEqual({ retryAfter: 60 });
    expect(await login('bob@b.c', RIGHT, '2001:db8:0:1::1')).toBe(201);
  });

  it('starts anew after a login that succeeds, and does not count that', async () => {
    const { login } = await createApp();
    for (let round = 0; round < 10; round++) {
      expect(await login('ann@b.c', 'wrong', `192.0.2.${round}`)).toBe(401);
      expect(await login('ann@b.c', RIGHT)).toBe(201);
    }
  });

  it('is not passed by many attempts at once', async () => {
    const { login } = await createApp();
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => login('ann@b.c', 'wrong', `192.0.2.${index}`)));
    expect(results.filter((status) => status === 401)).toHaveLength(3);
  });

  it('counts for the authenticate method and for calls on the server too', async () => {
    const { service, login } = await createApp();
    const data = { strategy: 'local', email: 'ann@b.c', password: 'wrong' };
    for (let round = 0; round < 3; round++) await expect(service.authenticate(data, {}, 'local')).rejects.toMatchObject({ code: 401 });
    await expect(service.create(data)).rejects.toMatchObject({ code: 429 });
    expect(await login('ann@b.c', RIGHT)).toEqual({ retryAfter: 900 });
  });

  it('ends with its window', async () => {
    const { login } = await createApp({ account: { attempts: 1, window: 60 } });
    const clock = jest.spyOn(Date, 'now');
    const begun = 1_800_000_000_000;
    try {
      clock.mockReturnValue(begun);
      expect(await login('ann@b.c', 'wrong')).toBe(401);
      clock.mockReturnValue(begun + 59_001);
      expect(await login('ann@b.c', RIGHT)).toEqual({ retryAfter: 1 });
      clock.mockReturnValue(begun + 60_000);
      expect(await login('ann@b.c', RIGHT)).toBe(201);
    } finally {
      clock.mockRestore();
    }
  });

  it('has bounds by default, and can be turned off', async () => {
    const on = await createApp({});
    for (let round = 0; round < 10; round++) expect(await on.login('ann@b.c', 'wrong')).toBe(401);
    expect(await on.login('ann@b.c', RIGHT)).toEqual({ retryAfter: 1 });
    const off = await createApp(false);
    for (let round = 0; round < 12; round++) expect(await off.login('ann@b.c', 'wrong')).toBe(401);
    expect(await off.login('ann@b.c', RIGHT)).toBe(201);
    // Failures are told all the same.
    expect(off.events).toHaveLength(12);
  });

  it('counts wrong tokens of a login for their address, and no lists, which are no logins', async () => {
    const { service, login } = await createApp();
    const wrong = (data: object) => service.create(data as never, { provider: 'rest', address: '192.0.2.1' });
    for (let round = 0; round < 10; round++) await expect(wrong([{ strategy: 'local' }])).rejects.toMatchObject({ code: 400 });
    expect(await login('ann@b.c', RIGHT)).toBe(201);
    for (let round = 0; round < 6; round++) {
      await expect(wrong({ strategy: 'jwt', accessToken: 'x' })).rejects.toMatchObject({ code: 401 });
    }
    await expect(wrong({ strategy: 'jwt', accessToken: 'x' })).rejects.toMatchObject({ code: 429 });
    expect(await login('ann@b.c', RIGHT)).toMatchObject({ retryAfter: expect.any(Number) });
    expect(await login('ann@b.c', RIGHT, '192.0.2.2')).toBe(201);
  });

  it('S46 refuses logins with 503 when it can not count', async () => {
    const broken = new MemoryLimiterStore();
    broken.attempt = () => Promise.reject(new Error('no database'));
    const { login } = await createApp({ store: broken });
    expect(await login('ann@b.c', RIGHT)).toBe(503);
  });

  it('S45 tells of failures and locks, with no name and no password', async () => {
    const { login, events } = await createApp();
    for (let round = 0; round < 5; round++) await login('ann@b.c', 'the wrong password\r\nforged line');
    const account = (events[0]?.[1] as { account: string }).account;
    const failed = ['login-failed', { strategy: 'local', account, address: '192.0.2.1' }];
    expect(events).toEqual([failed, failed, failed, ['lockout', { ...(failed[1] as object), retryAfter: 900 }]]);
    expect(JSON.stringify(events)).not.toMatch(/ann|wrong|\\r|\\n/);
  });
});

describe('S22 accounts of two services that have the same id', () => {
  const STORE = { account: { attempts: 3, window: '15m' }, address: false as const };
  const local = { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } };
  const settings = { secret: 'a secret that is long enough for tests 42', entity: 'user', authStrategies: ['local', 'admin'], local };

  async function withPeople(): Promise<Application> {
    const app = framework() as Application;
    for (const path of ['users', 'admins']) {
      app.use(path, new MemoryService({ startId: 1 }));
      app.service(path).hooks({ before: { create: [hashPassword('password')] } });
    }
    return app;
  }

  /** Tries passwords of the administrator, and logs in as the user with the same id in between. */
  async function statuses(app: Application, service: AuthenticationService, admins: AuthenticationService, strategy: string) {
    await app.service('users').create({ email: 'user@b.c', password: RIGHT });
    await app.service('admins').create({ email: 'admin@b.c', password: RIGHT });
    const tried: unknown[] = [];
    for (let round = 0; round < 5; round++) {
      await service.create({ strategy: 'local', email: 'user@b.c', password: RIGHT }, { provider: 'rest' });
      const trial = admins.create({ strategy, email: 'admin@b.c', password: 'wrong' }, { provider: 'rest' });
      tried.push(await trial.catch((error: unknown) => (error as { code: number }).code));
    }
    return tried;
  }

  it('are counted each for itself where a strategy has a service of its own', async () => {
    const app = await withPeople();
    app.set('authentication', { ...settings, service: 'users', admin: { ...local, service: 'admins' }, limiter: STORE });
    const service = new AuthenticationService(app);
    for (const name of ['local', 'admin']) service.register(name, new LocalStrategy());
    app.use('authentication', service);
    expect(await statuses(app, service, service, 'admin')).toEqual([401, 401, 401, 429, 429]);
  });

  it('are counted each for itself where two authentication services share store and secret', async () => {
    const app = await withPeople();
    const limiter = { ...STORE, store: new MemoryLimiterStore() };
    const [service, admins] = (['users', 'admins'] as const).map((path) => {
      app.set(`${path}Authentication`, { ...settings, authStrategies: ['local'], service: path, limiter });
      const authentication = new AuthenticationService(app, `${path}Authentication`);
      authentication.register('local', new LocalStrategy());
      app.use(`${path}-authentication`, authentication);
      return authentication;
    });
    expect(await statuses(app, service!, admins!, 'local')).toEqual([401, 401, 401, 429, 429]);
  });
});
