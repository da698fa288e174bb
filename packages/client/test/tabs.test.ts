import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createClient, MemoryStorage, rest, type TokenStorage } from '../src/index.ts';
import { start, type Running, type TestApp } from './application.ts';

let running: Running;
beforeAll(async () => {
  running = await start({ authentication: { sessions: true, jwtOptions: { expiresIn: '1h' } } });
});
afterAll(() => running.stop());

// Clients of pages with an address hear of each other; Node.js has the channel and no address.
beforeEach(() => void Object.defineProperty(globalThis, 'location', { value: {}, configurable: true }));
afterEach(() => void Reflect.deleteProperty(globalThis, 'location'));

/** A storage that other processes of a browser write to: what they have written is seen a while later. */
class LateStorage implements TokenStorage {
  readonly #shared: Map<string, string>;
  #seen: Map<string, string>;

  constructor(shared: Map<string, string>) {
    this.#shared = shared;
    this.#seen = new Map(shared);
  }

  catchUp(): void {
    this.#seen = new Map(this.#shared);
  }

  getItem(key: string): string | undefined {
    return this.#seen.get(key);
  }

  setItem(key: string, value: string): void {
    for (const items of [this.#shared, this.#seen]) items.set(key, value);
  }

  removeItem(key: string): void {
    for (const items of [this.#shared, this.#seen]) items.delete(key);
  }
}

it('a logout reaches a tab that still sees the tokens in its storage', async () => {
  const shared = new Map<string, string>();
  const [own, late] = [new LateStorage(shared), new LateStorage(shared)];
  const [first, second] = [own, late].map((storage) => createClient<TestApp>(rest(running.url), { authentication: { storage } }));
  await first!.authenticate({ strategy: 'local', email: 'ann@example.com', password: 'correct horse' });
  late.catchUp();
  expect((await second!.service('who').find()).email).toBe('ann@example.com');
  const out = new Promise((resolve) => second!.on('logout', resolve));
  await first!.logout();
  await out;
  expect(late.getItem('framework-login')).toContain('accessToken');
  first!.close();
  second!.close();
});

it('a client that was closed logs in and out as before, and tells nobody', async () => {
  const shared = new Map<string, string>();
  const client = createClient<TestApp>(rest(running.url), { authentication: { storage: new LateStorage(shared) } });
  client.close();
  await client.authenticate({ strategy: 'local', email: 'ann@example.com', password: 'correct horse' });
  expect((await client.service('who').find()).email).toBe('ann@example.com');
  await client.logout();
  expect(shared.size).toBe(0);
});

it('a tab whose token only comes back stays logged in, where another tab has another token by then', async () => {
  const storage = new MemoryStorage();
  const read = { getItem: storage.getItem.bind(storage), hears: (): void => undefined };
  const own: TokenStorage = {
    getItem: (key) => (read.hears(), read.getItem(key)),
    setItem: (key, value) => storage.setItem(key, value),
    removeItem: (key) => storage.removeItem(key),
  };
  const [first, second] = [storage, own].map((each) => createClient<TestApp>(rest(running.url), { authentication: { storage: each } }));
  const login = { strategy: 'local', email: 'ann@example.com', password: 'correct horse' };
  const { accessToken } = await first!.authenticate(login);
  expect((await second!.service('who').find()).email).toBe('ann@example.com');
  let [arrive, letGo] = [(): void => undefined, (): void => undefined];
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const held = new Promise<void>((resolve) => (letGo = resolve));
  running.app.service('authentication').hooks({
    after: {
      create: [
        async ({ data }) => {
          if (data.strategy !== 'jwt') return;
          arrive();
          await held;
        },
      ],
    },
  });
  const again = second!.authenticate({ strategy: 'jwt', accessToken });
  await arrived;
  const heard = new Promise<void>((resolve) => (read.hears = resolve));
  await first!.authenticate(login);
  await heard;
  letGo();
  expect(await again).toMatchObject({ user: { email: 'ann@example.com' } });
  expect((await second!.service('who').find()).email).toBe('ann@example.com');
  first!.close();
  second!.close();
});
