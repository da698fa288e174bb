import authenticationModule from '@feathersjs/authentication-client';
import { feathers } from '@feathersjs/feathers';
import restModule from '@feathersjs/rest-client';
import { AuthenticationService, JWTStrategy, type AuthenticationRequest, type AuthenticationResult } from '@framework/authentication';
import { framework, type Application } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oauth, OAuthStrategy, type OAuthParams, type OAuthProfile } from '../src/index.ts';
import { PROVIDER_LOGIN } from '../src/strategy/verified.ts';
import { begin, CLIENT, finish, SECRET, startShop } from './harness.ts';

type Configure = (app: object) => void;
// Their declarations do not say that Node.js gives a CommonJS module as the default export.
const createAuthenticationClient = authenticationModule as unknown as (options: object) => Configure;
const createRestClient = restModule as unknown as (url: string) => { fetch(send: typeof fetch): Configure };

class TestStrategy extends OAuthStrategy {
  override async getEntityData(profile: OAuthProfile, existing: Readonly<Record<string, unknown>> | null, params: OAuthParams) {
    return { ...(await super.getEntityData(profile, existing, params)), name: profile.name };
  }
}

function createApp(
  section: object = {},
  settings: Readonly<Record<string, unknown>> = {},
): {
  app: Application;
  service: AuthenticationService;
  strategy: TestStrategy;
  users: MemoryService;
} {
  const app = framework() as Application;
  for (const [name, value] of Object.entries(settings)) app.set(name, value);
  app.set('authentication', {
    secret: SECRET,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt'],
    oauth: { origin: 'https://api.example.com', test: { key: 'id', secret: 's', issuer: 'https://id.example.com' }, ...section },
  });
  const users = new MemoryService({ startId: 1 });
  app.use('users', users);
  const service = new AuthenticationService(app);
  const strategy = new TestStrategy();
  service.register('jwt', new JWTStrategy());
  service.register('test', strategy);
  app.use('authentication', service);
  app.configure(oauth());
  return { app, service, strategy, users };
}

/** What the flow gives to a strategy once a provider has answered. */
const answered = (profile: object): AuthenticationRequest => ({
  strategy: 'test',
  [PROVIDER_LOGIN]: { redeem: async () => Promise.resolve({ profile, access_token: 'x', raw: {} }), link: undefined },
});

describe('the strategy, as the one of FeathersJS', () => {
  it('has its settings, with those of the entities', () => {
    const { strategy } = createApp();
    expect(strategy.configuration).toMatchObject({ entity: 'user', service: 'users', clientId: 'id' });
    expect(strategy.entityId).toBe('id');
  });

  it('getRedirect with an access token, and with an error', async () => {
    const redirect = async (at: string, result: AuthenticationResult | Error): Promise<string | null> =>
      createApp({ redirect: at }).strategy.getRedirect(result, {});
    expect(await redirect('https://feathersjs.com/', { accessToken: 'testing' })).toBe('https://feathersjs.com/#access_token=testing');
    expect(await redirect('https://feathersjs.com/?', { accessToken: 'testing' })).toBe('https://feathersjs.com/?access_token=testing');
    expect(await redirect('https://feathersjs.com/#dashboard', { accessToken: 'testing' })).toBe(
      'https://feathersjs.com/#dashboard?access_token=testing',
    );
    expect(await redirect('https://feathersjs.com/', new Error('something went wrong'))).toBe('https://feathersjs.com/#error=failed');
  });

  it('getRedirect without a setting gives nothing', async () => {
    expect(await createApp().strategy.getRedirect({ accessToken: 'testing' }, {})).toBeNull();
  });

  it('getRedirect puts what was asked for behind it', async () => {
    const { strategy } = createApp({ redirect: 'https://feathersjs.com/' });
    expect(await strategy.getRedirect({ accessToken: 't' }, { redirect: '/hi-there' })).toBe(
      'https://feathersjs.com/hi-there#access_token=t',
    );
    await expect(strategy.getRedirect({ accessToken: 't' }, { redirect: '@evil.com' })).rejects.toMatchObject({ code: 400 });
  });

  it('getAllowedOrigin takes the page that is listed, else the first', async () => {
    const { strategy } = createApp({ origins: ['https://feathersjs.com', 'https://docs.feathersjs.com'] });
    expect(await strategy.getAllowedOrigin({ headers: { referer: 'https://docs.feathersjs.com/somewhere' } })).toBe(
      'https://docs.feathersjs.com',
    );
    expect(await strategy.getAllowedOrigin({ headers: { referer: 'https://example.com' } })).toBe('https://feathersjs.com');
    expect(await strategy.getAllowedOrigin({})).toBe('https://feathersjs.com');
  });

  it("getAllowedOrigin takes the application's setting 'origins', which its generator writes, where the section says nothing", async () => {
    const origins = ['https://feathersjs.com', 'https://docs.feathersjs.com'];
    const headers = { referer: 'https://docs.feathersjs.com/somewhere' };
    const allowed = async (section: object): Promise<string | undefined> =>
      createApp(section, { origins }).strategy.getAllowedOrigin({ headers });
    expect(await allowed({})).toBe('https://docs.feathersjs.com');
    expect(await allowed({ origins: [] })).toBeUndefined();
    expect(await allowed({ redirect: 'https://app.example.com/' })).toBe('https://app.example.com/');
    expect(await allowed({ origins: ['https://feathersjs.com'] })).toBe('https://feathersjs.com');
    const { strategy } = createApp({}, { origins });
    expect(await strategy.getRedirect({ accessToken: 't' }, { redirect: '/in' })).toBe('https://feathersjs.com/in#access_token=t');
  });

  it("the application's setting 'origins' is refused where it can not be where browsers go", () => {
    for (const origins of [['*'], ['https://app.example.com/path']])
      expect(() => createApp({}, { origins })).toThrow("'authentication.oauth.origins' must be");
    expect(() => createApp({ redirect: 'https://app.example.com/' }, { origins: ['*'] })).not.toThrow();
    const { NODE_ENV } = process.env;
    process.env.NODE_ENV = 'production';
    try {
      const section = { origin: 'https://api.example.com' };
      expect(() => createApp(section, { origins: ['http://app.example.com'] })).toThrow(
        "the application's setting 'origins', or set: origins with HTTPS",
      );
      expect(() => createApp(section, { origins: ['http://localhost:3030'] })).not.toThrow();
    } finally {
      process.env.NODE_ENV = NODE_ENV;
    }
  });

  it('authenticate makes an entity, and updates it the next time', async () => {
    const { service, users } = createApp();
    const first = await service.authenticate(answered({ sub: 'ann', name: 'Ann' }), {}, 'test');
    expect(first).toMatchObject({ authentication: { strategy: 'test' }, user: { id: 1, testId: 'ann', name: 'Ann' } });
    const second = await service.authenticate(answered({ sub: 'ann', name: 'Ann Lee' }), {}, 'test');
    expect(second.user).toEqual({ id: 1, testId: 'ann', name: 'Ann Lee' });
    expect(users.store.size).toBe(1);
  });

  it.each([undefined, null, '', 0.5, Number.NaN, {}, [], { $ne: null }, true, 2 ** 60, 'x'.repeat(256)])(
    'O8 a subject that is none is nobody: %j',
    async (sub) => {
      const { service, users } = createApp();
      await users.create({ name: 'without an identity' });
      await expect(service.authenticate(answered({ sub }), {}, 'test')).rejects.toMatchObject({ code: 401 });
      expect(users.store.size).toBe(1);
    },
  );

  it('O8 two entities of one identity are nobody, however few a page of them has, and whatever the query asks for', async () => {
    const { service, strategy, users } = createApp();
    for (const name of ['Ann', 'Bob']) await users.create({ name, testId: 'ann' });
    const two = { code: 401, message: 'More than one entity has this identity' };
    users.options.paginate = { default: 1, max: 1 };
    await expect(service.authenticate(answered({ sub: 'ann' }), {}, 'test')).rejects.toMatchObject(two);
    strategy.getEntityQuery = async ({ sub }) => Promise.resolve({ testId: sub, $limit: 1 });
    await expect(service.authenticate(answered({ sub: 'ann' }), {}, 'test')).rejects.toMatchObject(two);
  });

  it('O8 numbers are kept as text', async () => {
    const { service } = createApp();
    expect(await service.authenticate(answered({ id: 583_231 }), {}, 'test')).toMatchObject({ user: { testId: '583231' } });
  });
});

describe('the unchanged client of FeathersJS 5.0.50', () => {
  let database: TestDatabase;
  let bad: BadProvider;
  beforeAll(async () => {
    database = await startDatabase();
    bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
  });
  afterAll(async () => {
    await bad.stop();
    await database.close();
  });

  /** A page at an address, with the client in it. */
  function openPage(url: string, hash: string, stored = new Map<string, string>()) {
    const location = { hash, search: '', pathname: '/', href: `https://app.example.com/${hash}` };
    const storage = {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
      removeItem: (name: string) => stored.delete(name),
    };
    const client = feathers();
    client.configure(createRestClient(url).fetch(fetch));
    client.configure(createAuthenticationClient({ storage }));
    return { client, stored, location };
  }

  it('takes the ticket from the address of the page, and has a token that is none afterwards', async () => {
    const shop = await startShop({ oauth: { bad: { issuer: bad.issuer, ...CLIENT } }, authentication: { limiter: false }, database });
    const browser = shop.browser();
    const { access_token: ticket } = await finish(browser, (await begin(browser, 'bad')).callback);
    const { client, stored, location } = openPage(shop.url, `#access_token=${String(ticket)}`);
    Object.assign(globalThis, { window: { location } });
    try {
      const login = await client.reAuthenticate();
      expect(login).toMatchObject({ user: { badId: 'ann' } });
      expect(location.hash).toMatch(/^#?$/);
      const token = stored.get('feathers-jwt');
      expect(token).not.toBe(ticket);
      expect(token).toBe(login.accessToken);
      expect(await client.service('authentication/sessions').find()).toHaveLength(1);
      // The same page again, and another with the ticket that was used.
      expect(await openPage(shop.url, '', stored).client.reAuthenticate()).toMatchObject({ user: { badId: 'ann' } });
      const replay = openPage(shop.url, `#access_token=${String(ticket)}`);
      Object.assign(globalThis, { window: { location: replay.location } });
      await expect(replay.client.reAuthenticate()).rejects.toMatchObject({ code: 401 });
      expect(replay.stored.size).toBe(0);
    } finally {
      Reflect.deleteProperty(globalThis, 'window');
    }
    await shop.stop();
  });

  it('is told of an error by its code', async () => {
    const shop = await startShop({ oauth: { bad: { issuer: bad.issuer, ...CLIENT } }, authentication: { limiter: false }, database });
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    const { error } = await finish(browser, callback);
    const { client, location } = openPage(shop.url, `#error=${String(error)}`);
    Object.assign(globalThis, { window: { location } });
    try {
      await expect(client.reAuthenticate()).rejects.toMatchObject({ message: 'access_denied' });
    } finally {
      Reflect.deleteProperty(globalThis, 'window');
    }
    await shop.stop();
  });
});
