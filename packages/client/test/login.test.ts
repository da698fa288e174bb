import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { NotAuthenticated } from '@framework/errors';
import { exclusive } from '../src/authentication/exclusive.ts';
import { createClient, MemoryStorage, rest, type AuthenticationOptions, type TokenStorage } from '../src/index.ts';
import { LOGIN, start, type Running, type StartOptions, type TestApp } from './application.ts';
import { failureOf } from './failure.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const SESSIONS = { sessions: true, jwtOptions: { expiresIn: '1h' } };

/** Counts what is asked of the authentication service. */
interface Counted extends Running {
  readonly asked: string[];
}

async function server(authentication: object = SESSIONS, options: StartOptions = {}): Promise<Counted> {
  const asked: string[] = [];
  const running = await start({ ...options, authentication });
  running.app.service('authentication').hooks({
    before: { create: [({ data }) => void asked.push(String(data.strategy))], remove: [() => void asked.push('logout')] },
  });
  ends.push(() => running.stop());
  return { ...running, asked };
}

const clientOf = ({ url }: Running, authentication: AuthenticationOptions = {}) => {
  const client = createClient<TestApp>(rest(url, { retry: false }), { authentication });
  ends.push(() => client.close());
  return client;
};

/** Ends the access token that is kept, as time does. */
async function age(storage: TokenStorage, change: object = { accessToken: 'ended', renewAt: 1 }): Promise<void> {
  const kept = JSON.parse(String(await storage.getItem('framework-login')));
  await storage.setItem('framework-login', JSON.stringify({ ...kept, ...change }));
}

/** Holds the answers of a method of the authentication service, to some of its data, until they are let go. */
const hold = (
  { app }: Running,
  method: 'create' | 'remove',
  isHeld: (data: { email?: string; strategy?: string }) => boolean = () => true,
) => {
  let arrive: () => void = () => undefined;
  let letGo: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const wait = async ({ data }: { data?: object }): Promise<void> => {
    if (!isHeld(data ?? {})) return;
    arrive();
    await held;
  };
  app.service('authentication').hooks({ after: { [method]: [wait] } });
  return { arrived, letGo };
};

describe('a login', () => {
  it('goes with all calls, is told, and ends with the logout', async () => {
    const client = clientOf(await server());
    const told: unknown[] = [];
    client.on('login', ({ user }) => told.push(user)).on('logout', () => told.push('logout'));
    expect(await failureOf(client.service('who').find())).toMatchObject({ code: 401, name: 'NotAuthenticated' });
    expect(client.get('authentication')).toBeUndefined();
    const { user, accessToken } = await client.authenticate(LOGIN);
    expect(user).toEqual({ id: 1, email: LOGIN.email });
    expect(await client.get('authentication')).toMatchObject({ accessToken });
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
    expect(await client.service('who').create({ text: 'x' })).toEqual({ text: 'x', by: LOGIN.email });
    expect(await client.logout()).toMatchObject({ user });
    expect(await failureOf(client.service('who').find())).toMatchObject({ code: 401 });
    expect(client.get('authentication')).toBeUndefined();
    expect(told).toEqual([user, 'logout']);
  });

  it('that fails changes nothing, and leaves the one before', async () => {
    const client = clientOf(await server());
    expect(await failureOf(client.authenticate({ ...LOGIN, password: 'wrong' }))).toMatchObject({ code: 401 });
    expect(client.get('authentication')).toBeUndefined();
    await client.authenticate(LOGIN);
    expect(await failureOf(client.authenticate({ ...LOGIN, password: 'wrong' }))).toMatchObject({ code: 401 });
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
  });

  it('goes on from the storage, once for all who ask', async () => {
    const running = await server();
    const storage = new MemoryStorage();
    await clientOf(running, { storage }).authenticate(LOGIN);
    const client = clientOf(running, { storage });
    const told: unknown[] = [];
    client.on('login', () => told.push('login'));
    const [one, two] = await Promise.all([client.reAuthenticate(), client.reAuthenticate()]);
    expect(one).toBe(two);
    expect(one.user).toMatchObject({ email: LOGIN.email });
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
    expect(running.asked).toEqual(['local', 'jwt']);
    expect(told).toEqual(['login']);
    expect(await client.reAuthenticate()).toBe(one);
    expect(await client.reAuthenticate(true)).not.toBe(one);
  });

  it('is not there to go on with: told without a question to the server', async () => {
    const running = await server();
    expect(await failureOf(clientOf(running).reAuthenticate())).toMatchObject({ kind: 'logged-out', code: 401, name: 'NotAuthenticated' });
    expect(running.asked).toEqual([]);
  });

  it('goes on from what clients of the incumbent have stored', async () => {
    const running = await server({ jwtOptions: { expiresIn: '1h' } });
    const { accessToken } = await clientOf(running).authenticate(LOGIN);
    const storage = new MemoryStorage();
    storage.setItem('feathers-jwt', String(accessToken));
    const client = clientOf(running, { storage, storageKey: 'feathers-jwt' });
    expect((await client.reAuthenticate()).user).toMatchObject({ email: LOGIN.email });
  });

  it('has garbage in its storage: as if there were nothing', async () => {
    const running = await server();
    for (const text of ['{', '{"accessToken":5}', '[]', '{"refreshToken":{}}']) {
      const storage = new MemoryStorage();
      storage.setItem('framework-login', text);
      const client = clientOf(running, { storage });
      expect(await failureOf(client.reAuthenticate())).toMatchObject({ code: 401 });
      expect(await client.service('notes').find()).toMatchObject({ data: [] });
    }
  });

  it('leaves nothing of an earlier login in a storage that is full, which a page that is loaded again would take for its own', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const running = await server();
    const storage = new MemoryStorage();
    storage.setItem('framework-login', '{"accessToken":"of somebody else"}');
    storage.setItem = () => {
      throw new Error('The quota has been exceeded');
    };
    const client = clientOf(running, { storage });
    await client.authenticate(LOGIN);
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
    expect(storage.getItem('framework-login')).toBeUndefined();
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });

  it.each(['getItem', 'setItem', 'removeItem'] as const)(
    'goes on in memory where the storage fails, which is said once: %s',
    async (fails) => {
      const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      const running = await server();
      const storage = new MemoryStorage();
      const full = new Error('The quota has been exceeded');
      storage[fails] = () => {
        throw full;
      };
      const client = clientOf(running, { storage });
      await client.authenticate(LOGIN);
      expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
      expect((await client.reAuthenticate(true)).accessToken).toEqual(expect.any(String));
      expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
      await client.logout();
      expect(await failureOf(client.service('who').find())).toMatchObject({ code: 401 });
      await client.authenticate(LOGIN);
      expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
      expect(warned.mock.calls).toEqual([['The login has no storage', full]]);
      warned.mockRestore();
    },
  );

  it('runs through hooks as other calls do', async () => {
    const client = clientOf(await server());
    const seen: string[] = [];
    client.service('authentication').hooks({ before: { create: [({ data }) => void seen.push(JSON.stringify(data))] } });
    client.hooks({ after: { all: [({ path, method }) => void seen.push(`${path}.${method}`)] } });
    await client.authenticate(LOGIN);
    expect(seen).toEqual([JSON.stringify(LOGIN), 'authentication.create']);
  });
});

describe('refreshing', () => {
  it('happens once for many calls whose token has ended, and each call is made once more', async () => {
    const running = await server();
    const storage = new MemoryStorage();
    await clientOf(running, { storage }).authenticate(LOGIN);
    await age(storage, { accessToken: 'ended' });
    const client = clientOf(running, { storage });
    const found = await Promise.all(Array.from({ length: 20 }, () => client.service('who').find()));
    expect(new Set(found.map(({ email }) => email))).toEqual(new Set([LOGIN.email]));
    expect(running.asked).toEqual(['local', 'refresh']);
    expect(await client.service('who').create({ text: 'x' })).toMatchObject({ by: LOGIN.email });
    expect(running.asked).toHaveLength(2);
  });

  it('happens ahead of the end, by the clock of the client, so that no call is refused', async () => {
    const running = await server();
    const storage = new MemoryStorage();
    const before = Date.now();
    await clientOf(running, { storage }).authenticate(LOGIN);
    const after = Date.now();
    const { renewAt } = JSON.parse(String(storage.getItem('framework-login')));
    // Ten seconds before the end of an hour that began while the login was made.
    expect(renewAt).toBeGreaterThanOrEqual(before + 3_590_000);
    expect(renewAt).toBeLessThanOrEqual(after + 3_590_000);
    await age(storage, { renewAt: Date.now() });
    const client = clientOf(running, { storage });
    const statuses: number[] = [];
    client.hooks({ after: { all: [({ response }) => void statuses.push(response?.status ?? 0)] } });
    await Promise.all([client.service('who').find(), client.service('who').find()]);
    expect(running.asked).toEqual(['local', 'refresh']);
    expect(statuses).toEqual([201, 200, 200]);
  });

  it.each(['/authentication', 'authentication/', '//authentication//'])('happens at the service that the option calls %s', async (path) => {
    const running = await server();
    const storage = new MemoryStorage();
    await clientOf(running, { storage, path }).authenticate(LOGIN);
    await age(storage);
    expect(await clientOf(running, { storage, path }).service('who').find()).toEqual({ email: LOGIN.email });
  });

  it.each(['a signal', 'a time'])('is not awaited by a call that is given up by %s, which is not made late', async (by) => {
    const running = await server();
    const storage = new MemoryStorage();
    await clientOf(running, { storage }).authenticate(LOGIN);
    await age(storage, { renewAt: 1 });
    const client = clientOf(running, { storage });
    const { arrived, letGo } = hold(running, 'create');
    const controller = new AbortController();
    const call = client.service('notes').create({ text: 'late' }, by === 'a time' ? { timeout: 20 } : { signal: controller.signal });
    const given = call.then(() => 'made').catch((error: unknown) => String(error));
    await arrived;
    controller.abort(new Error('not wanted any more'));
    const outcome = await Promise.race([given, new Promise((resolve) => setTimeout(resolve, 500, 'still waiting'))]);
    letGo();
    await client.service('who').find();
    expect([outcome, await client.service('notes').find()]).toEqual([
      by === 'a time' ? 'FrameworkClientError: No answer in 20 ms' : 'Error: not wanted any more',
      expect.objectContaining({ total: 0 }),
    ]);
  });

  it('stays, if the token before it comes back from a login that was on its way', async () => {
    const running = await server();
    const storage = new MemoryStorage();
    await clientOf(running, { storage }).authenticate(LOGIN);
    const before = JSON.parse(storage.getItem('framework-login') ?? '');
    running.app.service('notes').hooks({
      before: {
        find: [
          () => {
            throw new NotAuthenticated('Not this time');
          },
        ],
      },
    });
    const { arrived, letGo } = hold(running, 'create', ({ strategy }) => strategy === 'jwt');
    const client = clientOf(running, { storage });
    const again = client.reAuthenticate();
    await arrived;
    expect(await failureOf(client.service('notes').find())).toMatchObject({ message: 'Not this time' });
    letGo();
    await again;
    const kept = JSON.parse(storage.getItem('framework-login') ?? '');
    expect(kept.accessToken).not.toBe(before.accessToken);
    expect(kept.refreshToken).toEqual(expect.any(String));
  });

  it('that is refused ends the login: calls fail with 401, and it is told once', async () => {
    const running = await server();
    const storage = new MemoryStorage();
    const client = clientOf(running, { storage });
    const told: string[] = [];
    client.on('logout', () => told.push('logout'));
    await client.authenticate(LOGIN);
    await running.app.service('authentication').sessions?.endAll('1');
    const failed = await Promise.all([1, 2, 3].map(() => failureOf(client.service('who').find())));
    expect(failed.map(({ code }) => code)).toEqual([401, 401, 401]);
    expect(told).toEqual(['logout']);
    expect(storage.getItem('framework-login')).toBeUndefined();
    expect(running.asked.filter((name) => name === 'refresh')).toHaveLength(1);
    expect(await client.service('notes').find()).toMatchObject({ data: [] });
  });

  it('that does not reach the server leaves the login as it is', async () => {
    const running = await server();
    const storage = new MemoryStorage();
    let isCut = false;
    const cut: typeof fetch = (input, init) =>
      isCut && String(input).endsWith('/authentication') ? Promise.reject(new TypeError('cut')) : fetch(input, init);
    const client = createClient<TestApp>(rest(running.url, { retry: false, fetch: cut }), { authentication: { storage } });
    await client.authenticate(LOGIN);
    isCut = true;
    await age(storage, { accessToken: 'ended' });
    const other = createClient<TestApp>(rest(running.url, { retry: false, fetch: cut }), { authentication: { storage } });
    expect(await failureOf(other.service('who').find())).toMatchObject({ kind: 'network' });
    isCut = false;
    expect(await other.service('who').find()).toEqual({ email: LOGIN.email });
  });

  it('is no matter of calls that can not be made twice: a stream is sent once', async () => {
    const running = await server();
    const storage = new MemoryStorage();
    await clientOf(running, { storage }).authenticate(LOGIN);
    await age(storage, { accessToken: 'ended' });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"text":"x"}'));
        controller.close();
      },
    });
    const error = await failureOf(
      clientOf(running, { storage })
        .service('who')
        .create(body as never, { headers: { 'content-type': 'application/json' } }),
    );
    expect(error.code).toBe(401);
    expect(running.asked).toEqual(['local']);
  });

  it('is given up for a logout that comes meanwhile', async () => {
    const running = await server();
    const storage = new MemoryStorage();
    await clientOf(running, { storage }).authenticate(LOGIN);
    await age(storage, { accessToken: 'ended' });
    const client = clientOf(running, { storage });
    const call = client
      .service('who')
      .find()
      .catch((error: unknown) => error);
    await client.logout();
    expect(await call).toMatchObject({ code: 401 });
    expect(storage.getItem('framework-login')).toBeUndefined();
  });
});

describe('a logout', () => {
  it('ends a login that is on its way', async () => {
    const running = await server();
    const storage = new MemoryStorage();
    await clientOf(running, { storage }).authenticate(LOGIN);
    const client = clientOf(running, { storage });
    const { arrived, letGo } = hold(running, 'create');
    const going = failureOf(client.reAuthenticate());
    await arrived;
    await client.logout();
    letGo();
    expect(await going).toMatchObject({ kind: 'logged-out', code: 401 });
    expect(storage.getItem('framework-login')).toBeUndefined();
  });

  it('leaves a login that came while it was on its way', async () => {
    const running = await server();
    const client = clientOf(running);
    await client.authenticate(LOGIN);
    const { arrived, letGo } = hold(running, 'remove');
    const going = client.logout();
    await arrived;
    await client.authenticate(LOGIN);
    letGo();
    await going;
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
  });

  it('leaves a login that began while it was on its way', async () => {
    const running = await server();
    const client = clientOf(running);
    await client.authenticate(LOGIN);
    const { arrived, letGo } = hold(running, 'create');
    const leaving = client.logout();
    const coming = client.authenticate(LOGIN);
    await Promise.all([leaving, arrived]);
    letGo();
    await coming;
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
  });
});

describe('clients that share a storage', () => {
  /** What tabs have in common: each has an object of its own on the same data. */
  const tabs = (count: number): TokenStorage[] => {
    const data = new Map<string, string>();
    return Array.from({ length: count }, () => ({
      getItem: async (key) => data.get(key) ?? null,
      setItem: async (key, value) => void data.set(key, value),
      removeItem: async (key) => void data.delete(key),
    }));
  };

  it('refresh once together in each of many rounds, and lose no session', async () => {
    const rounds = Number(process.env.TAB_ROUNDS ?? 8);
    const running = await server();
    const storages = tabs(5);
    const clients = storages.map((storage) => clientOf(running, { storage }));
    await clients[0]?.authenticate(LOGIN);
    for (let round = 0; round < rounds; round++) {
      for (const storage of storages.slice(0, 1)) await age(storage, { accessToken: `ended ${round}` });
      const others = storages.map((storage) => clientOf(running, { storage }));
      const found = await Promise.all(others.map((client) => client.service('who').find()));
      expect(found.map(({ email }) => email)).toEqual(Array.from({ length: 5 }, () => LOGIN.email));
      for (const client of others) client.close();
    }
    expect(running.asked).toEqual(['local', ...Array.from({ length: rounds }, () => 'refresh')]);
    await expect(Promise.all(clients.map((client) => client.service('who').find()))).resolves.toHaveLength(5);
  });

  it('let the next one in alone where several wait, however short the first one was', async () => {
    const inside = { now: 0, most: 0, times: 0 };
    const runs = tabs(5).map((storage) =>
      exclusive(
        'a client',
        storage,
        true,
      )(async () => {
        inside.times += 1;
        inside.most = Math.max(inside.most, (inside.now += 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside.now -= 1;
      }),
    );
    await Promise.all(runs);
    expect(inside).toEqual({ now: 0, most: 1, times: 5 });
  });

  it('go on where a tab has died while it was refreshing', async () => {
    const running = await server();
    const [one, two] = tabs(2);
    await clientOf(running, { storage: one! }).authenticate(LOGIN);
    await age(one!, { accessToken: 'ended' });
    await one!.setItem(`framework-login ${running.url}/authentication lock`, `${Date.now() - 9700} dead`);
    expect(await clientOf(running, { storage: two! }).service('who').find()).toEqual({ email: LOGIN.email });
  });

  it('go on in time where a tab has died and the clock is put back by a day meanwhile', async () => {
    const storage = new MemoryStorage();
    const alone = exclusive('a client', storage, true);
    const { setTimeout: timer } = globalThis;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2030, 0, 2));
    // The longest wait ends soon.
    const timers = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, delay: number) => timer(run, delay === 10_000 ? 200 : delay)) as never);
    storage.getItem = () => {
      const mark = `${Date.now() + 5000} dead`;
      clock.mockReturnValue(Date.UTC(2030, 0, 1));
      return mark;
    };
    try {
      expect(await alone(async () => 'refreshed')).toBe('refreshed');
    } finally {
      clock.mockRestore();
      timers.mockRestore();
    }
  });

  it('do not wait for the mark of a tab that has died before the clock was put back', async () => {
    const storage = new MemoryStorage();
    storage.setItem('a client lock', '1900000000000 dead');
    const { setTimeout: timer } = globalThis;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
    // The longest wait has no end.
    const timers = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, delay: number) => timer(delay === 10_000 ? () => undefined : run, delay)) as never);
    try {
      expect(await exclusive('a client', storage, true)(async () => storage.getItem('a client lock'))).toMatch(/^1800000000000 0\./);
    } finally {
      clock.mockRestore();
      timers.mockRestore();
    }
  }, 20_000);

  it('mark it for other processes where the platform has locks that hold within one, as Node.js', async () => {
    const storage = new MemoryStorage();
    const known = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    const request = async (_name: string, _options: object, run: () => Promise<void>): Promise<void> => run();
    Object.defineProperty(globalThis, 'navigator', { value: { locks: { request } }, configurable: true });
    try {
      const seen = await exclusive('a client', storage, true)(async () => storage.getItem('a client lock'));
      expect(seen).toMatch(/^\d{13} 0\./);
      while (storage.getItem('a client lock')) await new Promise((resolve) => setTimeout(resolve, 1));
    } finally {
      if (known) Object.defineProperty(globalThis, 'navigator', known);
      else Reflect.deleteProperty(globalThis, 'navigator');
    }
  });

  it('mark it where a global `self` has no navigator, as in workers on the edge and behind polyfills', async () => {
    const storage = new MemoryStorage();
    const known = Object.getOwnPropertyDescriptor(globalThis, 'self');
    Object.defineProperty(globalThis, 'self', { value: {}, configurable: true });
    try {
      const seen = await exclusive('a client', storage, true)(async () => storage.getItem('a client lock'));
      expect(seen).toMatch(/^\d{13} 0\./);
    } finally {
      if (known) Object.defineProperty(globalThis, 'self', known);
      else Reflect.deleteProperty(globalThis, 'self');
    }
  });

  it.each<[string, (storage: MemoryStorage, isLock: (key: string) => boolean) => void]>([
    [
      'is full',
      (storage, isLock) => {
        const { setItem } = storage;
        storage.setItem = (key, value) => {
          if (isLock(key)) throw new Error('full');
          setItem.call(storage, key, value);
        };
      },
    ],
    [
      'is forbidden to read',
      (storage, isLock) => {
        const { getItem } = storage;
        storage.getItem = (key) => {
          if (isLock(key)) throw new Error('forbidden');
          return getItem.call(storage, key);
        };
      },
    ],
    [
      'keeps nothing of what it takes',
      (storage, isLock) => {
        const { setItem } = storage;
        storage.setItem = (key, value) => {
          if (!isLock(key)) setItem.call(storage, key, value);
        };
      },
    ],
    [
      'can not remove',
      (storage, isLock) => {
        const { removeItem } = storage;
        storage.removeItem = (key) => {
          if (isLock(key)) throw new Error('forbidden');
          removeItem.call(storage, key);
        };
      },
    ],
  ])('go on without a lock where there are no Web Locks and the storage for its mark %s', async (_, breaks) => {
    const running = await server();
    const storage = new MemoryStorage();
    breaks(storage, (key) => key.endsWith(' lock'));
    await clientOf(running, { storage }).authenticate(LOGIN);
    await age(storage, { accessToken: 'ended' });
    expect(await clientOf(running, { storage }).service('who').find()).toEqual({ email: LOGIN.email });
    expect(running.asked).toEqual(['local', 'refresh']);
  });

  it('take a lock of the user', async () => {
    const running = await server();
    const storage = new MemoryStorage();
    let held = 0;
    const lock: AuthenticationOptions['lock'] = async (run) => {
      held += 1;
      return run();
    };
    await clientOf(running, { storage }).authenticate(LOGIN);
    await age(storage, { accessToken: 'ended' });
    await clientOf(running, { storage, lock }).service('who').find();
    expect(held).toBe(1);
  });
});

describe('tokens without sessions', () => {
  it('end the login with a 401, which the server alone decides', async () => {
    const running = await server({ jwtOptions: { expiresIn: '1h' } });
    const storage = new MemoryStorage();
    const client = clientOf(running, { storage });
    await client.authenticate(LOGIN);
    await age(storage, { accessToken: 'ended' });
    const other = clientOf(running, { storage });
    const told: unknown[] = [];
    other.on('logout', () => told.push('logout'));
    expect(await failureOf(other.service('who').find())).toMatchObject({ code: 401 });
    expect(told).toEqual([]);
    expect(await failureOf(other.reAuthenticate(true))).toMatchObject({ code: 401 });
    expect(told).toEqual(['logout']);
    expect(storage.getItem('framework-login')).toBeUndefined();
    // Another tab has logged in meanwhile.
    const late = clientOf(running, { storage });
    expect(await failureOf(late.service('who').find())).toMatchObject({ code: 401 });
    await other.authenticate(LOGIN);
    expect(await late.service('who').find()).toEqual({ email: LOGIN.email });
  });
});

describe('another user who logs in', () => {
  const BOB = { ...LOGIN, email: 'bob@example.com' };

  /** A client that goes on with the login of Ann, whose access token has ended or is about to, and whose writes are answered when they are let go. */
  async function ended(change: object) {
    const running = await server();
    await running.app.service('users').create({ email: BOB.email, password: BOB.password });
    const storage = new MemoryStorage();
    await clientOf(running, { storage }).authenticate(LOGIN);
    await age(storage, change);
    let letGo: () => void = () => undefined;
    let arrive: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const slow: typeof fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (!String(url).endsWith('/who') || init?.method !== 'POST') return answer;
      arrive();
      await held;
      return answer;
    };
    const client = createClient<TestApp>(rest(running.url, { fetch: slow }), { authentication: { storage } });
    ends.push(() => client.close());
    return { running, storage, client, arrived, letGo };
  }

  it('does not make the write of the one before that is refused meanwhile', async () => {
    const { client, arrived, letGo } = await ended({ accessToken: 'ended', renewAt: undefined });
    const write = failureOf(client.service('who').create({ text: 'of Ann' }));
    await arrived;
    await client.authenticate(BOB);
    letGo();
    expect(await write).toMatchObject({ kind: 'answer', code: 401 });
    expect(await client.service('who').find()).toEqual({ email: BOB.email });
  });

  it('does not make the write of the one before that waits for a refresh', async () => {
    const { running, client, letGo: answer } = await ended({ renewAt: 1 });
    answer();
    const { arrived, letGo } = hold(running, 'create', ({ email }) => email === undefined);
    const write = failureOf(client.service('who').create({ text: 'of Ann' }));
    await arrived;
    await client.authenticate(BOB);
    letGo();
    expect(await write).toMatchObject({ kind: 'logged-out', code: 401 });
    expect(await client.service('who').find()).toEqual({ email: BOB.email });
  });

  it('in another tab ends the login of this one, and does not make its calls', async () => {
    const { running, storage, client, letGo } = await ended({ accessToken: 'ended', renewAt: undefined });
    const told: string[] = [];
    client.on('logout', () => told.push('logout'));
    const write = failureOf(client.service('who').create({ text: 'of Ann' }));
    await clientOf(running, { storage }).authenticate(BOB);
    letGo();
    expect(await write).toMatchObject({ code: 401 });
    expect(told).toEqual(['logout']);
    expect(await client.service('who').find()).toEqual({ email: BOB.email });
  });

  it('stays, if the answer to an earlier login comes later', async () => {
    const running = await server();
    await running.app.service('users').create({ email: BOB.email, password: BOB.password });
    const { arrived, letGo } = hold(running, 'create', ({ email }) => email === LOGIN.email);
    const client = clientOf(running);
    const first = failureOf(client.authenticate(LOGIN));
    await arrived;
    await client.authenticate(BOB);
    letGo();
    expect(await first).toMatchObject({ kind: 'logged-out' });
    expect(await client.get('authentication')).toMatchObject({ user: { email: BOB.email } });
    expect(await client.service('who').find()).toEqual({ email: BOB.email });
  });
});

describe('a login in a storage that takes its time', () => {
  /** A storage whose calls of a method wait, from some call on, until they are let go; each finds what was there when it was asked. */
  const slow = (method: 'getItem' | 'setItem', from: number) => {
    const data = new Map<string, string>();
    let asked = 0;
    let arrive: () => void = () => undefined;
    let letGo: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const wait = async (called: typeof method): Promise<void> => {
      if (called !== method || ++asked !== from) return;
      arrive();
      await held;
    };
    const storage: TokenStorage = {
      async getItem(key) {
        const found = data.get(key) ?? null;
        await wait('getItem');
        return found;
      },
      async setItem(key, value) {
        await wait('setItem');
        data.set(key, value);
      },
      removeItem: async (key) => void data.delete(key),
    };
    return { storage, arrived, letGo };
  };
  const eventsOf = (client: ReturnType<typeof clientOf>): string[] => {
    const told: string[] = [];
    client.on('login', () => told.push('login')).on('logout', () => told.push('logout'));
    return told;
  };

  it('stays, if what was asked for before it comes later', async () => {
    const { storage, arrived, letGo } = slow('getItem', 2);
    const client = clientOf(await server(), { storage });
    const told = eventsOf(client);
    const refused = failureOf(client.service('who').find());
    await arrived;
    await client.authenticate(LOGIN);
    letGo();
    expect(await refused).toMatchObject({ code: 401 });
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
    expect(told).toEqual(['login']);
  });

  it('is refused, and not told, where it was ended while it was stored', async () => {
    const { storage, arrived, letGo } = slow('setItem', 1);
    const client = clientOf(await server(), { storage });
    const told = eventsOf(client);
    const login = failureOf(client.authenticate(LOGIN));
    await arrived;
    const out = new Promise((resolve) => client.on('logout', resolve));
    const logout = client.logout();
    await out;
    letGo();
    await logout;
    expect(await login).toMatchObject({ code: 401, kind: 'logged-out' });
    expect(told).toEqual(['logout']);
  });
});

it.each(['Cafe\u0301/log in', ':tenant/logins'])('renews a login of the service at %s, and does not wait for itself', async (path) => {
  const calls: string[] = [];
  const client = createClient(
    {
      name: 'here',
      timeout: 1000,
      async call({ path: at, data, headers }) {
        calls.push(`${at} ${String((data as { strategy?: string } | undefined)?.strategy)} ${String(headers.authorization)}`);
        // One that has ended when it comes is renewed by each call.
        return { result: { accessToken: `token ${calls.length}`, refreshToken: 'r', authentication: { payload: { iat: 0, exp: 1e-9 } } } };
      },
    },
    { authentication: { path } },
  );
  client.service(path).hooks([(context, next) => ((context.params.route = { tenant: 'acme' }), next())]);
  await client.authenticate({ strategy: 'local' });
  await client.service('notes').find();
  const at = path.startsWith(':') ? 'acme/logins' : 'Café/log%20in';
  expect(calls).toEqual([`${at} local undefined`, `${at} refresh undefined`, 'notes undefined Bearer token 2']);
});
