import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { framework, type Application, type HookContext } from '@framework/core';
import { BadRequest, Conflict } from '@framework/errors';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it, jest } from '@jest/globals';
import bcrypt from 'bcryptjs';
import { hashPassword, hooks, LocalStrategy, passwordHash, protect, type HashEvent } from '../src/index.ts';
import { CONCURRENCY, inTurn, QUEUE_LENGTH } from '../src/password/hash-queue.ts';
import { EqualWork } from '../src/password/equal-work.ts';
import { MOST_PASSWORDS } from '../src/password/one-by-one.ts';
import { DEFAULT_COST, hashPassword as makeHash } from '../src/password/password-hash.ts';

const comparePassword = (password: string, hash: unknown) => new EqualWork(DEFAULT_COST, []).compare(password, hash);

interface UserRow {
  id: number;
  email: string;
  password?: string;
  [name: string]: unknown;
}

function createApp(local: object = { usernameField: 'email', passwordField: 'password' }, more: object = {}) {
  const app = framework() as Application;
  app.set('authentication', {
    secret: 'a secret that is long enough for tests 42',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local,
    ...more,
  });
  const users = new MemoryService({ startId: 1 });
  app.use('users', users);
  const calls: HookContext[] = [];
  app.service('users').hooks({
    before: {
      all: [
        (context) => {
          calls.push(context as HookContext);
        },
      ],
      create: [hashPassword('password')],
      patch: [hashPassword('password')],
    },
  });
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
  return { app, service, users, calls };
}

const outside = { provider: 'rest' };

it.each<[unknown, string | undefined]>([
  [{ timeCost: 0 }, "'authentication.local.hashCost.timeCost' must be a whole number of 1 or more"],
  [{ memoryCost: '64' }, "'authentication.local.hashCost.memoryCost' must be a whole number of 8 or more"],
  [{ memoryCost: 64, parallelism: 9 }, "'authentication.local.hashCost.memoryCost' must be a whole number of 72 or more"],
  [{ parallelism: 1.5 }, "'authentication.local.hashCost.parallelism' must be"],
  [{ memoryCost: 2 ** 32 }, "'authentication.local.hashCost.memoryCost' must be"],
  [{ memory: 64 }, "'authentication.local.hashCost' has no option 'memory'. It has memoryCost, timeCost, parallelism"],
  [12, "'authentication.local.hashCost' must be an object"],
  [{ memoryCost: 8, timeCost: 1, parallelism: 1 }, undefined],
  [{}, undefined],
])('a cost of %j with which no password could be hashed, or which is not meant, is refused at once', async (hashCost, message) => {
  const create = (): ReturnType<typeof createApp> => createApp({ usernameField: 'email', passwordField: 'password', hashCost });
  if (message !== undefined) expect(create).toThrow(message);
  else await expect(create().app.service('users').create({ email: 'a@b.c', password: 'pw' })).resolves.toMatchObject({ id: 1 });
});

it('S25 hooks of the users, and what they print, find no hash in the parameters of a login', async () => {
  const { app, service, calls } = createApp();
  await app.service('users').create({ email: 'a@b.c', password: 'pw' });
  await service.create({ strategy: 'local', email: 'a@b.c', password: 'pw' }, outside);
  const methods = calls.map(({ method, params }) => [method, inspect(params, { depth: 9 }).includes('$argon2')]);
  expect(methods).toEqual([
    ['create', false],
    ['find', false],
    ['get', false],
    ['get', false],
  ]);
  for (const { params } of calls) expect(inspect({ ...params }, { depth: 9 })).not.toContain('$argon2');
});

/** The hashing that is done meanwhile, by kind and cost. */
async function hashWork(run: () => Promise<unknown>): Promise<string[]> {
  const works: string[] = [];
  const note = (event: unknown): void => void works.push((event as HashEvent).work);
  subscribe('framework:password-hash', note);
  await run();
  unsubscribe('framework:password-hash', note);
  return works.sort();
}

const login = (email: unknown, password: unknown) => ({ strategy: 'local', email, password });

describe("a class of one's own", () => {
  /** Compares in clear, and says so as functions that compare do. */
  const comparing = (say: (isRight: boolean) => unknown) =>
    class extends LocalStrategy {
      override async comparePassword(entity: Readonly<Record<string, unknown>>, password: string) {
        const hash = String(entity.password);
        return say(hash !== '' && hash === password) as typeof entity;
      }
    };
  const attempt = async (strategy: LocalStrategy, email: string, password: string) => {
    const { service, users } = createApp();
    users.store.set('1', { id: 1, email: 'a@b.c', password: 'right' });
    service.register('local', strategy);
    return service.create(login(email, password), outside);
  };
  const refused = { code: 401, message: 'Invalid login' };

  it.each<[string, (isRight: boolean) => unknown]>([
    ['false', (isRight) => isRight],
    ['null', (isRight) => (isRight ? {} : null)],
    ['an empty text', (isRight) => (isRight ? 'yes' : '')],
  ])('that compares passwords may say by %s that one is wrong', async (_what, say) => {
    const Comparing = comparing(say);
    await expect(attempt(new Comparing(), 'a@b.c', 'wrong')).rejects.toMatchObject(refused);
    await expect(attempt(new Comparing(), 'x@y.z', 'undefined')).rejects.toMatchObject(refused);
    expect(await attempt(new Comparing(), 'a@b.c', 'right')).toMatchObject({ user: { id: 1 } });
  });

  it('that compares passwords may throw, and give nothing otherwise', async () => {
    const Comparing = comparing((isRight) => {
      if (!isRight) throw new Conflict('another');
    });
    await expect(attempt(new Comparing(), 'a@b.c', 'wrong')).rejects.toMatchObject({ code: 409 });
    expect(await attempt(new Comparing(), 'a@b.c', 'right')).toMatchObject({ user: { id: 1 } });
  });

  it.each([undefined, null, false])('S23 that finds entities may give %j for a user who is not there', async (nobody) => {
    class Finding extends LocalStrategy {
      override async findEntity(username: string, params: object) {
        return username === 'a@b.c' ? super.findEntity(username, params) : (nobody as never);
      }
    }
    const work = await hashWork(() => expect(attempt(new Finding(), 'x@y.z', 'wrong')).rejects.toMatchObject(refused));
    expect(work).not.toEqual([]);
    expect(work).toEqual(await hashWork(() => expect(attempt(new Finding(), 'a@b.c', 'wrong')).rejects.toMatchObject(refused)));
  });
});

describe('login (interface 5.1)', () => {
  it('gives a token and the entity without its hash', async () => {
    const { app, service } = createApp();
    await app.service('users').create({ email: 'a@b.c', password: 'right password' });
    const result = await service.create(login('a@b.c', 'right password'), outside);
    expect(result).toMatchObject({ user: { id: 1, email: 'a@b.c' }, authentication: { strategy: 'local', payload: { sub: '1' } } });
    expect(JSON.stringify(result)).not.toMatch(/\$argon2|password/);
  });

  it('S25 stores argon2id, and no hash is in an answer, an event or the JSON of params.user', async () => {
    const { app, service, users } = createApp();
    const created = (await app.service('users').create({ email: 'a@b.c', password: 'right password' })) as UserRow;
    expect((users.store.get('1') as unknown as UserRow).password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(created.password).toBeDefined();
    await app.setup();
    const events: unknown[] = [];
    app.on('login', (result: unknown) => {
      events.push(result);
    });
    const { accessToken } = await (app.service('authentication') as unknown as AuthenticationService).create(
      login('a@b.c', 'right password'),
      outside,
    );
    expect(JSON.stringify(events)).not.toContain('$argon2');
    const internal = await service.authenticate({ strategy: 'jwt', accessToken }, {}, 'jwt');
    expect(JSON.stringify(internal)).not.toContain('$argon2');
    expect((internal.user as UserRow).password).toMatch(/^\$argon2id/);
  });

  it('S23 gives the same answer for an unknown user, a wrong password, a disabled user and a user without one (interface 7)', async () => {
    const { app, service, users } = createApp();
    await app.service('users').create({ email: 'a@b.c', password: 'right password' });
    users.store.set('2', { id: 2, email: 'none@b.c' });
    await app.service('users').create({ email: 'off@b.c', password: 'right password', disabled: true });
    const answers = await Promise.all(
      [
        login('a@b.c', 'wrong password'),
        login('nobody@b.c', 'wrong password'),
        login('none@b.c', 'wrong password'),
        login('a@b.c', ''),
        login('off@b.c', 'right password'),
      ].map((data) => service.create(data, outside).catch((error: unknown) => JSON.stringify(error))),
    );
    expect(new Set(answers)).toEqual(
      new Set(['{"name":"NotAuthenticated","message":"Invalid login","code":401,"className":"not-authenticated"}']),
    );
  });

  it('a password that was stored as it came is told once to whoever runs the server, and never to callers', async () => {
    const { app, service, users } = createApp();
    const warnings: unknown[][] = [];
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation((...given) => void warnings.push(given));
    try {
      await app.service('users').create({ email: 'a@b.c', password: 'right password' });
      users.store.set('2', { id: 2, email: 'none@b.c' });
      for (const data of [login('a@b.c', 'wrong password'), login('none@b.c', 'pw'), login('nobody@b.c', 'pw')])
        await expect(service.create(data, outside)).rejects.toMatchObject({ code: 401 });
      expect(warnings).toEqual([]);
      users.store.set('3', { id: 3, email: 'clear@b.c', password: 'in clear text' });
      for (const password of ['in clear text', 'wrong password'])
        await expect(service.create(login('clear@b.c', password), outside)).rejects.toMatchObject({ code: 401, message: 'Invalid login' });
    } finally {
      warn.mockRestore();
    }
    expect(warnings).toEqual([
      [
        "A login failed since 'password' of a record of 'users' is no hash: it was stored as it came. Hash it by the hook " +
          "hashPassword('password'), before create, update and patch of that service, and change what is stored already",
        { code: 'PASSWORD_NOT_HASHED' },
      ],
    ]);
  });

  it.each([[{ $ne: null }], [{ $gt: '' }], [{ $in: [] }], [['a@b.c']], [5], [true], [null], [undefined], [{}]])(
    'S5 refuses %j as username or password with the same 401, without a query',
    async (value) => {
      const { app, service, calls } = createApp();
      await app.service('users').create({ email: 'a@b.c', password: 'right password' });
      calls.length = 0;
      for (const data of [login(value, 'right password'), login('a@b.c', value)]) {
        await expect(service.create(data, outside)).rejects.toMatchObject({ code: 401, message: 'Invalid login' });
      }
      expect(calls).toEqual([]);
    },
  );

  it('S25 refuses a password of 1 MiB with 400, for everybody alike and without any work', async () => {
    const { app, service, calls } = createApp();
    await app.service('users').create({ email: 'a@b.c', password: 'right password' });
    calls.length = 0;
    const work = await hashWork(async () => {
      for (const email of ['a@b.c', 'nobody@b.c']) {
        const error = { code: 400, message: 'The password is too long' };
        await expect(service.create(login(email, 'x'.repeat(1024 * 1024)), outside)).rejects.toMatchObject(error);
      }
    });
    expect([work, calls]).toEqual([[], []]);
    await expect(app.service('users').create({ email: 'b@b.c', password: 'x'.repeat(1025) })).rejects.toMatchObject({ code: 400 });
  });

  it('finds users in pages and in arrays, by dotted fields', async () => {
    const { app, service, users } = createApp({
      usernameField: 'login.name',
      passwordField: 'login.secret',
      entityUsernameField: 'email',
      entityPasswordField: 'password',
      errorMessage: 'No',
    });
    users.options.paginate = { default: 5 };
    await app.service('users').create({ email: 'a@b.c', password: 'right password' });
    await expect(service.create({ strategy: 'local', login: { name: 'a@b.c', secret: 'right password' } })).resolves.toMatchObject({
      user: { id: 1 },
    });
    await expect(service.create({ strategy: 'local', login: { name: 'a@b.c', secret: 'x' } })).rejects.toThrow('No');
  });

  it('needs its settings', () => {
    expect(() => createApp({ usernameField: 'email' })).toThrow("'local' authentication strategy requires a 'passwordField' setting");
    expect(() => createApp({})).toThrow("requires a 'usernameField' setting");
    const needed = { usernameField: 'email', passwordField: 'password' };
    for (const name of ['usernameField', 'passwordField', 'entityUsernameField', 'entityPasswordField'])
      expect(() => createApp({ ...needed, [name]: '' })).toThrow(`'authentication.local.${name}' must be the name of a property`);
    expect(() => createApp({ ...needed, entityPasswordField: null })).toThrow("'authentication.local.entityPasswordField' must be");
    expect(() => createApp({ ...needed, errorMessage: 5 })).toThrow("'authentication.local.errorMessage' must be a text");
    for (const formerHashes of ['$2b$10', null, [5]])
      expect(() => createApp({ ...needed, formerHashes })).toThrow(
        "'authentication.local.formerHashes' must be a list of beginnings of hashes",
      );
  });

  it('takes options that are undefined for left out', () => {
    const needed = { usernameField: 'email', passwordField: 'password' };
    const missing = { entityUsernameField: undefined, entityPasswordField: undefined, errorMessage: undefined, formerHashes: undefined };
    const { service } = createApp({ ...needed, ...missing });
    const { configuration } = service.getStrategy('local') as LocalStrategy;
    expect(configuration).toMatchObject({ entityUsernameField: 'email', entityPasswordField: 'password', errorMessage: 'Invalid login' });
    expect(configuration.formerHashes).toEqual([]);
  });
});

describe('S23 the work of a login', () => {
  const COST = { memoryCost: 64, timeCost: 1 };
  const ARGON = '$argon2id$v=19$m=64,t=1,p=1';
  const OLD = '$argon2id$v=19$m=32,t=1,p=1';

  async function createUsers(local: object = {}) {
    const made = createApp({ usernameField: 'email', passwordField: 'password', hashCost: COST, ...local }, { limiter: false });
    const { app, users } = made;
    await app.service('users').create({ email: 'known@b.c', password: 'right password' });
    await app.service('users').create({ email: 'off@b.c', password: 'right password', disabled: true });
    users.store.set('none', { id: 'none', email: 'none@b.c' });
    users.store.set('bcrypt', { id: 'bcrypt', email: 'bcrypt@b.c', password: await bcrypt.hash('right password', 4) });
    const old = await makeHash('right password', { memoryCost: 32, timeCost: 1, parallelism: 1 });
    users.store.set('old', { id: 'old', email: 'old@b.c', password: old });
    return made;
  }

  const kinds: [kind: string, email: string, password: string][] = [
    ['an unknown user', 'nobody@b.c', 'wrong password'],
    ['a wrong password', 'known@b.c', 'wrong password'],
    ['a disabled user', 'off@b.c', 'right password'],
    ['a user without a password', 'none@b.c', 'wrong password'],
    ['a user with a hash of bcrypt', 'bcrypt@b.c', 'wrong password'],
    ['a user with a cheaper hash', 'old@b.c', 'wrong password'],
    ['a password that is too long to be stored', 'known@b.c', 'x'.repeat(2000)],
    ['a long password of an unknown user', 'nobody@b.c', 'x'.repeat(2000)],
  ];

  it('is the same hashing for every kind of wrong login, 200 times each in turn', async () => {
    const { service } = await createUsers({ formerHashes: ['$2b$04', OLD] });
    const seen = new Set<string>();
    for (let round = 0; round < 200; round++) {
      for (const [kind, email, password] of kinds) {
        const work = await hashWork(async () => {
          await expect(service.create(login(email, password), outside)).rejects.toMatchObject({ code: 401, message: 'Invalid login' });
        });
        expect([kind, work]).toEqual([kind, [OLD, ARGON, '$2b$04'].sort()]);
        seen.add(kind);
      }
    }
    expect(seen.size).toBe(kinds.length);
  });

  it('learns kinds of hashes that nobody named from the first login that meets them', async () => {
    const { service } = await createUsers();
    const failed = (email: string) => hashWork(() => service.create(login(email, 'wrong password'), outside).catch(() => undefined));
    expect(await failed('nobody@b.c')).toEqual([ARGON]);
    expect(await failed('bcrypt@b.c')).toEqual(['$2b$04', ARGON].sort());
    expect(await failed('nobody@b.c')).toEqual(['$2b$04', ARGON].sort());
  });

  it('names of kinds that are none are refused at the registration', () => {
    expect(() => createApp({ usernameField: 'email', passwordField: 'password', formerHashes: ['md5'] })).toThrow(
      "'md5' in 'formerHashes' is no beginning",
    );
  });
});

describe('bcrypt hashes of existing users', () => {
  it('still verify, and are made again with argon2id at the login', async () => {
    const { app, service, users } = createApp();
    users.store.set('9', { id: 9, email: 'old@b.c', password: await bcrypt.hash('old password', 4) });
    await expect(service.create(login('old@b.c', 'old password'), outside)).resolves.toMatchObject({ user: { id: 9 } });
    const renewed = (users.store.get('9') as unknown as UserRow).password as string;
    expect(renewed).toMatch(/^\$argon2id/);
    await expect(service.create(login('old@b.c', 'old password'), outside)).resolves.toBeDefined();
    expect((users.store.get('9') as unknown as UserRow).password).toBe(renewed);
    await expect(service.create(login('old@b.c', 'other password'), outside)).rejects.toMatchObject({ code: 401 });
    expect(app.get('defaultAuthentication')).toBe('authentication');
  });

  it('are made again by a call whose parameters make no other password a hash', async () => {
    const { app, service, users } = createApp();
    await app.service('users').create({ email: 'other@b.c', password: 'pw' });
    users.store.set('9', { id: 9, email: 'old@b.c', password: await bcrypt.hash('old password', 4) });
    const resolved: unknown[] = [];
    let forwarded = false;
    app.service('users').hooks({
      after: {
        patch: [
          async ({ params }: HookContext): Promise<void> => {
            if (forwarded) return;
            forwarded = true;
            resolved.push(await passwordHash({ strategy: 'local' })('in the clear', {}, { app, params }));
            await app.service('users').patch(1, { password: 'in the clear' }, { ...params, query: {} });
          },
        ],
      },
    });
    await service.create(login('old@b.c', 'old password'), outside);
    expect([(users.store.get('1') as unknown as UserRow).password, ...resolved]).toEqual([
      expect.stringMatching(/^\$argon2id/),
      expect.stringMatching(/^\$argon2id/),
    ]);
    expect((users.store.get('9') as unknown as UserRow).password).toMatch(/^\$argon2id/);
  });

  it('are made again in their place, and keep what stands beside them', async () => {
    const nested = { usernameField: 'email', passwordField: 'password', entityPasswordField: 'secrets.password' };
    const { service, users } = createApp(nested);
    const secrets = { password: await bcrypt.hash('old password', 4), pin: 'kept' };
    users.store.set('9', { id: 9, email: 'old@b.c', secrets });
    await service.create(login('old@b.c', 'old password'), outside);
    expect(users.store.get('9')).toMatchObject({ secrets: { password: expect.stringMatching(/^\$argon2id/), pin: 'kept' } });
  });

  it('are made again once by many logins at once, and all of them succeed', async () => {
    const { service, users } = createApp();
    users.store.set('9', { id: 9, email: 'old@b.c', password: await bcrypt.hash('old password', 4) });
    const works = await hashWork(() =>
      Promise.all(Array.from({ length: 5 }, () => service.create(login('old@b.c', 'old password'), outside))),
    );
    // Five comparisons with the old kind, the same work of the new kind, and one hash that is made.
    expect(works.filter((work) => work.startsWith('$argon2id'))).toHaveLength(6);
  });

  describe('while they are made again', () => {
    /** Does something as soon as a new hash is being made. */
    const during = async (work: () => unknown, login: () => Promise<unknown>): Promise<unknown> => {
      const done: unknown[] = [];
      const note = (message: unknown): void => {
        if ((message as HashEvent).operation === 'hash' && done.length === 0) done.push(work());
      };
      subscribe('framework:password-hash', note);
      try {
        return await login();
      } finally {
        unsubscribe('framework:password-hash', note);
        expect(done).toHaveLength(1);
      }
    };
    const createOld = async (local?: object) => {
      const made = createApp(local);
      const password = await bcrypt.hash('old password', 4);
      const stored = (): UserRow => made.users.store.get('9') as unknown as UserRow;
      const put = (change: object): unknown => made.users.store.set('9', { ...stored(), ...change });
      made.users.store.set('9', { id: 9, email: 'old@b.c', password });
      return { ...made, password, stored, put, logIn: (given = 'old password') => made.service.create(login('old@b.c', given), outside) };
    };

    it('a password that somebody sets stays', async () => {
      const { logIn, put, stored } = await createOld();
      const other = await makeHash('new password');
      await during(() => put({ password: other }), logIn);
      expect(stored().password).toBe(other);
      await expect(logIn()).rejects.toMatchObject({ code: 401 });
      await expect(logIn('new password')).resolves.toMatchObject({ user: { id: 9 } });
    });

    it('a password that somebody sets at the very time at which they are stored stays', async () => {
      const { app, logIn, put, stored } = await createOld();
      const other = await makeHash('new password');
      app.service('users').hooks({ before: { patch: [() => void put({ password: other })] } });
      await logIn();
      expect(stored().password).toBe(other);
    });

    it('one that another process has made of the same password stays, and the login succeeds', async () => {
      const { logIn, put, stored } = await createOld();
      const other = await makeHash('old password');
      await expect(during(() => put({ password: other }), logIn)).resolves.toMatchObject({ user: { id: 9 } });
      expect(stored().password).toBe(other);
    });

    it('what is written beside a nested one stays', async () => {
      const { users, service } = createApp({ usernameField: 'email', passwordField: 'password', entityPasswordField: 'secrets.password' });
      const secrets = { password: await bcrypt.hash('old password', 4), pin: 'before' };
      users.store.set('9', { id: 9, email: 'old@b.c', secrets });
      await during(
        () => users.store.set('9', { id: 9, email: 'old@b.c', secrets: { ...secrets, pin: 'after' } }),
        () => service.create(login('old@b.c', 'old password'), outside),
      );
      expect(users.store.get('9')).toMatchObject({ secrets: { password: expect.stringMatching(/^\$argon2id/), pin: 'after' } });
    });

    it('are stored also where queries of the users know no password', async () => {
      const { app, logIn, stored } = await createOld();
      app.service('users').hooks({
        before: {
          patch: [
            ({ params }: HookContext) => {
              if ('password' in (params.query ?? {})) throw new BadRequest('no such property');
            },
          ],
        },
      });
      await logIn();
      expect(stored().password).toMatch(/^\$argon2id/);
    });

    it('are stored also where the users keep the password to themselves when they are read by their id', async () => {
      const { app, logIn, stored } = await createOld();
      app.service('users').hooks({
        after: {
          get: [
            (context: HookContext) => {
              const { password: _password, ...shown } = context.result as unknown as UserRow;
              context.result = shown as never;
            },
          ],
        },
      });
      await logIn();
      expect(stored().password).toMatch(/^\$argon2id/);
    });

    it('a login does not fail where they can not be stored', async () => {
      const { app, logIn, stored, password } = await createOld();
      const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      app.service('users').hooks({
        before: {
          patch: [
            () => {
              throw new Conflict('not now');
            },
          ],
        },
      });
      for (let round = 0; round < 3; round++) await expect(logIn()).resolves.toMatchObject({ user: { id: 9 } });
      const told = warn.mock.calls.map(([message]) => message);
      warn.mockRestore();
      expect(told).toEqual(['The password hash of a user could not be renewed: Conflict: not now']);
      expect(stored().password).toBe(password);
    });

    it('one of before that is stored again is made again too', async () => {
      const { logIn, put, stored, password } = await createOld();
      for (let round = 0; round < 2; round++) {
        put({ password });
        await logIn();
        expect(stored().password).toMatch(/^\$argon2id/);
      }
    });
  });

  it('S25 do not hide what follows the 72nd byte', async () => {
    const long = 'x'.repeat(72);
    const hash = await bcrypt.hash(long, 4);
    expect(await comparePassword(long, hash)).toMatchObject({ matches: true });
    expect(await comparePassword(`${long}y`, hash)).toMatchObject({ matches: false });
  });
});

describe('hashes', () => {
  it('S25 use the whole password, NUL and the 73rd byte too', async () => {
    for (const [password, other] of [
      ['a\0b', 'a\0c'],
      [`${'x'.repeat(72)}1`, `${'x'.repeat(72)}2`],
    ] as const) {
      const hash = await makeHash(password);
      expect(await comparePassword(password, hash)).toEqual({ matches: true, outdated: false });
      expect(await comparePassword(other, hash)).toMatchObject({ matches: false });
    }
  });

  it('S25 are the same however the text is composed', async () => {
    expect(await comparePassword('e\u0301', await makeHash('\u00e9'))).toMatchObject({ matches: true });
  });

  it('are outdated when their cost is another', async () => {
    const cheap = await makeHash('p', { memoryCost: 1024, timeCost: 1, parallelism: 1 });
    expect(await comparePassword('p', cheap)).toEqual({ matches: true, outdated: true });
  });

  it.each([undefined, null, 5, '', 'plain', '$argon2id$broken', '$2b$10$short'])('%p matches nothing', async (hash) => {
    expect(await comparePassword('p', hash)).toMatchObject({ matches: false });
  });

  it('S25 run few at a time, and too many are refused with 429', async () => {
    let running = 0;
    let most = 0;
    const work = () =>
      inTurn(async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
      });
    const results = await Promise.allSettled(Array.from({ length: CONCURRENCY + QUEUE_LENGTH + 5 }, work));
    expect(most).toBe(CONCURRENCY);
    expect(
      results.filter((result) => result.status === 'rejected').map((result) => (result as PromiseRejectedResult).reason as unknown),
    ).toEqual(Array.from({ length: 5 }, () => expect.objectContaining({ code: 429, data: { retryAfter: 1 } })));
    await expect(work()).resolves.toBeUndefined();
  });
});

describe('hooks and resolver', () => {
  it('hashPassword hashes one record and each of several, and leaves others alone', async () => {
    const { app, users } = createApp();
    users.options.multi = true;
    await app.service('users').create([{ email: 'a', password: 'p1' }, { email: 'b' }]);
    expect([...users.store.values()].map((row) => typeof row.password)).toEqual(['string', 'undefined']);
    await app.service('users').patch(1, { email: 'changed' });
    expect(users.store.get('1')).toMatchObject({ email: 'changed', password: expect.stringMatching(/^\$argon2id/) });
    await expect(app.service('users').create({ email: 'c', password: { $ne: 1 } })).rejects.toMatchObject({ code: 400 });
    expect(() => hashPassword('')).toThrow('requires a field name option');
    for (const value of [null, '', 5, ['local']]) {
      expect(() => hashPassword('password', { strategy: value } as never)).toThrow("The option 'strategy' of hashPassword() is a name");
      expect(() => hashPassword('password', { authentication: value } as never)).toThrow("The option 'authentication' of hashPassword()");
      expect(() => passwordHash({ strategy: value } as never)).toThrow("The option 'strategy' of passwordHash() is a name");
      expect(() => passwordHash({ strategy: 'local', service: value } as never)).toThrow(
        "The option 'service' of passwordHash() is a name",
      );
    }
    expect(() => passwordHash({} as never)).toThrow("passwordHash() needs the name of the strategy: passwordHash({ strategy: 'local' })");
    expect(() => hashPassword({ type: 'before', data: { password: 'secret' } } as never)).toThrow(
      "list it called, as hashPassword('password')",
    );
    expect(Object.keys(hooks)).toEqual(['hashPassword', 'protect']);
  });

  it.each([
    [{ 'auth.password': 'plain' }],
    [{ auth: { password: 'plain' } }],
    [{ auth: [{ password: 'plain' }] }],
    [{ 'auth.0.password': 'plain' }],
    [{ 'auth.$[].password': 'plain' }],
    [{ $set: { 'auth.password': 'plain' } }],
    [{ $set: { auth: { password: 'plain' } } }],
    [{ $setOnInsert: { 'auth.password': 'plain' }, name: 'a' }],
    [[{ 'auth.password': 'plain' }, { $set: { 'auth.password': 'plain' } }]],
  ])('hashPassword finds the place however it is written: %j', async (data) => {
    const { app } = createApp();
    const context = { app, data, params: outside, type: 'before' } as unknown as HookContext;
    await hashPassword('auth.password')(context);
    expect(JSON.stringify(context.data)).toContain('$argon2id');
    expect(JSON.stringify(context.data)).not.toContain('plain');
    expect(JSON.stringify(data)).toContain('plain');
  });

  it.each([
    [{ $max: { 'auth.password': 'plain' } }],
    [{ $rename: { note: 'auth.password' } }],
    [{ $push: { auth: { password: 'plain' } } }],
    [{ $set: { 'auth.password': { $ne: 1 } } }],
  ])('hashPassword refuses what would be stored as it is: %j', async (data) => {
    const { app } = createApp();
    const context = { app, data, params: outside, type: 'before' } as unknown as HookContext;
    await expect(hashPassword('auth.password')(context)).rejects.toMatchObject({ code: 400 });
  });

  it('S9 hashPassword and passwordHash leave an operand without a text to the service', async () => {
    const { app } = createApp();
    const data = JSON.parse('{"$rename":{"note":{"toString":1}}}') as object;
    const context = { app, data, params: outside, type: 'before' } as unknown as HookContext;
    await hashPassword('password')(context);
    expect(context.data).toEqual(data);
    const status = { path: ['password'] };
    await expect(passwordHash({ strategy: 'local' })(undefined, data, { app }, status)).resolves.toBeUndefined();
  });

  describe('S25 passwords of one call', () => {
    type Hash = (passwords: string[], app: Application, params: object) => Promise<unknown>;
    const ways: [what: string, hash: Hash][] = [
      [
        'the records of a list',
        (passwords, app, params) =>
          hashPassword('password')({ app, data: passwords.map((password) => ({ password })), params, type: 'before' } as never),
      ],
      [
        'a list in a record',
        (passwords, app, params) =>
          hashPassword('keys.password')({
            app,
            data: { keys: passwords.map((password) => ({ password })) },
            params,
            type: 'before',
          } as never),
      ],
      [
        'names of one place',
        (passwords, app, params) =>
          hashPassword('password')({
            app,
            data: Object.fromEntries(passwords.map((password, index) => [`password.${index}`, password])),
            params,
            type: 'before',
          } as never),
      ],
      [
        'the resolver',
        (passwords, app, params) => {
          const [resolver, context] = [passwordHash({ strategy: 'local' }), { app, params }];
          return Promise.all(passwords.map((password) => resolver(password, { password }, context)));
        },
      ],
    ];
    const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };
    const someOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `password ${index}`);
    const createCheap = (): Application => createApp({ usernameField: 'email', passwordField: 'password', hashCost: cheap }).app;

    it.each(ways)('are hashed however many the server has, and others find a turn meanwhile: %s', async (_what, hash) => {
      const hashing = hash(someOf(CONCURRENCY + QUEUE_LENGTH + 1), createCheap(), {});
      await expect(Promise.all([hashing, makeHash('of another call', cheap)])).resolves.toHaveLength(2);
    });

    it.each(ways)('are bounded where they come from outside: %s', async (_what, hash) => {
      await hash(someOf(MOST_PASSWORDS), createCheap(), outside);
      const error = { code: 400, message: 'One call may bring at most 100 passwords. Send them in several' };
      await expect(hash(someOf(MOST_PASSWORDS + 1), createCheap(), outside)).rejects.toMatchObject(error);
    });
  });

  it('hashPassword lets a password be taken away', async () => {
    const { app } = createApp();
    const data = { $unset: { 'auth.password': '' }, $inc: { tries: 1 } };
    const context = { app, data, params: outside, type: 'before' } as unknown as HookContext;
    await hashPassword('auth.password')(context);
    expect(context.data).toEqual(data);
  });

  it('protect goes through lists, which stay lists', async () => {
    const app = framework() as Application;
    const row = { id: 1, members: [{ secret: 1, name: 'a' }, { secret: 2 }] };
    app.use('x', {
      async get() {
        return row;
      },
    });
    app.service('x').hooks({ around: { all: [protect('members.secret')] } });
    expect(await app.service('x').get(1, outside)).toEqual({ id: 1, members: [{ name: 'a' }, {}] });
    expect(row.members[0]).toHaveProperty('secret');
  });

  it('protect is refused without a property', () => {
    expect(() => protect()).toThrow(
      new Error("The protect hook needs at least one property that it keeps from callers: protect('password')"),
    );
  });

  it('hashPassword says what is missing', async () => {
    const app = framework() as Application;
    app.use('x', {
      async create(data: unknown) {
        return data;
      },
    });
    app.service('x').hooks({ before: { create: [hashPassword('password')] } });
    await expect(app.service('x').create({ password: 'p' })).rejects.toThrow('Could not find an authentication service to hash password');
    const { app: other } = createApp();
    other.use('y', {
      async create(data: unknown) {
        return data;
      },
    });
    other.service('y').hooks({ before: { create: [hashPassword('password', { strategy: 'none' })] } });
    await expect(other.service('y').create({ password: 'p' })).rejects.toThrow("Could not find 'none' strategy to hash password");
  });

  it('passwordHash is a property resolver', async () => {
    const { app } = createApp();
    const resolver = passwordHash({ strategy: 'local' });
    expect(await resolver('p', {}, { app })).toMatch(/^\$argon2id/);
    expect(await resolver(undefined, {}, { app })).toBeUndefined();
    await expect(resolver({}, {}, { app })).rejects.toMatchObject({ code: 400 });
  });

  it('protect leaves fields out of one, several and pages, for callers from outside also of the result', async () => {
    const app = framework() as Application;
    const row = { id: 1, password: 'x', nested: { secret: 1, open: 2 } };
    app.use('x', {
      async get() {
        return row;
      },
      async find() {
        return { total: 1, limit: 1, skip: 0, data: [row] };
      },
      async create() {
        return [row];
      },
    });
    const contexts: HookContext[] = [];
    app.service('x').hooks({
      after: {
        all: [
          protect('password', 'nested.secret'),
          (context) => {
            contexts.push(context as HookContext);
          },
        ],
      },
    });
    const clean = { id: 1, nested: { open: 2 } };
    expect(await app.service('x').get(1)).toEqual(row);
    expect(contexts[0]?.dispatch).toEqual(clean);
    expect(await app.service('x').get(1, outside)).toEqual(clean);
    expect(await app.service('x').find(outside)).toEqual({ total: 1, limit: 1, skip: 0, data: [clean] });
    expect(await app.service('x').create({}, outside)).toEqual([clean]);
    expect(row).toHaveProperty('password');
  });
});
