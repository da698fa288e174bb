import { maxHeaderSize } from 'node:http';
import { NotAuthenticated } from '@framework/errors';
import { Random } from '@framework-internal/random';
import { sendJson } from '@framework-internal/testing/http';
import type { BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EncryptJWT } from 'jose';
import { answerAt, API, begin, exchange, finish, PAGE, type Shop, startBadProviders, type BadProviders } from './harness.ts';
import { PAYLOADS } from './redirect-payloads.ts';

let providers: BadProviders;
let bad: BadProvider;
let also: BadProvider;
let shop: Shop;
beforeAll(async () => {
  providers = await startBadProviders();
  ({ bad, also, shop } = providers);
});
beforeEach(() => providers.reset());
afterAll(() => providers.stop());

const EXPIRED = { status: '401', error: 'expired' };
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

  it('of long ones there are fewer: a page that begins many logins locks no browser out of the server', async () => {
    const browser = shop.browser();
    const long = encodeURIComponent(`/${'"'.repeat(1000)}`);
    const statuses: number[] = [];
    for (let tab = 0; tab < 6; tab++) statuses.push((await browser.request(`${API}/oauth/bad?redirect=${long}`)).status);
    expect(statuses).toEqual(Array(6).fill(303));
    const flows = [...browser.jar(API)].filter(([name]) => name.startsWith('__Host-oauth-'));
    // Half of what a server reads is left for everything else that a request has.
    expect(flows.map(([name, content]) => name.length + content.length).reduce((sum, one) => sum + one, 0)).toBeLessThan(maxHeaderSize / 2);
    expect(flows).toHaveLength(2);
    const { callback } = await begin(browser, 'bad', `?redirect=${long}`);
    expect(await finish(browser, callback)).toHaveProperty('access_token');
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
    // Of this browser it is, so that the page tells the user: the one that the login has begun with.
    expect(await finish(browser, callback)).toEqual({ error: 'expired', error_id: expect.any(String) });
    expect([codes(), browser.jar(API).size]).toEqual([before, 0]);
  });

  it('T3 the page that a login has begun with tells of a second answer, and where there is none the answer has the sentence', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad', '?redirect=/orders');
    const cookies = new Map(browser.jar(API));
    await finish(browser, callback);
    for (const [name, value] of cookies) browser.jar(API).set(name, value);
    const second = await browser.request(callback.href);
    expect([second.status, String(second.headers.location)]).toEqual([
      303,
      expect.stringMatching(/^https:\/\/app\.example\.com\/orders#error=expired&/),
    ]);
    const third = await browser.request(callback.href);
    expect([third.status, third.text]).toEqual([401, expect.stringContaining('This login has expired or was already used. Begin again')]);
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

  it.each(['issuer', 'clientId'])('an answer is nothing once the provider has another %s than when the login began', async (name) => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    const before = [bad.tokenRequests.length, also.tokenRequests.length];
    const settings = shop.app.get('authentication') as { readonly oauth: { readonly bad: object } };
    const other = name === 'issuer' ? { issuer: also.issuer } : { clientId: 'another' };
    shop.app.set('authentication', { ...settings, oauth: { ...settings.oauth, bad: { ...settings.oauth.bad, ...other } } });
    try {
      expect(await finish(browser, callback)).toEqual(EXPIRED);
    } finally {
      shop.app.set('authentication', settings);
    }
    expect([bad.tokenRequests.length, also.tokenRequests.length]).toEqual(before);
    expect(await finish(browser, callback)).toHaveProperty('access_token');
  });

  it('T1 a posted answer is none of a provider that posts no answers, and ends no login', async () => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const posted = await browser.request(`${API}/oauth/bad/callback`, { method: 'POST', body: callback.search.slice(1), headers });
    expect([posted.status, posted.body.message]).toEqual([401, 'This provider posts no answers']);
    expect(await finish(browser, callback)).toHaveProperty('access_token');
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
      ['temporarily_unavailable', 'unavailable'],
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
