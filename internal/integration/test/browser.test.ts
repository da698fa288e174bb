import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { send, sendJson, type Answer, type Running } from './harness.ts';
import { ANN, bearer, logIn, PASSWORD, startServer } from './session-server.ts';

let database: TestDatabase;
let pages: Running;
let plain: Running;
beforeAll(async () => {
  database = await startDatabase();
  pages = await startServer(database.db, { cookie: true }, { origins: ['https://app.example.com'] });
  plain = await startServer(database.db);
  await pages.app.service('users').create({ email: ANN.email, password: PASSWORD });
});
beforeEach(() => database.db.collection('logins').deleteMany({}));
afterAll(async () => {
  for (const server of [pages, plain]) await server.stop();
  await database.close();
});

const cookiesOf = (answer: Answer): string[] => answer.headers['set-cookie'] ?? [];
const cookieHeader = (answer: Answer): string =>
  cookiesOf(answer)
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
const form = `strategy=local&email=${encodeURIComponent(ANN.email)}&password=${encodeURIComponent(PASSWORD)}`;
const sendForm = (at: Running, headers: Record<string, string>): Promise<Answer> =>
  send(at.url, '/authentication', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: form,
  });

const foreign: [what: string, headers: Record<string, string>][] = [
  ['another origin', { origin: 'https://evil.example.com' }],
  ['no origin at all, of a sandbox', { origin: 'null' }],
  ['a subdomain that only begins like a listed one', { origin: 'https://app.example.com.evil.com' }],
  ['a listed host without HTTPS', { origin: 'http://app.example.com' }],
  ['another site, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
  ['the same site, by Sec-Fetch-Site', { 'sec-fetch-site': 'same-site' }],
];

describe('S32 pages of other origins', () => {
  it.each(foreign)('log nobody in with a form: %s', async (_what, headers) => {
    for (const at of [plain, pages]) {
      const answer = await sendForm(at, headers);
      expect([answer.status, cookiesOf(answer)]).toEqual([403, []]);
    }
  });

  it.each(foreign)('log nobody in, refresh nothing and log nobody out with cookies: %s', async (_what, headers) => {
    const own = { origin: pages.url };
    const login = await sendJson(pages.url, 'POST', '/authentication', ANN, own);
    const cookie = cookieHeader(login);
    expect((await sendJson(pages.url, 'POST', '/authentication', ANN, headers)).status).toBe(403);
    expect((await sendJson(pages.url, 'POST', '/authentication', { strategy: 'refresh' }, { cookie, ...headers })).status).toBe(403);
    expect((await send(pages.url, '/authentication', { method: 'DELETE', headers: { cookie, ...headers } })).status).toBe(403);
    expect((await sendJson(pages.url, 'POST', '/echo', {}, { cookie, ...headers })).status).toBe(401);
    // Nothing has ended by that.
    expect((await sendJson(pages.url, 'POST', '/authentication', { strategy: 'refresh' }, { cookie, ...own })).status).toBe(201);
  });

  it('S45 are told of as denied: logins, refreshes and logouts alike', async () => {
    const login = await sendJson(pages.url, 'POST', '/authentication', ANN, { origin: pages.url });
    const cookie = cookieHeader(login);
    const denied: { method: string; error: string }[] = [];
    const note = (event: (typeof denied)[number]): void => void denied.push(event);
    pages.app.on('authz-denied', note);
    const headers = { cookie, origin: 'https://evil.example.com' };
    await sendJson(pages.url, 'POST', '/authentication', ANN, headers);
    await sendJson(pages.url, 'POST', '/authentication', { strategy: 'refresh' }, headers);
    await send(pages.url, '/authentication', { method: 'DELETE', headers });
    pages.app.off('authz-denied', note);
    expect(denied.map(({ method, error }) => `${method} ${error}`)).toEqual(['create Forbidden', 'create Forbidden', 'remove Forbidden']);
  });

  it('may all of it when they are listed, and programs that are no browser may log in', async () => {
    const listed = { origin: 'https://app.example.com' };
    const login = await sendJson(pages.url, 'POST', '/authentication', ANN, listed);
    expect(login.status).toBe(201);
    const headers = { cookie: cookieHeader(login), ...listed };
    expect((await sendJson(pages.url, 'POST', '/authentication', { strategy: 'refresh' }, headers)).status).toBe(201);
    for (const at of [plain, pages]) {
      expect((await sendForm(at, {})).status).toBe(201);
      expect((await sendForm(at, { origin: at.url })).status).toBe(201);
      expect((await sendForm(at, { 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    }
    // A cookie that comes without a word of where from is refused.
    const cookie = headers.cookie;
    expect((await sendJson(pages.url, 'POST', '/authentication', { strategy: 'refresh' }, { cookie })).status).toBe(403);
  });
});

describe('S32 sessions: { cookie: true }', () => {
  it('authenticates pages with the access token in a cookie, and changes only from the own origin', async () => {
    const login = await sendJson(pages.url, 'POST', '/authentication', ANN, { origin: pages.url });
    expect(login.body.refreshToken).toBeUndefined();
    expect(cookiesOf(login)).toEqual([
      expect.stringMatching(/^__Host-refresh=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=1209600$/),
      expect.stringMatching(/^__Host-access=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=863\d\d$/),
      expect.stringMatching(/^__Host-device=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=15552000$/),
    ]);
    const cookie = cookieHeader(login);
    expect(await send(pages.url, '/page', { headers: { cookie } })).toMatchObject({ status: 200, text: `<h1>Hello ${ANN.email}</h1>` });
    expect((await send(pages.url, '/page')).status).toBe(401);
    expect((await sendJson(pages.url, 'POST', '/echo', {}, { cookie, origin: pages.url })).status).toBe(201);
    expect((await sendJson(pages.url, 'POST', '/echo', {}, { cookie })).status).toBe(401);
    // Elsewhere the cookie is nothing.
    expect((await send(plain.url, '/page', { headers: { cookie } })).status).toBe(401);
  });

  it('is logged out of by the cookies alone', async () => {
    for (const name of ['__Host-refresh', '__Host-access']) {
      const login = await sendJson(pages.url, 'POST', '/authentication', ANN, { origin: pages.url });
      const all = cookieHeader(login);
      const cookie = all.split('; ').find((part) => part.startsWith(name)) as string;
      const answer = await send(pages.url, '/authentication', { method: 'DELETE', headers: { cookie, origin: pages.url } });
      expect(answer.status).toBe(200);
      expect(cookiesOf(answer)).toEqual([
        '__Host-refresh=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
        '__Host-access=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0',
      ]);
      expect((await send(pages.url, '/page', { headers: { cookie: all } })).status).toBe(401);
    }
  });

  it('two cookies of one name count as none', async () => {
    const [one, two] = [
      await sendJson(pages.url, 'POST', '/authentication', ANN),
      await sendJson(pages.url, 'POST', '/authentication', ANN),
    ];
    const cookie = `${cookieHeader(one)}; ${cookieHeader(two)}`;
    expect((await send(pages.url, '/page', { headers: { cookie } })).status).toBe(401);
  });
});

describe('S22 a device that has logged in before', () => {
  const tryWrong = async (at: Running, times: number): Promise<number> => {
    let last = 0;
    for (let round = 0; round < times; round++)
      last = (await sendJson(at.url, 'POST', '/authentication', { ...ANN, password: 'wrong' }, { 'x-forwarded-for': `192.0.2.${round}` }))
        .status;
    return last;
  };

  it('is not locked out by strangers: it is known by its cookie', async () => {
    const device = cookiesOf(await sendJson(pages.url, 'POST', '/authentication', ANN)).find((cookie) =>
      cookie.startsWith('__Host-device'),
    );
    const cookie = String(device).split(';')[0] as string;
    expect(await tryWrong(pages, 12)).toBe(429);
    expect((await sendJson(pages.url, 'POST', '/authentication', ANN)).status).toBe(429);
    expect((await sendJson(pages.url, 'POST', '/authentication', ANN, { cookie: `${cookie}x` })).status).toBe(429);
    expect((await sendJson(pages.url, 'POST', '/authentication', ANN, { cookie })).status).toBe(201);
  });

  it('or by a refresh token of the account, also one that counts no more; and is held back itself', async () => {
    const { accessToken, refreshToken } = await logIn(plain);
    await send(plain.url, '/authentication', { method: 'DELETE', headers: bearer(accessToken) });
    expect(await tryWrong(plain, 12)).toBe(429);
    expect((await sendJson(plain.url, 'POST', '/authentication', ANN)).status).toBe(429);
    expect((await sendJson(plain.url, 'POST', '/authentication', { ...ANN, refreshToken })).status).toBe(201);
    const statuses: number[] = [];
    for (let round = 0; round < 12; round++)
      statuses.push((await sendJson(plain.url, 'POST', '/authentication', { ...ANN, password: 'wrong', refreshToken })).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401));
    expect(statuses.at(-1)).toBe(429);
  });
});
