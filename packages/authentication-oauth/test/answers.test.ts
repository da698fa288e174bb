import { createHash, randomBytes } from 'node:crypto';
import type { HookContext } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { sendJson } from '@framework-internal/testing/http';
import { startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OAuthStrategy, type OAuthConfiguration, type OAuthData } from '../src/index.ts';
import { API, begin, CLIENT, exchange, finish, PAGE, startShop, type Shop } from './harness.ts';

let database: TestDatabase;
let bad: BadProvider;
let shop: Shop | undefined;
beforeAll(async () => {
  database = await startDatabase();
  bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
});
beforeEach(async () => {
  await shop?.stop();
  shop = undefined;
  bad.does = {};
  bad.subject = 'ann';
});
afterAll(async () => {
  await shop?.stop();
  await bad.stop();
  await database.close();
});

async function start(oauth: OAuthConfiguration = {}, more: object = {}, strategies: Record<string, OAuthStrategy> = {}): Promise<Shop> {
  shop = await startShop({
    oauth: { bad: { issuer: bad.issuer, ...CLIENT }, ...oauth },
    authentication: { limiter: false, ...more },
    strategies,
    database,
  });
  return shop;
}

it('the cookie of a flow leaves those that a hook has set', async () => {
  const { app, browser } = await start();
  const theme = ({ http }: HookContext): void => {
    http.headers = { 'Set-Cookie': 'theme=dark' };
  };
  (app.service('oauth/:provider') as unknown as { hooks(map: object): unknown }).hooks({ after: { find: [theme] } });
  const { headers } = await browser().request(`${API}/oauth/bad`);
  expect(headers['set-cookie']).toEqual(['theme=dark', expect.stringMatching(/^__Host-oauth-/)]);
});

describe('S31 O6 tickets', () => {
  it.each([true, false])('count once, also for many at once, and are kept by their digest alone (sessions: %s)', async (sessions) => {
    const at = await start({}, { sessions });
    const browser = at.browser();
    const { access_token: ticket } = await finish(browser, (await begin(browser, 'bad')).callback);
    const stored = await at.db.collections().then((all) => Promise.all(all.map((one) => one.find().toArray())));
    expect(JSON.stringify(stored)).not.toContain(String(ticket).slice(-43));
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(at, ticket)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401, 401, 401, 401]);
  });

  it.each([true, false])('count for a minute (sessions: %s)', async (sessions) => {
    const at = await start({}, { sessions });
    const browser = at.browser();
    const { access_token: ticket } = await finish(browser, (await begin(browser, 'bad')).callback);
    const later = Date.now() + 61_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
    try {
      expect((await exchange(at, ticket)).status).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });

  it('that a page has bound to itself need its verifier', async () => {
    const at = await start();
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const ticketFor = async (): Promise<string> => {
      const browser = at.browser();
      const { callback } = await begin(browser, 'bad', `?code_challenge=${challenge}&code_challenge_method=S256`);
      return String((await finish(browser, callback)).access_token);
    };
    for (const codeVerifier of [undefined, '', challenge, 'x'.repeat(43), { $ne: null }, [verifier]]) {
      expect((await exchange(at, await ticketFor(), { codeVerifier })).status).toBe(401);
    }
    expect((await exchange(at, await ticketFor(), { codeVerifier: verifier })).status).toBe(201);
    for (const query of [
      '?code_challenge=short',
      `?code_challenge=${challenge}&code_challenge_method=plain`,
      '?code_challenge_method=S256',
    ]) {
      expect((await at.browser().request(`${API}/oauth/bad${query}`)).status).toBe(400);
    }
  });

  it('T2 are no links: nothing is exchanged by GET', async () => {
    const at = await start();
    const browser = at.browser();
    const { access_token: ticket } = await finish(browser, (await begin(browser, 'bad')).callback);
    for (const path of [`/authentication?strategy=jwt&accessToken=${String(ticket)}`, `/authentication/${String(ticket)}`]) {
      expect([404, 405]).toContain((await browser.request(`${API}${path}`)).status);
    }
    expect((await exchange(at, ticket)).status).toBe(201);
  });

  it('of random characters, and what is none, are 401 and count for the address', async () => {
    const failed: { strategy: string }[] = [];
    const at = await start({}, { limiter: { address: { attempts: 4, window: '15m' } } });
    at.app.on('login-failed', (event: { strategy: string }) => failed.push(event));
    const wrong = [`oauth-ticket.${'x'.repeat(43)}`, 'oauth-ticket.x', { $ne: null }, undefined];
    const statuses: number[] = [];
    for (const ticket of wrong)
      statuses.push((await sendJson(at.url, 'POST', '/authentication', { strategy: 'oauth-ticket', ticket })).status);
    statuses.push((await sendJson(at.url, 'POST', '/authentication', { strategy: 'oauth-ticket', ticket: wrong[0] })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    expect(new Set(failed.map(({ strategy }) => strategy))).toEqual(new Set(['oauth-ticket']));
  });
});

describe('S32 response: cookie', () => {
  const cookies = { sessions: { cookie: true } };

  it('ends in the cookies of the session, with nothing in the address', async () => {
    const logins: unknown[] = [];
    const at = await start({ response: 'cookie', redirect: `${PAGE}/home` }, cookies);
    at.app.on('login', (result: unknown) => logins.push(result));
    const browser = at.browser();
    const { callback } = await begin(browser, 'bad');
    const end = await browser.request(callback.href, { headers: { 'sec-fetch-site': 'cross-site', 'user-agent': 'browser of ann' } });
    expect([end.status, end.headers.location, end.text]).toEqual([303, `${PAGE}/home`, 'null']);
    expect(end.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-oauth-[\w-]{8}=; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=0$/),
      expect.stringMatching(/^__Host-refresh=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/),
      expect.stringMatching(/^__Host-access=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=\d+$/),
      expect.stringMatching(/^__Host-device=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=\d+$/),
    ]);
    const list = await browser.request(`${API}/authentication/sessions`, { headers: { accept: 'application/json' } });
    expect(list.body).toEqual([expect.objectContaining({ via: 'bad', agent: 'browser of ann', current: true })]);
    expect(logins).toEqual([expect.objectContaining({ authentication: expect.objectContaining({ strategy: 'bad' }) })]);
    expect(JSON.stringify(logins)).not.toContain('refreshToken');
  });

  it('needs cookies, and somewhere to go', async () => {
    await expect(start({ response: 'cookie' })).rejects.toThrow("'authentication.sessions' must have { cookie: true }");
    const nowhere = startShop({
      oauth: { response: 'cookie', redirect: undefined as never, bad: { issuer: bad.issuer, ...CLIENT } },
      authentication: cookies,
      database,
    });
    await expect(nowhere).rejects.toThrow("'authentication.oauth.redirect' must be set");
  });
});

describe('other answers', () => {
  it('response: fragment puts the token there, and warns of it', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const at = await start({ response: 'fragment' });
    const browser = at.browser();
    const { access_token: token } = await finish(browser, (await begin(browser, 'bad')).callback);
    expect(warned.mock.calls.map(([text]) => String(text)).join()).toContain("'fragment'");
    warned.mockRestore();
    const list = await sendJson(at.url, 'GET', '/authentication/sessions', undefined, { authorization: `Bearer ${String(token)}` });
    expect(list.status).toBe(200);
  });

  it('without a redirect the callback answers with the login, or with the error, as JSON', async () => {
    const at = await startShop({
      oauth: { redirect: undefined as never, bad: { issuer: bad.issuer, ...CLIENT } },
      authentication: { limiter: false },
      database,
    });
    shop = at;
    const browser = at.browser();
    const json = { headers: { accept: 'application/json' } };
    const end = await browser.request((await begin(browser, 'bad')).callback.href, json);
    expect([end.status, end.body.user.badId, end.headers['cache-control']]).toEqual([200, 'ann', 'no-store']);
    expect(
      await sendJson(at.url, 'GET', '/authentication/sessions', undefined, { authorization: `Bearer ${end.body.accessToken}` }),
    ).toMatchObject({ status: 200 });
    bad.does = { claims: { aud: 'other' } };
    const failed = await browser.request((await begin(browser, 'bad')).callback.href, json);
    expect([failed.status, failed.body.data]).toEqual([401, { error: 'failed', id: expect.any(String) }]);
    // Both are for pages that get a ticket.
    for (const query of ['?redirect=/home', `?code_challenge=${'x'.repeat(43)}`, '/logout?redirect=/home']) {
      const refused = await browser.request(`${API}/oauth/bad${query}`, json);
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining("needs 'authentication.oauth.redirect'")]);
    }
  });

  it('O15 a login that needs a second step gives that and no token, whatever the answer is', async () => {
    class TwoSteps extends OAuthStrategy {
      override async getSecondStep(entity: unknown): Promise<Readonly<Record<string, unknown>> | null> {
        return (entity as { totp?: unknown }).totp === true ? { kind: 'totp' } : null;
      }
    }
    for (const oauth of [{ response: 'ticket' }, { response: 'cookie' }, { response: 'fragment' }] as const) {
      const at = await start(oauth, { sessions: { cookie: true } }, { bad: new TwoSteps() });
      const logins: unknown[] = [];
      at.app.on('login', (result: unknown) => logins.push(result));
      await at.app.service('users').create({ badId: 'ann', totp: true });
      const browser = at.browser();
      const { callback } = await begin(browser, 'bad');
      const end = await browser.request(callback.href);
      expect(end.headers['set-cookie']).toHaveLength(1);
      const ticket = new URL(String(end.headers.location)).hash.replace('#access_token=', '');
      const answer = await exchange(at, ticket);
      expect([answer.status, answer.body]).toEqual([201, { authentication: { strategy: 'bad', secondStep: { kind: 'totp' } } }]);
      expect((await exchange(at, ticket)).status).toBe(401);
      expect([
        logins,
        answer.headers['set-cookie'],
        await at.authentication.sessions?.list(String((await at.users.find())[0]?._id)),
      ]).toEqual([[], undefined, []]);
      await at.stop();
      shop = undefined;
    }
  });
});

describe('S45 O12 O14 what is told of a login', () => {
  it('the page gets a code and an id, the event the cause, and nobody a text of the provider', async () => {
    const failures: { id: string }[] = [];
    const at = await start();
    at.app.on('oauth-failed', (failure: { id: string }) => failures.push(failure));
    const browser = at.browser();
    const { callback } = await begin(browser, 'bad');
    callback.searchParams.set('code', 'guessed');
    const end = await finish(browser, callback);
    expect(end).toEqual({ error: 'failed', error_id: failures[0]?.id });
    expect(failures).toEqual([
      { provider: 'bad', error: 'failed', id: expect.any(String), reason: expect.stringContaining('ResponseBodyError invalid_grant') },
    ]);
    expect(JSON.stringify([failures, end])).not.toMatch(/guessed|<b>/);
  });

  it('the tokens of the provider go to onTokens, and are kept nowhere', async () => {
    const given: OAuthData[] = [];
    class WithTokens extends OAuthStrategy {
      override async onTokens(data: OAuthData): Promise<void> {
        given.push(data);
        return Promise.resolve();
      }
    }
    const at = await start({}, {}, { bad: new WithTokens() });
    const browser = at.browser();
    await exchange(at, (await finish(browser, (await begin(browser, 'bad')).callback)).access_token);
    expect(given).toEqual([
      expect.objectContaining({
        access_token: 'access-of-ann',
        id_token: expect.any(String),
        profile: expect.objectContaining({ sub: 'ann' }),
      }),
    ]);
    const stored = await at.db.collections().then((all) => Promise.all(all.map((one) => one.find().toArray())));
    expect(JSON.stringify(stored)).not.toContain('access-of-ann');
  });

  it('a login that fails counts for its address, and the event has no name', async () => {
    const failed: object[] = [];
    const at = await start({}, { limiter: { address: { attempts: 3, window: '15m' } } });
    at.app.on('login-failed', (event: object) => failed.push(event));
    bad.does = { claims: { aud: 'other' } };
    const ends: (string | undefined)[] = [];
    for (let round = 0; round < 4; round++) {
      const browser = at.browser();
      ends.push((await finish(browser, (await begin(browser, 'bad')).callback)).error);
    }
    expect(ends).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(failed.length).toBeGreaterThanOrEqual(3);
    expect(failed[0]).toMatchObject({ strategy: 'bad', account: '' });
  });

  it('a fault of the server is one, and never silent', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const at = await start();
    at.app.service('users').hooks({
      before: {
        create: () => {
          throw new TypeError('text of a hook');
        },
      },
    });
    const browser = at.browser();
    const end = await finish(browser, (await begin(browser, 'bad')).callback);
    expect(end).toEqual({ error: 'failed', error_id: expect.any(String) });
    expect(warned.mock.calls.map(([text]) => String(text))).toEqual([expect.stringContaining(`(${String(end.error_id)}): TypeError`)]);
    warned.mockRestore();
  });

  it('what a hook of the users throws is no text for the page', async () => {
    const at = await start();
    at.app.service('users').hooks({
      before: {
        create: () => {
          throw new NotAuthenticated('<b>text of a hook</b>');
        },
      },
    });
    const browser = at.browser();
    const end = await finish(browser, (await begin(browser, 'bad')).callback);
    expect(end).toEqual({ error: 'failed', error_id: expect.any(String) });
  });
});

describe('S35 transports', () => {
  it('a login begins and ends over HTTP alone', async () => {
    const at = await start();
    for (const path of ['oauth/bad', 'oauth/bad/callback', 'oauth/bad/logout']) {
      const { service, params } = at.app.lookup(path) as { service: { find(params: object): Promise<unknown> }; params: object };
      await expect(service.find({ provider: 'socketio', query: {}, route: params })).rejects.toMatchObject({ code: 405 });
    }
  });
});
