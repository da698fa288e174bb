import { randomBytes } from 'node:crypto';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { send, sendJson, type Answer } from '@framework-internal/testing/http';
import { startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { OAuthStrategy } from '../src/index.ts';
import {
  answerAt,
  API,
  begin,
  CLIENT,
  exchange,
  finish,
  logIn,
  PAGE,
  startProviders,
  startShop,
  type Shop,
  type TwoProviders,
} from './harness.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The present as tokens tell it, in seconds; nothing is measured by it. */
const now = (): number => Math.floor((performance.timeOrigin + performance.now()) / 1000);

describe('O16 ID tokens of native and single-page clients', () => {
  let database: TestDatabase;
  let bad: BadProvider;
  let shop: Shop;
  beforeAll(async () => {
    database = await startDatabase();
    bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
    shop = await startShop({
      oauth: {
        bad: { issuer: bad.issuer, ...CLIENT, idToken: { audiences: ['phone'] } },
        closed: { issuer: bad.issuer, ...CLIENT },
      },
      authentication: { authStrategies: ['jwt', 'local', 'bad', 'closed'], limiter: false },
      database,
    });
  });
  beforeEach(() => {
    bad.does = {};
  });
  afterAll(async () => {
    await shop.stop();
    await bad.stop();
    await database.close();
  });

  const claims = (more: object = {}): Record<string, unknown> => ({
    iss: bad.issuer,
    aud: 'phone',
    sub: 'ann',
    nonce: 'n1',
    iat: now(),
    exp: now() + 300,
    jti: randomBytes(8).toString('hex'),
    ...more,
  });
  const post = (idToken: unknown, nonce: unknown = 'n1', strategy = 'bad'): Promise<Answer> =>
    sendJson(shop.url, 'POST', '/authentication', { strategy, idToken, nonce });

  it('log in once, with the nonce that the client has made', async () => {
    const token = await bad.sign(claims());
    const login = await post(token);
    expect([login.status, login.body.user.badId, login.body.authentication.strategy]).toEqual([201, 'ann', 'bad']);
    expect((await post(token)).status).toBe(401);
  });

  it('count once however their signature is written', async () => {
    const token = await bad.sign(claims());
    expect((await post(token)).status).toBe(201);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // The last letter has bits that are no part of the signature.
    const sibling = letters[letters.indexOf(token.at(-1) ?? '') + 1] ?? '';
    const spellings = [`${token.slice(0, -1)}${sibling}`, `${token}==`, `${token} `, token.replaceAll('-', '+')];
    for (const spelling of spellings) expect((await post(spelling)).status).toBe(401);
  });

  it('give a second step and no token to who needs one (O15)', async () => {
    class TwoSteps extends OAuthStrategy {
      override async getSecondStep(entity: unknown): Promise<Readonly<Record<string, unknown>> | null> {
        return (entity as { totp?: unknown }).totp === true ? { kind: 'totp' } : null;
      }
    }
    shop.authentication.register('bad', new TwoSteps());
    const logins: unknown[] = [];
    shop.app.on('login', (result: unknown) => logins.push(result));
    await shop.app.service('users').create({ badId: 'two', totp: true });
    const answer = await post(await bad.sign(claims({ sub: 'two' })));
    expect([answer.status, answer.body]).toEqual([201, { authentication: { strategy: 'bad', secondStep: { kind: 'totp' } } }]);
    expect(logins).toEqual([]);
    expect((await post(await bad.sign(claims({ sub: 'one' })))).body.accessToken).toEqual(expect.any(String));
  });

  it('begin sessions that end with the session at the provider', async () => {
    const [login, other] = [await post(await bad.sign(claims({ sid: 's1' }))), await post(await bad.sign(claims({ sid: 's2' })))];
    const logout = claims({ aud: 'shop', nonce: undefined, sid: 's1', events: { [EVENT]: {} } });
    const answer = await send(shop.url, '/oauth/bad/backchannel-logout', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `logout_token=${await bad.sign(logout as never, 'logout+jwt')}`,
    });
    expect(answer.status).toBe(200);
    const sessions = async (token: unknown): Promise<number> =>
      (await sendJson(shop.url, 'GET', '/authentication/sessions', undefined, { authorization: `Bearer ${String(token)}` })).status;
    expect([await sessions(login.body.accessToken), await sessions(other.body.accessToken)]).toEqual([401, 200]);
  });

  it('are off where the settings say nothing', async () => {
    expect((await post(await bad.sign(claims()), 'n1', 'closed')).status).toBe(401);
  });

  const wrong: readonly [string, object, BadProvider['does']?, unknown?][] = [
    ['another nonce', {}, {}, 'n2'],
    ['no nonce', { nonce: undefined }, {}, undefined],
    ['a nonce that is no text', { nonce: ['n1'] }, {}, ['n1']],
    ['another issuer', { iss: 'https://evil.example.com' }],
    ['another audience', { aud: 'other' }],
    ['two audiences, made for the other', { aud: ['phone', 'other'], azp: 'other' }],
    ['two audiences, and nothing says for which it was made', { aud: ['phone', 'other'] }],
    ['one that has expired', { iat: 1_000_000_000, exp: 1_000_000_300 }],
    ['an old one that lives long', { iat: 1_700_000_000, exp: 4_000_000_000 }],
    ['no expiry', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['a subject that is no text', { sub: { $ne: null } }],
    ['no signature', {}, { signature: 'none' }],
    ['the secret as its key', {}, { signature: 'HS256' }],
    ['another key', {}, { signature: 'other-key' }],
    ['an unknown key', {}, { signature: 'unknown-kid' }],
  ];
  it.each(wrong)('are refused: %s', async (_what, more, does = {}, nonce = 'n1') => {
    const before = await shop.users.find();
    bad.does = does;
    expect((await post(await bad.sign(claims(more) as never), nonce)).status).toBe(401);
    expect(await shop.users.find()).toEqual(before);
  });

  it('of a key that the provider has changed to a moment ago count, and those of the key before do not', async () => {
    expect((await post(await bad.sign(claims() as never))).status).toBe(201);
    const old = await bad.sign(claims() as never);
    await bad.rotate();
    expect((await post(await bad.sign(claims() as never))).status).toBe(201);
    expect((await post(old)).status).toBe(401);
  });

  it.each(['html', 'broken', 'redirect', 500] as const)('can not be looked at while the keys of the provider are %j', async (jwks) => {
    const failures: unknown[] = [];
    const fresh = await startShop({
      oauth: { bad: { issuer: bad.issuer, ...CLIENT, idToken: { audiences: ['phone'] } } },
      authentication: { authStrategies: ['jwt', 'bad'], limiter: false },
      database,
    });
    fresh.app.on('login-failed', (failure) => failures.push(failure));
    bad.does = { answers: { jwks } };
    const idToken = await bad.sign(claims());
    const answer = await sendJson(fresh.url, 'POST', '/authentication', { strategy: 'bad', idToken, nonce: 'n1' });
    expect([answer.status, failures]).toEqual([503, []]);
    await fresh.stop();
  });

  it('a token for logging out logs nobody in, and unknown keys are asked for once in a while', async () => {
    expect((await post(await bad.sign(claims() as never, 'logout+jwt'))).status).toBe(401);
    bad.does = { signature: 'unknown-kid' };
    const before = bad.asked.get('/jwks') ?? 0;
    for (let round = 0; round < 20; round++) expect((await post(await bad.sign(claims() as never))).status).toBe(401);
    // Five at once, and one that time may have given meanwhile.
    expect((bad.asked.get('/jwks') ?? 0) - before).toBeLessThanOrEqual(6);
    for (const idToken of [{ $ne: null }, ['x'], 'x.y.z', '', 'x'.repeat(20_000)]) expect((await post(idToken)).status).toBe(401);
  });
});

describe('O17 logging out at a provider', () => {
  let providers: TwoProviders;
  let shop: Shop;
  beforeAll(async () => {
    providers = await startProviders();
    shop = await startShop({ oauth: providers.oauth, database: providers.database }, providers.server);
  });
  afterAll(() => providers.stop());

  const bearer = (token: unknown): Record<string, string> => ({ authorization: `Bearer ${String(token)}` });
  const isAlive = async (token: unknown): Promise<boolean> =>
    (await sendJson(shop.url, 'GET', '/authentication/sessions', undefined, bearer(token))).status === 200;
  const login = async (browser = shop.browser(), name = 'ann'): Promise<string> =>
    String((await exchange(shop, answerAt(await logIn(browser, 'one', name)).access_token)).body.accessToken);

  it('the browser is sent there, and only back to pages that are allowed', async () => {
    const out = await shop.browser().request(`${API}/oauth/one/logout`);
    expect(out.status).toBe(303);
    const url = new URL(String(out.headers.location));
    expect([url.origin, Object.fromEntries(url.searchParams)]).toEqual([
      providers.one.issuer,
      { client_id: 'shop', post_logout_redirect_uri: `${PAGE}/` },
    ]);
    expect((await shop.browser().request(`${API}/oauth/one/logout?redirect=//evil.com`)).status).toBe(400);
    for (const address of ['x', `${PAGE}/`]) {
      const headers = { accept: 'application/json' };
      const list = await shop.browser().request(`${API}/oauth/one/logout?redirect[]=${encodeURIComponent(address)}`, { headers });
      expect([list.status, list.body.message]).toEqual([400, "'redirect' must be a text"]);
    }
  });

  it('who logs out at the provider is logged out here: that browser alone', async () => {
    const [here, there] = [shop.browser(), shop.browser()];
    const [own, other] = [await login(here), await login(there)];
    expect([await isAlive(own), await isAlive(other)]).toEqual([true, true]);
    let page = await here.open(`${providers.one.issuer}/session/end?client_id=shop`);
    page = await here.submit(page, { logout: 'yes' });
    expect(page.answer?.status).toBe(200);
    expect([await isAlive(own), await isAlive(other)]).toEqual([false, true]);
  });

  it('in another process within a second', async () => {
    const second = await startShop({ oauth: providers.oauth, database: providers.database, collections: shop.collections });
    const browser = shop.browser();
    const token = await login(browser, 'carl');
    const alive = (): Promise<Answer> => sendJson(second.url, 'GET', '/authentication/sessions', undefined, bearer(token));
    expect((await alive()).status).toBe(200);
    await browser.submit(await browser.open(`${providers.one.issuer}/session/end?client_id=shop`), { logout: 'yes' });
    let status = 200;
    for (let round = 0; round < 12 && status === 200; round++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      status = (await alive()).status;
    }
    expect(status).toBe(401);
    await second.stop();
  });
});

describe('O17 logout tokens', () => {
  let database: TestDatabase;
  let bad: BadProvider;
  let shop: Shop;
  let token: string;
  beforeAll(async () => {
    database = await startDatabase();
    bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
    shop = await startShop({ oauth: { bad: { issuer: bad.issuer, ...CLIENT } }, authentication: { limiter: false }, database });
  });
  beforeEach(async () => {
    bad.does = { claims: { sid: 'session at the provider' } };
    const browser = shop.browser();
    const { access_token: ticket } = await finish(browser, (await begin(browser, 'bad')).callback);
    token = String((await exchange(shop, ticket)).body.accessToken);
    bad.does = {};
  });
  afterAll(async () => {
    await shop.stop();
    await bad.stop();
    await database.close();
  });

  const claims = (more: object = {}): Record<string, unknown> => ({
    iss: bad.issuer,
    aud: 'shop',
    sub: 'ann',
    sid: 'session at the provider',
    iat: now(),
    exp: now() + 120,
    jti: randomBytes(8).toString('hex'),
    events: { [EVENT]: {} },
    ...more,
  });
  const post = (logoutToken: string, more = ''): Promise<Answer> =>
    send(shop.url, '/oauth/bad/backchannel-logout', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `logout_token=${logoutToken}${more}`,
    });
  const isAlive = async (): Promise<boolean> =>
    (await sendJson(shop.url, 'GET', '/authentication/sessions', undefined, { authorization: `Bearer ${token}` })).status === 200;

  it.each([
    ['of a session', {}],
    ['of a session alone', { sub: undefined }],
    ['of a person', { sid: undefined }],
  ])('%s ends what it names, and counts once', async (_what, more) => {
    const logout = await bad.sign(claims(more) as never, 'logout+jwt');
    const answer = await post(logout);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(await isAlive()).toBe(false);
    expect((await post(logout)).status).toBe(400);
  });

  it('that come again end no login that was made since', async () => {
    const logout = await bad.sign(claims({ sid: undefined }) as never, 'logout+jwt');
    expect((await post(logout)).status).toBe(200);
    bad.does = { claims: { sid: 'session at the provider' } };
    const browser = shop.browser();
    const again = await finish(browser, (await begin(browser, 'bad')).callback);
    token = String((await exchange(shop, again.access_token)).body.accessToken);
    expect((await post(logout)).status).toBe(400);
    expect(await isAlive()).toBe(true);
  });

  it('are refused where there are no sessions to end', async () => {
    const stateless = await startShop({ oauth: { bad: { issuer: bad.issuer, ...CLIENT } }, authentication: { sessions: false }, database });
    const answer = await sendJson(stateless.url, 'POST', '/oauth/bad/backchannel-logout', {
      logout_token: await bad.sign(claims() as never, 'logout+jwt'),
    });
    expect([answer.status, answer.body.message]).toEqual([400, "Sessions are off: set 'authentication.sessions'"]);
    await stateless.stop();
  });

  it('that could not be done may come again', async () => {
    const sessions = shop.app.service('sessions') as unknown as { hooks(map: object): void };
    let isDown = true;
    sessions.hooks({
      before: {
        find: [
          () => {
            if (isDown) throw new Error('down');
          },
        ],
      },
    });
    const logout = await bad.sign(claims() as never, 'logout+jwt');
    expect((await post(logout)).status).toBe(503);
    isDown = false;
    expect(await isAlive()).toBe(true);
    expect((await post(logout)).status).toBe(200);
    expect(await isAlive()).toBe(false);
  });

  it.each([
    ['of a session', {}, 401],
    ['of a person', { sid: undefined }, 401],
    ['of another session', { sid: 'other' }, 201],
  ])('%s end tickets that were not exchanged yet', async (_what, more, status) => {
    bad.does = { claims: { sid: 'session at the provider' } };
    const browser = shop.browser();
    const { access_token: ticket } = await finish(browser, (await begin(browser, 'bad')).callback);
    expect((await post(await bad.sign(claims(more) as never, 'logout+jwt'))).status).toBe(200);
    expect((await exchange(shop, ticket)).status).toBe(status);
  });

  const wrong: readonly [string, object, BadProvider['does']?, string?][] = [
    ['another session', { sid: 'other' }, {}, 'accepted'],
    ['another issuer', { iss: 'https://evil.example.com' }],
    ['another audience', { aud: 'other' }],
    ['a nonce', { nonce: 'n' }],
    ['no event', { events: undefined }],
    ['another event', { events: { other: {} } }],
    ['neither person nor session', { sub: undefined, sid: undefined }],
    ['no id', { jti: undefined }],
    ['an id that is no text', { jti: 7 }],
    ['too old', { iat: 1_700_000_000 }],
    ['no signature', {}, { signature: 'none' }],
    ['the secret as its key', {}, { signature: 'HS256' }],
    ['another key', {}, { signature: 'other-key' }],
  ];
  it.each(wrong)('that are not right end nothing: %s', async (_what, more, does = {}, accepted = '') => {
    bad.does = does;
    expect((await post(await bad.sign(claims(more) as never, 'logout+jwt'))).status).toBe(accepted === '' ? 400 : 200);
    expect(await isAlive()).toBe(true);
  });

  it('an ID token is none, nor is what is no token', async () => {
    expect((await post(await bad.sign(claims({ events: undefined, nonce: 'n' }) as never))).status).toBe(400);
    for (const text of ['', 'x', 'x.y.z', 'x'.repeat(20_000)]) expect((await post(text)).status).toBe(400);
    expect(decodeJwt(token).sub).toBeDefined();
    expect((await post(token)).status).toBe(400);
    expect(await isAlive()).toBe(true);
  });
});
