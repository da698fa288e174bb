import { NotAuthenticated } from '@framework/errors';
import { Random } from '@framework-internal/random';
import { startDatabase, type TestDatabase } from '@framework-internal/testing';
import { sendJson } from '@framework-internal/testing/http';
import { startBadProvider, startChangeable, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EncryptJWT } from 'jose';
import { answerAt, API, begin, CLIENT, exchange, finish, PAGE, startShop, type Shop } from './harness.ts';
import { PAYLOADS } from './redirect-payloads.ts';

let database: TestDatabase;
let bad: BadProvider;
let also: BadProvider;
let shop: Shop;
beforeAll(async () => {
  database = await startDatabase();
  bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
  also = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
  shop = await startShop({
    oauth: { origins: [PAGE], bad: { issuer: bad.issuer, ...CLIENT }, also: { issuer: also.issuer, ...CLIENT } },
    authentication: { authStrategies: ['jwt', 'local', 'bad'], limiter: false },
    database,
  });
});
beforeEach(() => {
  bad.does = {};
  bad.subject = 'ann';
  also.subject = 'ann';
});
afterAll(async () => {
  await shop.stop();
  await bad.stop();
  await also.stop();
  await database.close();
});

const EXPIRED = { status: '401', error: 'expired' };
const FAILED = { error: 'failed', error_id: expect.any(String) };
const codes = (): number => bad.tokenRequests.length;

describe('S30 O1 the profile comes from the provider alone', () => {
  it('CVE-2026-29792: a profile, tokens and raw answers in the callback are not looked at', async () => {
    const query = 'profile[id]=1&profile[sub]=victim&access_token=x&raw[sub]=victim&grant[response][profile][id]=1&id_token=x&user=%7B%7D';
    expect(await finish(shop.browser(), `${API}/oauth/bad/callback?${query}`)).toEqual(EXPIRED);
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    const { access_token: ticket } = await finish(browser, `${callback.href}&${query}`);
    expect((await exchange(shop, ticket)).body.user.badId).toBe('ann');
  });

  it.each([
    { profile: { sub: 'ann' } },
    { profile: { id: 'ann' }, access_token: 'x', raw: { sub: 'ann' } },
    { oauth: { profile: { sub: 'ann' } } },
    { 'framework.provider-login': { redeem: {} } },
    { idToken: 'x', nonce: 'y' },
  ])('nor in a login over HTTP, although the strategy may log in: %j', async (data) => {
    const answer = await sendJson(shop.url, 'POST', '/authentication', { strategy: 'bad', ...data });
    expect(answer.status).toBe(401);
  });

  it('nor in a call of the server that passes on what a client has sent', async () => {
    const data = { strategy: 'bad', profile: { sub: 'ann' } };
    await expect(shop.authentication.create(data, {})).rejects.toThrow(NotAuthenticated);
  });
});

describe('S28 O2 redirects', () => {
  it('CVE-2026-27191, CVE-2026-27192: no payload leads the browser to another origin, at the start or at the end', async () => {
    const browser = shop.browser();
    const led = [];
    for (const payload of PAYLOADS) {
      const start = await browser.request(`${API}/oauth/bad?redirect=${encodeURIComponent(payload)}`);
      if (start.status === 400) continue;
      expect([payload, start.status]).toEqual([payload, 303]);
      const back = await browser.request(String(start.headers.location));
      const end = await browser.request(String(back.headers.location));
      led.push(new URL(String(end.headers.location)).origin);
    }
    expect(led.length).toBeGreaterThan(5);
    expect(new Set(led)).toEqual(new Set([PAGE]));
  });

  it('what was allowed at the start is looked at again at the end', async () => {
    const browser = shop.browser();
    const before = shop.app.get('authentication') as { oauth: object };
    shop.app.set('authentication', { ...before, oauth: { ...before.oauth, origins: [PAGE, 'https://old.example.com'] } });
    const { callback } = await begin(browser, 'bad', `?redirect=${encodeURIComponent('https://old.example.com/home')}`);
    shop.app.set('authentication', before);
    const end = await browser.request(callback.href);
    expect([end.status, end.headers.location]).toEqual([400, undefined]);
  });

  it('the origin of the page decides among those that are listed, and no other', async () => {
    for (const referer of [`${PAGE}/login`, 'https://app.example.com.evil.com/', 'https://evil.com/', 'not a URL']) {
      const browser = shop.browser();
      const start = await browser.request(`${API}/oauth/bad`, { headers: { referer } });
      const back = await browser.request(String(start.headers.location));
      const end = await browser.request(String(back.headers.location));
      expect(new URL(String(end.headers.location)).origin).toBe(PAGE);
    }
  });
});

describe('S32 O3 the cookie of a flow', () => {
  it('CVE-2026-27193: is encrypted, and has the record of the flow alone', async () => {
    const browser = shop.browser();
    const start = await browser.request(`${API}/oauth/bad?redirect=/home`, { headers: { 'x-secret-header': 'header of the proxy' } });
    const [cookie, ...others] = start.headers['set-cookie'] ?? [];
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^__Host-oauth-[\w-]{8}=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/);
    expect(Buffer.byteLength(String(cookie))).toBeLessThan(1500);
    const [header, key] = String(/=([^;]+)/.exec(String(cookie))?.[1]).split('.');
    expect(JSON.parse(Buffer.from(String(header), 'base64url').toString())).toEqual({ alg: 'dir', enc: 'A256GCM', typ: 'oauth-flow' });
    expect(key).toBe('');
    const state = new URL(String(start.headers.location)).searchParams.get('state');
    expect(Buffer.from(String(cookie), 'base64').toString('latin1')).not.toContain(state);
    expect(start.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(start.headers['content-security-policy']).toBe("frame-ancestors 'none'");
  });

  it('is taken away by the answer, whose address is sent to no other page', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    const end = await browser.request(callback.href);
    expect(end.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-oauth-[\w-]{8}=; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=0$/),
    ]);
    expect(end.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(browser.jar(API).size).toBe(0);
  });

  it('there are five at most; the oldest goes, and what is not ours before it', async () => {
    const browser = shop.browser();
    const first = await begin(browser, 'bad');
    browser.jar(API).set('__Host-oauth-00000000', 'not ours');
    for (let tab = 0; tab < 4; tab++) await begin(browser, 'bad');
    expect([...browser.jar(API).keys()].filter((name) => name.startsWith('__Host-oauth-'))).toHaveLength(5);
    expect(browser.jar(API).has('__Host-oauth-00000000')).toBe(false);
    expect(await finish(browser, first.callback)).toHaveProperty('access_token');
  });

  it('one that somebody else has made with another key is none', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    const [[name = ''] = []] = browser.jar(API);
    const content = {
      provider: 'bad',
      server: bad.issuer,
      client: 'shop',
      redirectUri: `${API}/oauth/bad/callback`,
      state: callback.searchParams.get('state'),
    };
    for (const [key, header] of [
      [Buffer.alloc(32, 1), { alg: 'dir', enc: 'A256GCM', typ: 'oauth-flow' }],
      [Buffer.alloc(32), { alg: 'dir', enc: 'A256GCM', typ: 'oauth-flow' }],
    ] as const) {
      const forged = await new EncryptJWT({ ...content, nonce: 'n', verifier: 'v'.repeat(43), base: PAGE, redirect: '' })
        .setProtectedHeader(header)
        .setIssuedAt()
        .setExpirationTime('10m')
        .encrypt(key);
      browser.jar(API).set(name, forged);
      expect(await finish(browser, callback)).toEqual(EXPIRED);
    }
  });
});

describe('S29 O4 O5 state', () => {
  it('CVE-2026-81888: an answer without a state is none', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    callback.searchParams.delete('state');
    expect(await finish(browser, callback)).toEqual(EXPIRED);
    expect(await finish(browser, `${callback.href}&state=`)).toEqual(EXPIRED);
  });

  it.each(['state[]=a', 'state[x]=a', 'state=a&state=b', 'code[]=a', 'code[$ne]=a', 'iss[]=a', 'error[]=x'])(
    'CVE-2026-29793: a parameter that is no text ends the flow: %s',
    async (more) => {
      const browser = shop.browser();
      const { callback } = await begin(browser, 'bad');
      const [name = ''] = more.split(/[[=]/);
      callback.searchParams.delete(name);
      const before = codes();
      expect(await finish(browser, `${callback.href}&${more}`)).toMatchObject({ status: '401' });
      expect(codes()).toBe(before);
    },
  );

  it('GHSA-wxw3-q3m9-c3jr: a state that another browser has begun with is foreign', async () => {
    const [victim, attacker] = [shop.browser(), shop.browser()];
    const { callback } = await begin(attacker, 'bad');
    await begin(victim, 'bad');
    const before = codes();
    expect(await finish(victim, callback)).toEqual(EXPIRED);
    expect(codes()).toBe(before);
  });

  it('a state of random characters is none', async () => {
    const random = new Random(Number(process.env.OAUTH_SEED ?? 7));
    const browser = shop.browser();
    await begin(browser, 'bad');
    for (let round = 0; round < 20; round++) {
      const state = Buffer.from(Array.from({ length: 32 }, () => random.below(256))).toString('base64url');
      expect(await finish(browser, `${API}/oauth/bad/callback?code=x&state=${state}`)).toEqual(EXPIRED);
    }
  });

  it('T3 the second answer to one state is expired, also with the cookie of before', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    const cookies = new Map(browser.jar(API));
    expect(await finish(browser, callback)).toHaveProperty('access_token');
    expect(await finish(browser, callback)).toEqual(EXPIRED);
    for (const [name, value] of cookies) browser.jar(API).set(name, value);
    const before = codes();
    expect(await finish(browser, callback)).toEqual(EXPIRED);
    expect(codes()).toBe(before);
  });

  it('of many answers to one state at once, one counts', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    const ends = await Promise.all(Array.from({ length: 8 }, () => finish(browser, callback)));
    expect(ends.filter((end) => 'access_token' in end)).toHaveLength(1);
  });

  it('CVE-2026-73419: an answer for one provider is nothing at another, although the cookie is there', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    const swapped = new URL(callback.href.replace('/bad/', '/also/'));
    const before = also.tokenRequests.length;
    expect(await finish(browser, swapped)).toEqual(EXPIRED);
    expect(also.tokenRequests.length).toBe(before);
  });

  it('a flow that is older than ten minutes has expired', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    const { now } = Date;
    const clock = now() + 601_000;
    Date.now = () => clock;
    const RealDate = Date;
    globalThis.Date = class extends RealDate {
      constructor(...args: []) {
        super(...((args.length === 0 ? [clock] : args) as []));
      }
    } as DateConstructor;
    try {
      expect(await finish(browser, callback)).toEqual(EXPIRED);
    } finally {
      globalThis.Date = RealDate;
      Date.now = now;
    }
  });

  it('tabs do not break each other', async () => {
    const browser = shop.browser();
    const [one, two, other] = [
      await begin(browser, 'bad', '?redirect=/1'),
      await begin(browser, 'bad', '?redirect=/2'),
      await begin(browser, 'also'),
    ];
    for (const { callback } of [two, other, one]) expect(await finish(browser, callback)).toHaveProperty('access_token');
  });

  it('T6 an error of a provider does nothing without a state, and with one it is one of ours', async () => {
    const browser = shop.browser();
    const text = encodeURIComponent('<script>alert(1)</script>');
    const none = await browser.request(`${API}/oauth/bad/callback?error=access_denied&error_description=${text}`);
    expect([none.status, none.text.includes('script')]).toEqual([401, false]);
    for (const [error, told] of [
      ['access_denied', 'access_denied'],
      ['server_error', 'failed'],
      [text, 'failed'],
    ]) {
      const { callback } = await begin(browser, 'bad');
      callback.searchParams.delete('code');
      const end = await browser.request(`${callback.href}&error=${error}&error_description=${text}`);
      expect(end.headers.location).not.toContain('script');
      expect(answerAt({ url: String(end.headers.location), answer: undefined })).toEqual({ error: told, error_id: expect.any(String) });
    }
  });
});

describe('O5 PKCE, nonce and the code', () => {
  it('every authorization has state, nonce and an S256 challenge, each one new', async () => {
    const browser = shop.browser();
    const starts = [await begin(browser, 'bad'), await begin(browser, 'bad')].map(({ authorization }) => authorization.searchParams);
    for (const start of starts) {
      expect(Object.fromEntries(start)).toEqual({
        client_id: 'shop',
        redirect_uri: `${API}/oauth/bad/callback`,
        response_type: 'code',
        scope: 'openid profile email',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      });
    }
    for (const name of ['state', 'nonce', 'code_challenge']) expect(starts[0]?.get(name)).not.toBe(starts[1]?.get(name));
  });

  it('a code of another flow that is put into the own one is worth nothing', async () => {
    const [victim, attacker] = [shop.browser(), shop.browser()];
    bad.subject = 'victim';
    const stolen = await begin(victim, 'bad');
    bad.subject = 'attacker';
    const own = await begin(attacker, 'bad');
    own.callback.searchParams.set('code', String(stolen.callback.searchParams.get('code')));
    expect(await finish(attacker, own.callback)).toEqual(FAILED);
  });

  it.each([
    ['redirect_uri', 'https://evil.com'],
    ['client_id', 'evil'],
    ['scope', 'admin'],
    ['state', 'x'],
    ['nonce', 'x'],
    ['response_type', 'token'],
    ['response_mode', 'fragment'],
    ['request', 'x'],
    ['anything', 'x'],
  ])('T15 a start passes on nothing that is ours: %s', async (name, value) => {
    const answer = await shop.browser().request(`${API}/oauth/bad?${name}=${encodeURIComponent(value)}`);
    expect(answer.status).toBe(400);
  });

  it('and passes on what asks for a page or an account', async () => {
    const { authorization } = await begin(shop.browser(), 'bad', '?prompt=select_account&login_hint=ann%40example.com');
    expect(Object.fromEntries(authorization.searchParams)).toMatchObject({ prompt: 'select_account', login_hint: 'ann@example.com' });
  });

  it('a token in the address is refused unless the settings ask for it', async () => {
    expect((await shop.browser().request(`${API}/oauth/bad?feathers_token=x`)).status).toBe(400);
  });
});

describe('O6 every secret is for one thing', () => {
  it('CVE-2026-114607: a state, a ticket and a code are no tokens anywhere else', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    const [state, code] = [callback.searchParams.get('state'), callback.searchParams.get('code')];
    const [[, cookie = ''] = []] = browser.jar(API);
    const { access_token: ticket } = await finish(browser, callback);
    for (const accessToken of [state, code, cookie]) expect((await exchange(shop, accessToken)).status).toBe(401);
    const headers = { authorization: `Bearer ${String(ticket)}` };
    expect((await sendJson(shop.url, 'GET', '/authentication/sessions', undefined, headers)).status).toBe(401);
    expect((await sendJson(shop.url, 'DELETE', '/authentication', undefined, headers)).status).toBe(401);
    expect((await sendJson(shop.url, 'POST', '/authentication', { strategy: 'refresh', refreshToken: ticket })).status).toBe(401);
    const { accessToken } = (await exchange(shop, ticket)).body;
    expect((await sendJson(shop.url, 'POST', '/authentication', { strategy: 'oauth-ticket', ticket: accessToken })).status).toBe(401);
  });
});

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
    ['the keys are elsewhere', { answers: { jwks: 'redirect' } }],
  ];
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

  it('metadata of another issuer, or with addresses without HTTPS, are no metadata', async () => {
    for (const metadata of [
      { issuer: 'https://evil.example.com' },
      { token_endpoint: 'http://example.com/token' },
      { jwks_uri: 'http://example.com/jwks' },
    ]) {
      const fresh = await startShop({ oauth: { bad: { issuer: bad.issuer, ...CLIENT } }, database });
      bad.does = { metadata };
      const browser = fresh.browser();
      const start = await browser.request(`${API}/oauth/bad`);
      const end = start.status === 303 ? await finish(browser, (await begin(browser, 'bad')).callback) : { error: String(start.status) };
      expect(end).not.toHaveProperty('access_token');
      await fresh.stop();
    }
  });
});
