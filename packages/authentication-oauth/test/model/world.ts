import { createHash, randomBytes } from 'node:crypto';
import type { TestDatabase } from '@framework-internal/testing/database';
import { sendJson, type Answer } from '@framework-internal/testing/http';
import { startBadProvider, type BadProvider, type BrowserClient } from '@framework-internal/testing/oidc';
import { answerAt, API, CLIENT, exchange, finish, startShop, type Shop } from '../harness.ts';

export const PASSWORD = 'right password';
export const PROVIDERS = ['one', 'two'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Somebody with a browser; `eve` is the attacker. */
export interface Person {
  readonly name: string;
  readonly browser: BrowserClient;
  /** Access token, while logged in. */
  token: string | undefined;
  /** Id of the entity that the token is of. */
  user: string;
}

/** A login that is under way. */
export interface Flow {
  readonly owner: Person;
  readonly provider: ProviderName;
  readonly authorization: URL;
  readonly callback: URL;
  /** Cookie of the flow. */
  readonly cookie: { readonly name: string; readonly value: string };
  /** Verifier of the page, for a ticket that is bound to it. */
  readonly verifier: string | undefined;
  /** Token and entity of who links. */
  readonly link: { readonly token: string; readonly user: string } | undefined;
  /** Whether its state counts no more, and whether somebody else has used its code up. */
  used: boolean;
  spoiled: boolean;
}

/** A ticket that its page has not exchanged. */
export interface Ticket {
  readonly owner: Person;
  readonly text: string;
  readonly verifier: string | undefined;
  readonly user: string;
  dead: boolean;
}

/** A shop, two providers that ask nobody anything, two victims and an attacker. */
export class World {
  readonly shop: Shop;
  readonly providers: Readonly<Record<ProviderName, BadProvider>>;
  people: Person[] = [];
  flows: Flow[] = [];
  tickets: Ticket[] = [];

  private constructor(shop: Shop, providers: World['providers']) {
    this.shop = shop;
    this.providers = providers;
  }

  static async start(database: TestDatabase): Promise<World> {
    const make = (): Promise<BadProvider> => startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
    const [one, two] = [await make(), await make()];
    const oauth = { linkByEmail: true, one: { issuer: one.issuer, ...CLIENT }, two: { issuer: two.issuer, ...CLIENT } };
    const shop = await startShop({ oauth, authentication: { limiter: false, authStrategies: ['jwt', 'local', 'one', 'two'] }, database });
    const world = new World(shop, { one, two });
    await world.reset();
    return world;
  }

  /** Everybody is new, with an account of their own at the shop. */
  async reset(): Promise<void> {
    for (const kind of ['users', 'sessions']) await this.shop.db.collection(`${this.shop.collections}-${kind}`).deleteMany({});
    this.flows = [];
    this.tickets = [];
    this.people = ['ann', 'bob', 'eve'].map((name) => ({ name, browser: this.shop.browser(), token: undefined, user: '' }));
    for (const { name } of this.people)
      await this.shop.app.service('users').create({ email: `${name}@own.example.com`, password: PASSWORD, person: name });
  }

  async stop(): Promise<void> {
    await this.shop.stop();
    for (const name of PROVIDERS) await this.providers[name].stop();
  }

  /** Logs in with the password. */
  async logInLocal(person: Person): Promise<void> {
    const { body } = await sendJson(this.shop.url, 'POST', '/authentication', {
      strategy: 'local',
      email: `${person.name}@own.example.com`,
      password: PASSWORD,
    });
    Object.assign(person, { token: String(body.accessToken), user: String(body.user._id) });
  }

  /** Begins a login or a link, and brings the browser to the answer of the provider. */
  async begin(
    owner: Person,
    provider: ProviderName,
    { bound, link, redirect }: { bound: boolean; link: boolean; redirect: string },
  ): Promise<Flow | Answer> {
    const verifier = bound ? randomBytes(32).toString('base64url') : undefined;
    const query = {
      redirect,
      ...(verifier === undefined ? {} : { code_challenge: createHash('sha256').update(verifier).digest('base64url') }),
    };
    const start = link
      ? await owner.browser.request(`${API}/oauth/${provider}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${String(owner.token)}` },
          body: JSON.stringify(query),
        })
      : await owner.browser.request(`${API}/oauth/${provider}?${new URLSearchParams(query).toString()}`);
    const address = link ? start.body?.location : start.headers.location;
    if (typeof address !== 'string') return start;
    const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(start.headers['set-cookie']?.at(-1) ?? '') ?? [];
    const callback = await this.authorize(owner, provider, new URL(address));
    const flow = {
      owner,
      provider,
      authorization: new URL(address),
      callback,
      cookie: { name, value },
      verifier,
      link: link ? { token: String(owner.token), user: owner.user } : undefined,
    };
    const begun: Flow = { ...flow, used: false, spoiled: false };
    this.flows.push(begun);
    return begun;
  }

  /** What a provider answers to who is logged in there. */
  async authorize(owner: Person, provider: ProviderName, address: URL): Promise<URL> {
    this.providers[provider].subject = owner.name;
    return new URL(String((await owner.browser.request(address.href)).headers.location));
  }

  /** Whether the browser of the owner still has the cookie of a flow. */
  isOpen({ owner, cookie, used }: Flow): boolean {
    return !used && owner.browser.jar(API).get(cookie.name) === cookie.value;
  }

  /** How many codes the providers were asked to exchange. */
  get exchanged(): number {
    return this.providers.one.tokenRequests.length + this.providers.two.tokenRequests.length;
  }

  async finish(person: Person, callback: URL): Promise<Readonly<Record<string, string>>> {
    return finish(person.browser, callback);
  }

  async exchange(ticket: string, verifier: string | undefined): Promise<Answer> {
    return exchange(this.shop, ticket, verifier === undefined ? {} : { codeVerifier: verifier });
  }

  /** Whether a token still counts. */
  async isLoggedIn(token: string): Promise<boolean> {
    return (
      (await sendJson(this.shop.url, 'GET', '/authentication/sessions', undefined, { authorization: `Bearer ${token}` })).status === 200
    );
  }

  /** @returns the entity of an identity */
  async entityOf(provider: ProviderName, name: string): Promise<Record<string, unknown> | undefined> {
    return (await this.shop.users.find({ [`${provider}Id`]: name }))[0];
  }

  /** @returns entities that belong to two people: there must be none */
  async mixed(): Promise<Record<string, unknown>[]> {
    return (await this.shop.users.find()).filter((entity) => new Set(namesOf(entity)).size > 1);
  }
}

/** @returns whose an entity is, by each of its marks */
export function namesOf({ oneId, twoId, person }: Readonly<Record<string, unknown>>): unknown[] {
  return [oneId, twoId, person].filter((name) => name !== undefined);
}

export const isFlow = (value: Flow | Answer): value is Flow => 'callback' in value;
export { answerAt };
