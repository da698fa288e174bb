import { DocDbService, sessionStore } from '@framework/adapter-docdb';
import { AuthenticationService, JWTStrategy, type AuthenticationConfiguration } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework } from '@framework/core';
import express, { errorHandler, json, rest, urlencoded, type Application } from '@framework/transport-express';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { sendJson, type Answer } from '@framework-internal/testing/http';
import {
  BrowserClient,
  logInAtProvider,
  startBadProvider,
  startChangeable,
  startOidcProvider,
  type BadProvider,
  type ChangeableServer,
  type OidcServer,
  type Page,
} from '@framework-internal/testing/oidc';
import type { Db } from 'mongodb';
import { oauth, type OAuthConfiguration, type OAuthOptions, type OAuthStrategy } from '../src/index.ts';

export const SECRET = 'a secret of more than thirty-two bytes, for tests';
/** Origin of the server as browsers see it, and of the page. */
export const API = 'https://api.example.com';
export const PAGE = 'https://app.example.com';
export const CLIENT = { clientId: 'shop', clientSecret: 'secret-of-the-shop-0123456789' };

/** A client for a provider of the harness. */
export function clientFor(name: string): object {
  return {
    client_id: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
    redirect_uris: [`${API}/oauth/${name}/callback`],
    post_logout_redirect_uris: [PAGE],
    token_endpoint_auth_method: 'client_secret_post',
    backchannel_logout_uri: `${API}/oauth/${name}/backchannel-logout`,
    backchannel_logout_session_required: true,
  };
}

export interface ShopOptions {
  /** Section `oauth`. */
  readonly oauth: OAuthConfiguration;
  /** The rest of the authentication configuration. */
  readonly authentication?: AuthenticationConfiguration;
  readonly strategies?: Readonly<Record<string, OAuthStrategy>>;
  readonly options?: OAuthOptions;
  readonly database: TestDatabase;
  /** Prefix of collections. Default: none. */
  readonly collections?: string;
  /** Registers further services before the authentication service. */
  readonly register?: (app: Application) => void;
}

export type ShopApplication = Application;

/** An application with users, sessions and logins at providers. */
export interface Shop {
  readonly app: ShopApplication;
  readonly authentication: AuthenticationService;
  readonly url: string;
  /** Prefix of its collections. */
  readonly collections: string;
  readonly db: Db;
  readonly users: { find(query?: object): Promise<Record<string, unknown>[]> };
  browser(): BrowserClient;
  stop(): Promise<void>;
}

let count = 0;

/** Starts an application. */
export async function startShop(options: ShopOptions, server?: ChangeableServer): Promise<Shop> {
  const at = server ?? (await startChangeable());
  try {
    return await startShopAt(options, at);
  } catch (error) {
    await at.stop();
    throw error;
  }
}

async function startShopAt(options: ShopOptions, at: ChangeableServer): Promise<Shop> {
  const { db } = options.database;
  const name = options.collections ?? `shop${String(++count)}`;
  const app = express(framework()) as Application;
  app.use(json()).use(urlencoded({ extended: true }));
  app.configure(rest());
  const users = db.collection(`${name}-users`);
  for (const field of ['oneId', 'twoId', 'badId', 'email']) await users.createIndex({ [field]: 1 }, { unique: true, sparse: true });
  app.use('users', new DocDbService({ Model: users }));
  app.service('users').hooks({ before: { create: [hashPassword('password')], patch: [hashPassword('password')] } });
  app.use('sessions', sessionStore(db.collection(`${name}-sessions`)));
  app.set('authentication', {
    secret: SECRET,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 1024, timeCost: 1 } },
    sessions: true,
    oauth: { origin: API, redirect: `${PAGE}/`, ...options.oauth },
    ...options.authentication,
  });
  options.register?.(app);
  const authentication = new AuthenticationService(app);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  for (const [strategy, instance] of Object.entries(options.strategies ?? {})) authentication.register(strategy, instance);
  app.use('authentication', authentication);
  app.configure(oauth(options.options));
  app.use(errorHandler({ logger: false }));
  await app.setup();
  at.listener = app as never;
  return {
    app,
    authentication,
    url: at.url,
    collections: name,
    db,
    users: { find: (query = {}) => users.find(query).toArray() },
    browser: () => new BrowserClient({ [API]: at.url }),
    stop: async () => {
      await app.teardown();
      await at.stop();
    },
  };
}

/** Two providers and an application that knows both. */
export interface TwoProviders {
  readonly database: TestDatabase;
  readonly server: ChangeableServer;
  readonly one: OidcServer;
  readonly two: OidcServer;
  readonly oauth: OAuthConfiguration;
  stop(): Promise<void>;
}

export async function startProviders(): Promise<TwoProviders> {
  const database = await startDatabase();
  const server = await startChangeable();
  const hosts = { [API]: server.url };
  const [one, two] = [await startOidcProvider([clientFor('one')], hosts), await startOidcProvider([clientFor('two')], hosts)];
  return {
    database,
    server,
    one,
    two,
    oauth: { one: { issuer: one.issuer, ...CLIENT }, two: { issuer: two.issuer, ...CLIENT } },
    stop: async () => {
      for (const running of [one, two, server]) await running.stop();
      await database.close();
    },
  };
}

/** A login that is between the provider and us: the browser has the answer of the provider and has not brought it yet. */
export interface Pending {
  /** Address of the authorization. */
  readonly authorization: URL;
  /** Address of the callback with the answer. */
  readonly callback: URL;
}

/** Begins a login at a provider that asks nobody anything. */
export async function begin(browser: BrowserClient, provider: string, query = ''): Promise<Pending> {
  const start = await browser.request(`${API}/oauth/${provider}${query}`);
  if (start.status !== 303) throw new Error(`The login began with ${start.status}: ${start.text}`);
  const authorization = new URL(String(start.headers.location));
  const answer = await browser.request(authorization.href);
  return { authorization, callback: new URL(String(answer.headers.location)) };
}

/** Brings the answer of a provider, and gives what the page finds behind its address, or the status. */
export async function finish(browser: BrowserClient, callback: URL | string): Promise<Readonly<Record<string, string>>> {
  const answer = await browser.request(String(callback));
  const { location } = answer.headers;
  if (location === undefined)
    return { status: String(answer.status), error: String(answer.body?.data?.error ?? /expired|failed/.exec(answer.text)?.[0]) };
  return answerAt({ url: location, answer: undefined });
}

/** Logs in at a provider, and gives the address of the page that the browser has come back to. */
export async function logIn(browser: BrowserClient, provider: string, name: string, query = ''): Promise<Page> {
  return logInAtProvider(browser, `${API}/oauth/${provider}${query}`, name);
}

/** @returns what a page finds behind its address */
export function answerAt(page: Page): Readonly<Record<string, string>> {
  const { url } = page;
  const at = Math.max(url.indexOf('#'), url.indexOf('?', Math.max(0, url.indexOf('#'))));
  return Object.fromEntries(new URLSearchParams(at < 0 ? '' : url.slice(at + 1)));
}

/** Sends a ticket as clients do that know no tickets. */
export function exchange(shop: Shop, ticket: unknown, more: object = {}): Promise<Answer> {
  return sendJson(shop.url, 'POST', '/authentication', { strategy: 'jwt', accessToken: ticket, ...more });
}

/** An application with two providers that do as they are told. */
export interface BadProviders {
  readonly database: TestDatabase;
  readonly bad: BadProvider;
  readonly also: BadProvider;
  readonly shop: Shop;
  /** Lets both do right again. */
  reset(): void;
  stop(): Promise<void>;
}

/** Starts an application whose providers `bad` and `also` may do wrong. */
export async function startBadProviders(): Promise<BadProviders> {
  const database = await startDatabase();
  const bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
  const also = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
  const shop = await startShop({
    oauth: { origins: [PAGE], bad: { issuer: bad.issuer, ...CLIENT }, also: { issuer: also.issuer, ...CLIENT } },
    authentication: { authStrategies: ['jwt', 'local', 'bad'], limiter: false },
    database,
  });
  return {
    database,
    bad,
    also,
    shop,
    reset() {
      bad.does = {};
      for (const provider of [bad, also]) provider.subject = 'ann';
    },
    async stop() {
      await shop.stop();
      await bad.stop();
      await also.stop();
      await database.close();
    },
  };
}
