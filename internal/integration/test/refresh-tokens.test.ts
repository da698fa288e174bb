import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { framework } from '@framework/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import express, { type Application } from '@framework/transport-express';
import { send, sendJson, type Answer, type Running } from './harness.ts';
import { ANN, bearer, logIn, PASSWORD, refresh, SECRET, startServer } from './session-server.ts';

/** Wrong tokens are tried here by the dozen. */
const UNLIMITED = { limiter: false } as const;

let database: TestDatabase;
let one: Running;
let two: Running;
let user: { _id: unknown };
beforeAll(async () => {
  database = await startDatabase();
  one = await startServer(database.db, true, UNLIMITED);
  two = await startServer(database.db, true, UNLIMITED);
});
beforeEach(async () => {
  await database.db.collection('users').deleteMany({});
  user = (await one.app.service('users').create({ email: ANN.email, password: PASSWORD })) as typeof user;
});
afterAll(async () => {
  for (const server of [one, two]) await server.stop();
  await database.close();
});

const statusOf = async (token: string, at: Running = one): Promise<number> =>
  (await send(at.url, '/echo', { headers: bearer(token) })).status;

describe('S20 refresh tokens', () => {
  it('give a new access token and a new refresh token, once', async () => {
    const first = await logIn(one);
    const answer = await refresh(one, first.refreshToken);
    expect(answer).toMatchObject({ status: 201, body: { user: { email: ANN.email }, authentication: { strategy: 'refresh' } } });
    expect(answer.text).not.toContain('argon2');
    expect(answer.body.refreshToken).not.toBe(first.refreshToken);
    expect(await statusOf(answer.body.accessToken)).toBe(200);
    // The access token from before lives as long as it did.
    expect(await statusOf(first.accessToken)).toBe(200);
    expect((await refresh(two, answer.body.refreshToken)).status).toBe(201);
  });

  it('that are used twice end their session, and an event tells of it', async () => {
    const first = await logIn(one);
    const second = (await refresh(one, first.refreshToken)).body as typeof first;
    const events: unknown[] = [];
    one.app.once('refresh-reuse', (event) => events.push(event));
    expect((await refresh(one, first.refreshToken)).status).toBe(401);
    expect(events).toEqual([{ session: expect.any(String), user: String(user._id) }]);
    expect(JSON.stringify(events)).not.toContain(first.refreshToken.split('.')[1]);
    for (const token of [first.accessToken, second.accessToken]) expect(await statusOf(token)).toBe(401);
    expect((await refresh(one, second.refreshToken)).status).toBe(401);
    expect((await sendJson(one.url, 'POST', '/authentication', ANN)).status).toBe(201);
  });

  it('that are older than the last one end their session too', async () => {
    const first = await logIn(one);
    const second = (await refresh(one, first.refreshToken)).body as typeof first;
    const third = (await refresh(one, second.refreshToken)).body as typeof first;
    expect((await refresh(two, first.refreshToken)).status).toBe(401);
    expect((await refresh(one, third.refreshToken)).status).toBe(401);
  });

  it('have one winner of 50 that use the same one at once, in two processes', async () => {
    for (let round = 0; round < 3; round++) {
      const { refreshToken } = await logIn(one);
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => refresh(index % 2 === 0 ? one : two, refreshToken)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
    }
  });

  it('are no access tokens, and access tokens no refresh tokens', async () => {
    const { accessToken, refreshToken } = await logIn(one);
    expect(await statusOf(refreshToken)).toBe(401);
    expect((await refresh(one, accessToken)).status).toBe(401);
    expect(await statusOf(accessToken)).toBe(200);
  });

  it('S5 of any other shape are refused, and end nothing', async () => {
    const { accessToken, refreshToken } = await logIn(one);
    const [session, secret, tag] = refreshToken.split('.') as [string, string, string];
    const forged = [
      `${session}.${'A'.repeat(43)}.${tag}`,
      `${session}.${'A'.repeat(43)}.${'A'.repeat(22)}`,
      `${'A'.repeat(22)}.${secret}.${tag}`,
      ...[{ $ne: null }, ['x'], 5, null, undefined, '', 'x', 'x'.repeat(10_000), session, `${session}.${secret}`],
    ];
    for (const token of forged) expect((await refresh(one, token)).status).toBe(401);
    expect(await statusOf(accessToken)).toBe(200);
  });

  it('are stored as digests only', async () => {
    const { refreshToken } = await logIn(one);
    const stored = JSON.stringify(await database.db.collection('sessions').find().toArray());
    expect(stored).not.toContain(refreshToken.split('.')[1]);
  });

  it('end with the longest life of the session, and when it is not used', async () => {
    const { refreshToken } = await logIn(one);
    const [session] = refreshToken.split('.') as [string];
    const sessions = database.db.collection<{ _id: string }>('sessions');
    await sessions.updateOne({ _id: session }, { $set: { idleUntil: 1 } });
    expect((await refresh(one, refreshToken)).status).toBe(401);
    const second = await logIn(one);
    await sessions.updateOne({ _id: second.refreshToken.split('.')[0] as string }, { $set: { expiresAt: 1 } });
    expect((await refresh(one, second.refreshToken)).status).toBe(401);
    expect(await statusOf(second.accessToken)).toBe(401);
  });

  it('of a disabled or removed user are refused', async () => {
    const { refreshToken } = await logIn(one);
    await database.db.collection('users').updateOne({}, { $set: { disabled: true } });
    expect((await refresh(one, refreshToken)).status).toBe(401);
    expect((await sendJson(one.url, 'POST', '/authentication', ANN)).status).toBe(401);
  });

  it('are not in the events login and logout', async () => {
    const seen: object[] = [];
    const listener = (result: object): void => void seen.push(result);
    one.app.on('login', listener);
    const { refreshToken } = await logIn(one);
    await refresh(one, refreshToken);
    one.app.off('login', listener);
    expect(seen).toHaveLength(2);
    for (const result of seen) expect(Object.keys(result)).not.toContain('refreshToken');
  });
});

describe('S32 refresh tokens in a cookie', () => {
  let cookies: Running;
  beforeAll(async () => {
    cookies = await startServer(database.db, { refresh: 'cookie', origins: ['https://app.example.com'] }, UNLIMITED);
  });
  afterAll(() => cookies.stop());

  const cookieOf = (answer: Answer): string => String(answer.headers['set-cookie']?.[0]);
  const byCookie = (cookie: string, headers: Record<string, string>): Promise<Answer> =>
    sendJson(cookies.url, 'POST', '/authentication', { strategy: 'refresh' }, { cookie, ...headers });

  it('are in no body, and sent back for pages of the server and of the listed origins alone', async () => {
    const answer = await sendJson(cookies.url, 'POST', '/authentication', ANN);
    expect(answer.body.refreshToken).toBeUndefined();
    expect(cookieOf(answer)).toMatch(/^__Host-refresh=[\w.-]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=1209600$/);
    let cookie = cookieOf(answer).split(';')[0] as string;
    for (const headers of [
      {},
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: 'https://app.example.com.evil.com' },
      { origin: 'http://app.example.com' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect((await byCookie(cookie, headers as Record<string, string>)).status).toBe(403);
    for (const headers of [{ origin: 'https://app.example.com' }, { origin: cookies.url }, { 'sec-fetch-site': 'same-origin' }]) {
      const next = await byCookie(`other=1; ${cookie}; x=y`, headers as Record<string, string>);
      expect(next.status).toBe(201);
      expect(next.body.refreshToken).toBeUndefined();
      cookie = cookieOf(next).split(';')[0] as string;
    }
    expect((await byCookie('', { origin: cookies.url })).status).toBe(401);
  });

  it('are taken away by logging out', async () => {
    const { body, headers } = await sendJson(cookies.url, 'POST', '/authentication', ANN);
    const answer = await send(cookies.url, '/authentication', { method: 'DELETE', headers: bearer(body.accessToken) });
    expect(cookieOf(answer)).toBe('__Host-refresh=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0');
    const cookie = String(headers['set-cookie']?.[0]).split(';')[0] as string;
    expect((await byCookie(cookie, { origin: cookies.url })).status).toBe(401);
  });
});

describe('settings', () => {
  it('sessions need a service that stores them', async () => {
    const app = express(framework()) as Application;
    app.set('authentication', { secret: SECRET, entity: null, authStrategies: ['jwt'], sessions: true });
    const authentication = new AuthenticationService(app);
    authentication.register('jwt', new JWTStrategy());
    app.use('authentication', authentication);
    await expect(app.setup()).rejects.toThrow("no service 'sessions' stores them");
  });

  it.each([[{ refresh: 'both' }], [{ maxAge: '0s' }], ['yes'], [{ idle: 'soon' }]])('%j is refused', (sessions) => {
    const app = express(framework()) as Application;
    app.set('authentication', { secret: SECRET, entity: null, authStrategies: ['jwt'], sessions: sessions as never });
    expect(() => new AuthenticationService(app)).toThrow();
  });

  it('there are sessions without refresh tokens', async () => {
    const none = await startServer(database.db, { refresh: false }, UNLIMITED);
    const answer = await sendJson(none.url, 'POST', '/authentication', ANN);
    expect([answer.status, answer.body.refreshToken]).toEqual([201, undefined]);
    expect((await refresh(none, 'x')).status).toBe(401);
    await send(none.url, '/authentication', { method: 'DELETE', headers: bearer(answer.body.accessToken) });
    expect(await statusOf(answer.body.accessToken, none)).toBe(401);
    await none.stop();
  });
});
