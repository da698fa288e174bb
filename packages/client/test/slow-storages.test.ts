import { Random, Variety } from '@framework-internal/random';
import { expect, it } from '@jest/globals';
import { createClient, rest, type TokenStorage } from '../src/index.ts';

const SEED = Number(process.env.STORAGE_SEED ?? 20_263);
const ROUNDS = Number(process.env.STORAGE_ROUNDS ?? 600);

/** Lets others go on, for a while that differs. */
async function aWhile(random: Random): Promise<void> {
  for (let turns = random.below(6); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
}

/** A storage that answers late, and does what it is asked for sometime in between: what is asked for later may be done sooner. */
class SlowStorage implements TokenStorage {
  readonly items = new Map<string, string>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  getItem(key: string): Promise<string | undefined> {
    return this.#late(() => this.items.get(key));
  }

  setItem(key: string, value: string): Promise<unknown> {
    return this.#late(() => this.items.set(key, value));
  }

  removeItem(key: string): Promise<unknown> {
    return this.#late(() => this.items.delete(key));
  }

  async #late<T>(work: () => T): Promise<T> {
    await aWhile(this.#random);
    const done = work();
    await aWhile(this.#random);
    return done;
  }
}

/** A server with sessions whose refresh tokens count once. */
class Server {
  readonly #random: Random;
  readonly #users = new Map<string, string>();
  #count = 0;
  readonly #renews: boolean;

  /** @param renews whether it gives refresh tokens */
  constructor(random: Random, renews: boolean) {
    this.#random = random;
    this.#renews = renews;
  }

  /** Access tokens count no more. */
  expire(): void {
    for (const token of this.#users.keys()) if (token.startsWith('access')) this.#users.delete(token);
  }

  readonly fetch = async (url: string | URL | Request, request: RequestInit = {}): Promise<Response> => {
    await aWhile(this.#random);
    const [status, body] = this.#answer(String(url), request);
    await aWhile(this.#random);
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  };

  #answer(url: string, { method = 'GET', headers, body }: RequestInit): [status: number, body: object] {
    const given = new Headers(headers).get('authorization')?.slice('Bearer '.length) ?? '';
    const refused: [number, object] = [401, { name: 'NotAuthenticated', message: 'No', code: 401, className: 'not-authenticated' }];
    if (url.endsWith('/who')) return this.#users.has(given) ? [200, { who: this.#users.get(given) }] : refused;
    if (method === 'DELETE') {
      if (!this.#users.has(given)) return refused;
      const number = given.slice('access'.length);
      for (const kind of ['access', 'refresh']) this.#users.delete(`${kind}${number}`);
      return [200, {}];
    }
    const { user, accessToken: present = '', refreshToken } = JSON.parse(String(body)) as Partial<Record<string, string>>;
    if (this.#users.has(present)) return [201, { accessToken: present }];
    const who = user ?? this.#users.get(refreshToken ?? '');
    if (who === undefined) return refused;
    this.#users.delete(refreshToken ?? '');
    const [accessToken, next] = ['access', 'refresh'].map((kind) => `${kind}${String(this.#count)}`) as [string, string];
    this.#count++;
    for (const token of [accessToken, next]) this.#users.set(token, who);
    return [
      201,
      { accessToken, ...(this.#renews && { refreshToken: next }), authentication: { payload: { sub: who, iat: 0, exp: 3600 } } },
    ];
  }
}

it('what was asked for last counts, in a storage that finishes in another order, and nobody is told otherwise', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  for (let round = 0; round < ROUNDS; round++) {
    const renews = !random.oneIn(3);
    const [storage, server] = [new SlowStorage(random), new Server(random, renews)];
    // One tab alone needs no lock.
    const authentication = { storage, lock: <T>(run: () => Promise<T>) => run() };
    const open = () => createClient(rest('http://server', { fetch: server.fetch, retry: false }), { authentication });
    const client = open();
    const told: string[] = [];
    for (const event of ['login', 'logout']) client.on(event as 'login', () => told.push(event));
    const steps: string[] = [];
    const asked: Promise<unknown>[] = [];
    let last = 'logout';
    const ask = (call: Promise<unknown>): void => void asked.push(call.catch((error: unknown) => error));
    const kinds: Record<string, () => void> = {
      login: () => ask(client.authenticate({ strategy: 'own', user: (last = `user ${String(random.below(3))}`) })),
      logout: () => {
        last = 'logout';
        ask(client.logout());
      },
      call: () => ask(client.service('who').find()),
      ...(renews && { expire: () => server.expire() }),
      renew: () => ask(client.reAuthenticate(true)),
      wait: () => undefined,
    };
    for (let step = 3 + random.below(6); step > 0; step--) {
      const kind = random.pick(Object.keys(kinds));
      steps.push(kind);
      kinds[kind]!();
      if (kind === 'wait') await Promise.all(asked);
      else await aWhile(random);
    }
    await Promise.all(asked);
    const message = `round ${String(round)} of seed ${String(SEED)}${renews ? '' : ' without renewals'}: ${steps.join(', ')}`;
    const expected = last === 'logout' ? 401 : { who: last };
    variety.tried(steps.join(', '));
    variety.took(last === 'logout' ? 'ends logged out' : 'ends logged in');
    if (told.length > 2) variety.took('several changes');
    if (steps.includes('login')) expect({ message, last: told.at(-1) }).toEqual({ message, last: last === 'logout' ? 'logout' : 'login' });
    // As the page goes on, and as it is when it is loaded again.
    for (const one of [client, open()]) {
      const found = await one
        .service('who')
        .find()
        .catch((error: unknown) => (error as { readonly code: unknown }).code);
      expect({ message, found }).toEqual({ message, found: expected });
    }
  }
  console.log(variety.report('STORAGE_SEED', SEED));
  variety.expect(300, { 'ends logged out': 50, 'ends logged in': 50, 'several changes': 50 });
}, 120_000);
