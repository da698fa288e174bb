import { sendJson } from '@framework-internal/testing/http';
import type { BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { API, begin, exchange, finish, type Shop, startBadProviders, type BadProviders } from './harness.ts';

let providers: BadProviders;
let bad: BadProvider;
let shop: Shop;
beforeAll(async () => {
  providers = await startBadProviders();
  ({ bad, shop } = providers);
});
beforeEach(() => providers.reset());
afterAll(() => providers.stop());

const FAILED = { error: 'failed', error_id: expect.any(String) };

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
