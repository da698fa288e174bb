import type { TestDatabase } from '@framework-internal/testing/database';
import { sendJson } from '@framework-internal/testing/http';
import { startChangeable, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { API, begin, CLIENT, finish, PAGE, startShop, type Shop, startBadProviders, type BadProviders } from './harness.ts';

let providers: BadProviders;
let bad: BadProvider;
let also: BadProvider;
let shop: Shop;
let database: TestDatabase;
beforeAll(async () => {
  providers = await startBadProviders();
  ({ bad, also, shop, database } = providers);
});
beforeEach(() => providers.reset());
afterAll(() => providers.stop());

describe('O11 sizes and other servers', () => {
  it.each(['huge', 'redirect', 'broken', 'html', 500] as const)('an answer of the token address that is %s ends the login', async (how) => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    bad.does = { answers: { token: how } };
    const end = await finish(browser, callback);
    expect(end).not.toHaveProperty('access_token');
    expect(['failed', 'unavailable']).toContain(end.error);
  });

  it('a provider that is silent is waited for ten seconds', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    bad.does = { answers: { token: 'silence' } };
    expect(await finish(browser, callback)).toMatchObject({ error: 'unavailable' });
  });

  it('an unknown provider is 404, and so is one that is named as a method of objects', async () => {
    for (const name of ['unknown', 'constructor', '__proto__', 'hasOwnProperty', 'callback', 'bad%2fcallback']) {
      expect((await shop.browser().request(`${API}/oauth/${name}`)).status).toBe(404);
    }
  });
});

describe('a provider that is known by its addresses', () => {
  it('may say its name, and answer with an ID token beside the access token, which nobody looks at', async () => {
    const plain = {
      ...CLIENT,
      authorize_url: `${bad.issuer}/auth`,
      access_url: `${bad.issuer}/token`,
      profile_url: `${bad.issuer}/me`,
      scope: ['openid', 'email'],
    };
    const own = await startShop({ oauth: { bad: plain }, database });
    const browser = own.browser();
    bad.does = { claims: { sub: 'somebody else' } };
    expect(await finish(browser, (await begin(browser, 'bad')).callback)).toHaveProperty('access_token');
    expect(await own.users.find()).toMatchObject([{ badId: 'ann' }]);
    for (const how of ['html', 'broken'] as const) {
      bad.does = { answers: { token: how } };
      expect(await finish(browser, (await begin(browser, 'bad')).callback)).toMatchObject({ error: 'failed' });
    }
    await own.stop();
  });
});

describe('a provider whose list of addresses may not be read', () => {
  it('logs in without a verified address', async () => {
    const [authorize_url, access_url, profile_url] = ['auth', 'token', 'me'].map((path) => `${bad.issuer}/${path}`);
    const endpoints = { preset: 'github', scope: ['read:user'], authorize_url, access_url, profile_url };
    const own = await startShop({ oauth: { linkByEmail: true, bad: { ...CLIENT, ...endpoints } }, database });
    await own.app.service('users').create({ email: 'ann@example.com', emailVerified: true });
    const logIn = async (): Promise<Readonly<Record<string, string>>> => {
      const browser = own.browser();
      return finish(browser, (await begin(browser, 'bad')).callback);
    };
    // The profile says that its address is verified, which nobody has made sure of.
    expect(await logIn()).toMatchObject({ error: 'account-exists' });
    bad.subject = 'bob';
    expect(await logIn()).toHaveProperty('access_token');
    await own.stop();
  });
});

describe('addresses that are written otherwise than browsers write them', () => {
  it('are those of browsers: the page that is gone back to, and the callback', async () => {
    const own = await startShop({
      oauth: {
        redirect: 'HTTPS://App.Example.com:443',
        bad: { issuer: bad.issuer, ...CLIENT, redirect_uri: 'https://API.example.com:443/oauth/bad/callback' },
      },
      database,
    });
    const browser = own.browser();
    const { authorization, callback } = await begin(browser, 'bad', '?redirect=/orders');
    const answer = await browser.request(callback.href);
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      expect.stringMatching(/^https:\/\/app\.example\.com\/orders#access_token=/),
    ]);
    const sent = [authorization.searchParams, bad.tokenRequests.at(-1)].map((query) => query?.get('redirect_uri'));
    expect(sent).toEqual([`${API}/oauth/bad/callback`, `${API}/oauth/bad/callback`]);
    await own.stop();
  });

  it.each([
    ['127.0.0.1', 80, 'http://127.0.0.1'],
    ['0.0.0.0', 3030, 'http://localhost:3030'],
    ['::', '3030', 'http://localhost:3030'],
    ['::1', 3030, 'http://[::1]:3030'],
  ])('are made of what the application listens at: %s %s', async (host, port, origin) => {
    const own = await startShop({
      oauth: { origin: undefined, bad: { issuer: bad.issuer, ...CLIENT } } as never,
      database,
      register: (app) => void app.set('host' as never, host as never).set('port' as never, port as never),
    });
    const start = await own.browser().request(`${own.url}/oauth/bad`);
    expect(new URL(String(start.headers.location)).searchParams.get('redirect_uri')).toBe(`${origin}/oauth/bad/callback`);
    await own.stop();
  });
});

describe('O13 a provider that is down', () => {
  it('fails its own login alone, and works as soon as it is back', async () => {
    const server = await startChangeable();
    const broken = await startShop({
      oauth: { bad: { issuer: server.url, ...CLIENT }, also: { issuer: also.issuer, ...CLIENT } },
      database,
    });
    const browser = broken.browser();
    expect((await browser.request(`${API}/oauth/bad`)).status).toBe(503);
    expect(await finish(browser, (await begin(browser, 'also')).callback)).toHaveProperty('access_token');
    server.listener = (_req, res) =>
      void res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ issuer: server.url, authorization_endpoint: `${server.url}/auth`, token_endpoint: `${server.url}/token` }));
    expect((await browser.request(`${API}/oauth/bad`)).status).toBe(303);
    await broken.stop();
    await server.stop();
  });
});

describe('S46 a store of what was used that is down', () => {
  it('lets nobody in, and is answered with 503', async () => {
    const down = async (): Promise<never> => Promise.reject(new Error('the store is down'));
    const own = await startShop({
      oauth: { bad: { issuer: bad.issuer, ...CLIENT, idToken: { audiences: ['phone'] } } },
      authentication: { authStrategies: ['jwt', 'bad'], limiter: { store: { attempt: down, restore: down, reset: down } } },
      database,
    });
    const browser = own.browser();
    const answer = await browser.request((await begin(browser, 'bad')).callback.href, { headers: { accept: 'application/json' } });
    const seconds = Math.floor((performance.timeOrigin + performance.now()) / 1000);
    const claims = { iss: bad.issuer, aud: 'phone', sub: 'ann', nonce: 'n', iat: seconds, exp: seconds + 100 };
    const data = { strategy: 'bad', idToken: await bad.sign(claims), nonce: 'n' };
    const login = await sendJson(own.url, 'POST', '/authentication', data);
    expect([answer.status, login.status, await own.users.find()]).toEqual([503, 503, []]);
    expect(answer.text).not.toContain('the store is down');
    await own.stop();
  });
});

const SIGNS_USERINFO = { userinfo_signing_alg_values_supported: ['RS256'] };

describe('O5 O8 O11 what a provider says that does wrong', () => {
  const wrong: readonly [what: string, does: BadProvider['does']][] = [
    ['the answer names another issuer', { iss: 'https://evil.example.com' }],
    ['the answer names no issuer although the metadata say it does', { iss: null }],
    ['the token is of another issuer', { claims: { iss: 'https://evil.example.com' } }],
    ['the token is for another client', { claims: { aud: 'other' } }],
    ['the token is for many and made for another', { claims: { aud: ['shop', 'other'], azp: 'other' } }],
    ['the nonce is another one', { claims: { nonce: 'other' } }],
    ['there is no nonce', { claims: { nonce: undefined } }],
    ['the token has expired', { claims: { exp: 1_000_000_000 } }],
    ['there is no expiry', { claims: { exp: undefined } }],
    ['there is no subject', { claims: { sub: undefined } }],
    ['the subject is empty', { claims: { sub: '' } }],
    ['the subject is an object', { claims: { sub: { $ne: null } } }],
    ['the subject is a number', { claims: { sub: 5 } }],
    ['the subject is too long', { claims: { sub: 'x'.repeat(256) }, userinfo: { sub: 'x'.repeat(256) } }],
    ['userinfo is of somebody else', { userinfo: { sub: 'victim' } }],
    ['the token has no signature', { signature: 'none' }],
    ['and the metadata allow that', { signature: 'none', metadata: { id_token_signing_alg_values_supported: ['none'] } }],
    ['the token is signed with the secret of the client', { signature: 'HS256' }],
    ['and the metadata allow that', { signature: 'HS256', metadata: { id_token_signing_alg_values_supported: ['HS256'] } }],
    ['the token is signed with another key', { signature: 'other-key' }],
    ['the token is signed with a key that there is not', { signature: 'unknown-kid' }],
    ['userinfo is too large', { answers: { userinfo: 'huge' } }],
    ['userinfo is signed with another key', { userinfoToken: 'other-key', metadata: SIGNS_USERINFO }],
    ['the keys are elsewhere', { answers: { jwks: 'redirect' } }],
  ];
  it('a login counts whose provider has changed its key a moment ago', async () => {
    const fresh = await startShop({ oauth: { origins: [PAGE], bad: { issuer: bad.issuer, ...CLIENT } }, database });
    bad.does = {};
    for (const round of [1, 2, 3]) {
      const browser = fresh.browser();
      const { callback } = await begin(browser, 'bad');
      expect([round, await finish(browser, callback)]).toEqual([round, expect.objectContaining({ access_token: expect.any(String) })]);
      await bad.rotate();
    }
    await fresh.stop();
  });

  it('a profile that comes as a token counts, signed with the key of the provider', async () => {
    const fresh = await startShop({ oauth: { origins: [PAGE], bad: { issuer: bad.issuer, ...CLIENT } }, database });
    bad.does = { userinfoToken: 'own-key', metadata: SIGNS_USERINFO };
    const browser = fresh.browser();
    const { callback } = await begin(browser, 'bad');
    expect(await finish(browser, callback)).toMatchObject({ access_token: expect.any(String) });
    await fresh.stop();
  });

  it.each(wrong)('logs nobody in: %s', async (_what, does) => {
    // Metadata and keys are read once for a configuration.
    const fresh = await startShop({ oauth: { origins: [PAGE], bad: { issuer: bad.issuer, ...CLIENT } }, database });
    bad.does = does;
    const browser = fresh.browser();
    const { callback } = await begin(browser, 'bad');
    const end = await finish(browser, callback);
    expect(end).not.toHaveProperty('access_token');
    expect(['failed', 'unavailable']).toContain(end.error);
    expect(await fresh.users.find()).toEqual([]);
    await fresh.stop();
  });

  it('a login is no older than the settings ask for, whatever the page or the provider makes of that', async () => {
    const fresh = await startShop({
      oauth: { origins: [PAGE], bad: { issuer: bad.issuer, ...CLIENT, parameters: { max_age: '60' } } },
      database,
    });
    const now = Math.floor((performance.timeOrigin + performance.now()) / 1000);
    const ends: [asked: string | null, isLoggedIn: boolean][] = [];
    for (const [claims, query] of [
      [{ auth_time: now }, ''],
      [{ auth_time: now - 300 }, ''],
      [{ auth_time: now - 300 }, '?max_age=9999'],
      [{}, ''],
      [{ auth_time: String(now) }, ''],
    ] as const) {
      bad.does = { claims };
      const browser = fresh.browser();
      const { authorization, callback } = await begin(browser, 'bad', query);
      const end = await finish(browser, callback);
      ends.push([authorization.searchParams.get('max_age'), 'access_token' in end]);
      if (!('access_token' in end)) expect(end.error).toBe('failed');
    }
    expect(ends).toEqual([
      ['60', true],
      ['60', false],
      ['9999', false],
      ['60', false],
      ['60', false],
    ]);
    await fresh.stop();
  });

  it('metadata that can not be read, are of another issuer, or have addresses without HTTPS, are no metadata', async () => {
    const ends: unknown[] = [];
    const fresh = await startShop({ oauth: { bad: { issuer: bad.issuer, ...CLIENT } }, database });
    fresh.app.on('oauth-failed', ({ reason }) => ends.push(reason));
    const wrong: readonly BadProvider['does'][] = [
      { answers: { metadata: 'html' } },
      { answers: { metadata: 'broken' } },
      { answers: { metadata: 'jwt' } },
      { metadata: { issuer: 'https://evil.example.com' } },
      { metadata: { authorization_endpoint: 'http://example.com/auth' } },
      { metadata: { authorization_endpoint: 'javascript:alert(1)' } },
      { metadata: { token_endpoint: 'http://example.com/token' } },
      { metadata: { token_endpoint: undefined } },
      { metadata: { jwks_uri: 'http://example.com/jwks' } },
      { metadata: { end_session_endpoint: 'javascript:alert(1)' } },
    ];
    for (const does of wrong) {
      bad.does = does;
      for (const path of ['bad', 'bad/logout']) expect((await fresh.browser().request(`${API}/oauth/${path}`)).status).toBe(503);
    }
    expect(ends).toEqual([
      ...[1, 2, 3, 4].map(() => expect.stringContaining('ProviderFault: The metadata of the provider can not be read, or are not')),
      ...['authorization_endpoint', 'authorization_endpoint', 'token_endpoint', 'token_endpoint', 'jwks_uri', 'end_session_endpoint'].map(
        (name) => expect.stringContaining(`have no '${name}' with HTTPS`),
      ),
    ]);
    bad.does = {};
    const browser = fresh.browser();
    expect(await finish(browser, (await begin(browser, 'bad')).callback)).toHaveProperty('access_token');
    await fresh.stop();
  });
});
