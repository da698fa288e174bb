import { startDatabase, type TestDatabase } from '@framework-internal/testing';
import { DocDbService, sessionStore } from '@framework/adapter-docdb';
import {
  authenticate as authenticateHook,
  AuthenticationService,
  JWTStrategy,
  type AuthenticationConfiguration,
  type SessionOptions,
} from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { framework, type HookContext } from '@framework/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { echo, listen, send, sendJson, type Answer, type Running } from './harness.ts';

const SECRET = 'a secret of more than thirty-two bytes, for tests';
const PASSWORD = 'right password';
const ANN = { strategy: 'local', email: 'ann@example.com', password: PASSWORD };

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase({ monitorCommands: true });
});
afterAll(() => database.close());

/** One process of an application: several share the database and nothing else. */
async function startProcess(sessions: boolean | SessionOptions = true, more: AuthenticationConfiguration = {}): Promise<Running> {
  const app = express(framework()) as Application;
  app.set('authentication', {
    secret: SECRET,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 1024, timeCost: 1 } },
    sessions,
    ...more,
  });
  app.use(json());
  app.configure(rest());
  app.use('users', new DocDbService({ Model: database.db.collection('users') }));
  app.service('users').hooks({
    around: { all: [protect('password')] },
    before: { create: [hashPassword('password')], patch: [takeNewPassword, hashPassword('password')] },
  });
  app.use('sessions', sessionStore(database.db.collection('sessions')));
  app.service('sessions').hooks({
    around: {
      find: [
        async (_context, next) => {
          const due = waiting.get(app) ?? [];
          waiting.delete(app);
          await next();
          for (const resolve of due) resolve();
        },
      ],
    },
  });
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
  app.use('echo', echo);
  app.service('echo').hooks({ before: { all: [authenticateHook('jwt')] } });
  app.use(errorHandler({ logger: false }));
  return listen(app);
}

/** A name of the application's own for what its clients send. */
function takeNewPassword(context: HookContext): void {
  const { newPassword, ...data } = context.data as { readonly newPassword?: string };
  if (newPassword !== undefined) context.data = { ...data, password: newPassword };
}

let one: Running;
let two: Running;
let user: { _id: unknown };
beforeAll(async () => {
  one = await startProcess();
  two = await startProcess();
});
beforeEach(async () => {
  await database.db.collection('users').deleteMany({});
  user = (await one.app.service('users').create({ email: ANN.email, password: PASSWORD })) as typeof user;
});
afterAll(async () => {
  await one.stop();
  await two.stop();
});

const login = async (at: Running = one): Promise<{ accessToken: string; refreshToken: string }> => {
  const answer = await sendJson(at.url, 'POST', '/authentication', ANN);
  expect(answer.status).toBe(201);
  return answer.body;
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const statusOf = async (token: string, at: Running = one): Promise<number> =>
  (await send(at.url, '/echo', { headers: bearer(token) })).status;
const refresh = (refreshToken: unknown, at: Running = one): Promise<Answer> =>
  sendJson(at.url, 'POST', '/authentication', { strategy: 'refresh', refreshToken });

/** Those who wait for a process to ask the store what has ended. */
const waiting = new WeakMap<Application, (() => void)[]>();

/** Resolves when a process has asked the store what has ended: once, from now on. */
async function asked(at: Running): Promise<void> {
  await new Promise<void>((resolve) => waiting.set(at.app, [...(waiting.get(at.app) ?? []), resolve]));
}

describe('S19 sessions end at once, and in every other process with its next question to the store', () => {
  const ends: [what: string, end: (token: string) => Promise<unknown>][] = [
    ['logging out', async (token) => send(one.url, '/authentication', { method: 'DELETE', headers: bearer(token) })],
    ['logging out everywhere', async (token) => send(one.url, '/authentication/sessions', { method: 'DELETE', headers: bearer(token) })],
    ['a changed password', () => one.app.service('users').patch(user._id as string, { password: 'another password' })],
    [
      'a changed password that a hook takes from another property',
      () => one.app.service('users').patch(user._id as string, { newPassword: 'x' }),
    ],
    ['a disabled user', () => one.app.service('users').patch(user._id as string, { disabled: true })],
    [
      'a changed password of several users, where only a count comes back',
      () =>
        one.app.service('users').patch(null, { password: 'another password' }, {
          query: { email: ANN.email },
          adapter: { multi: true, returning: 'count' },
        } as never),
    ],
    [
      'several disabled users',
      () => one.app.service('users').patch(null, { disabled: true }, { adapter: { multi: true, returning: 'count' } } as never),
    ],
    ['a removed user', () => one.app.service('users').remove(user._id as string)],
    ['Sessions.endAll', () => (one.app.service('authentication') as unknown as AuthenticationService).sessions!.endAll(String(user._id))],
  ];

  it.each(ends)('%s', async (what, end) => {
    const { accessToken, refreshToken } = await login();
    const other = await login(two);
    for (const at of [one, two]) expect(await statusOf(accessToken, at)).toBe(200);
    await end(accessToken);
    expect(await statusOf(accessToken)).toBe(401);
    await asked(two);
    expect(await statusOf(accessToken, two)).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await refresh(refreshToken, two)).status).toBe(401);
    // Only logging out leaves the other login alone.
    expect(await statusOf(other.accessToken, two)).toBe(what === 'logging out' ? 200 : 401);
    expect((await sendJson(one.url, 'POST', '/authentication', { strategy: 'jwt', accessToken })).status).toBe(401);
  });

  it('a process that never saw the session refuses it too', async () => {
    const { accessToken } = await login();
    await send(one.url, '/authentication', { method: 'DELETE', headers: bearer(accessToken) });
    const late = await startProcess();
    expect(await statusOf(accessToken, late)).toBe(401);
    await late.stop();
  });

  it('a renewed hash of the same password does not end sessions, in any process', async () => {
    const [first, second] = [await login(), await login(two)];
    const hash = async (): Promise<unknown> => (await database.db.collection('users').findOne())?.password;
    const before = await hash();
    const local = { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 2048, timeCost: 1 } };
    const renewing = await startProcess(true, { local });
    for (const { accessToken } of [first, second]) expect(await statusOf(accessToken, renewing)).toBe(200);
    await Promise.all([login(renewing), login(renewing)]);
    expect([String(before).includes('m=1024'), String(await hash()).includes('m=2048')]).toEqual([true, true]);
    for (const at of [one, two, renewing]) for (const { accessToken } of [first, second]) expect(await statusOf(accessToken, at)).toBe(200);
    for (const { refreshToken } of [first, second]) expect((await refresh(refreshToken, two)).status).toBe(201);
    await renewing.stop();
  });

  it('a password that another program has written ends them too, at once', async () => {
    const { accessToken, refreshToken } = await login();
    for (const at of [one, two]) expect(await statusOf(accessToken, at)).toBe(200);
    await database.db
      .collection('users')
      .updateOne({}, { $set: { password: '$2b$04$KETRR5fW0Nk4.K1IV7M78.3pxbizYodHLbDz.DO72KhdkTDP/3M1K' } });
    for (const at of [two, one]) expect(await statusOf(accessToken, at)).toBe(401);
    expect((await refresh(refreshToken, two)).status).toBe(401);
    const [session] = refreshToken.split('.') as [string];
    // What was found so is written, for lists and connections.
    expect(await database.db.collection<{ _id: string }>('sessions').findOne({ _id: session })).toMatchObject({ refresh: null });
  });

  it('real-time connections are disconnected, also when the end came from another process', async () => {
    const connection: Record<string, unknown> = {};
    const service = one.app.service('authentication') as unknown as AuthenticationService;
    const { accessToken } = await service.create(ANN, { provider: 'socket', connection });
    expect(connection.user).toBeDefined();
    const disconnected = new Promise((resolve) => one.app.once('disconnect', resolve));
    await send(two.url, '/authentication', { method: 'DELETE', headers: bearer(String(accessToken)) });
    expect(await disconnected).toBe(connection);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(connection).toEqual({});
  });

  it('a login that was under way when all were ended counts as before', async () => {
    const { sessions } = one.app.service('authentication') as unknown as AuthenticationService;
    const before = await sessions!.epochOf(String(user._id));
    await sessions!.endAll(String(user._id));
    const late = sessions!.begin(String(user._id), before);
    await late.store();
    await expect(sessions!.check(late.id, String(user._id))).rejects.toMatchObject({ code: 401 });
    const next = await login();
    expect(await statusOf(next.accessToken)).toBe(200);
  });
});

describe('the check of a session', () => {
  it('asks the store for the session once, and then only what has ended, however many requests there are', async () => {
    const { accessToken } = await login();
    await statusOf(accessToken);
    const questions: string[] = [];
    const count = ({ command }: { command: Record<string, unknown> }) => {
      if (command.find === 'sessions' || command.aggregate === 'sessions') questions.push(JSON.stringify(command.filter));
    };
    database.client.on('commandStarted', count);
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 10 }, () => statusOf(accessToken)));
    database.client.off('commandStarted', count);
    expect(questions.length).toBeLessThan(200);
    for (const filter of questions) expect(filter).toContain('"version"');
  });

  it('S46 fails closed: 503 while the store does not answer', async () => {
    const { accessToken } = await login();
    expect(await statusOf(accessToken)).toBe(200);
    const store = one.app.service('sessions');
    let down = true;
    store.hooks({
      before: {
        all: [
          () => {
            if (down) throw new Error('no database');
          },
        ],
      },
    });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await statusOf(accessToken)).toBe(503);
    const failed = await sendJson(one.url, 'POST', '/authentication', ANN);
    expect(failed.status).toBe(503);
    down = false;
    expect(await statusOf(accessToken)).toBe(200);
  });

  it('a token without a session is refused where sessions are on', async () => {
    const service = one.app.service('authentication') as unknown as AuthenticationService;
    const token = await service.createAccessToken({}, { subject: String(user._id) });
    expect(await statusOf(token)).toBe(401);
    const foreign = await service.createAccessToken({ sid: 'unknown' }, { subject: String(user._id) });
    expect(await statusOf(foreign)).toBe(401);
    const { sid } = (await service.verifyAccessToken((await login()).accessToken)) as { sid: string };
    const stolen = await service.createAccessToken({ sid }, { subject: 'somebody else' });
    expect(await statusOf(stolen)).toBe(401);
  });

  it('the store can not be reached from outside', async () => {
    const { accessToken } = await login();
    for (const [method, path] of [
      ['GET', '/sessions'],
      ['GET', '/sessions/x'],
      ['DELETE', '/sessions'],
      ['POST', '/sessions'],
    ] as const)
      expect((await send(one.url, path, { method, headers: bearer(accessToken) })).status).toBe(405);
  });
});

describe('S20 refresh tokens', () => {
  it('give a new access token and a new refresh token, once', async () => {
    const first = await login();
    const answer = await refresh(first.refreshToken);
    expect(answer).toMatchObject({ status: 201, body: { user: { email: ANN.email }, authentication: { strategy: 'refresh' } } });
    expect(answer.text).not.toContain('argon2');
    expect(answer.body.refreshToken).not.toBe(first.refreshToken);
    expect(await statusOf(answer.body.accessToken)).toBe(200);
    // The access token from before lives as long as it did.
    expect(await statusOf(first.accessToken)).toBe(200);
    expect((await refresh(answer.body.refreshToken, two)).status).toBe(201);
  });

  it('that are used twice end their session, and an event tells of it', async () => {
    const first = await login();
    const second = (await refresh(first.refreshToken)).body as typeof first;
    const events: unknown[] = [];
    one.app.once('refresh-reuse', (event) => events.push(event));
    expect((await refresh(first.refreshToken)).status).toBe(401);
    expect(events).toEqual([{ session: expect.any(String), user: String(user._id) }]);
    expect(JSON.stringify(events)).not.toContain(first.refreshToken.split('.')[1]);
    for (const token of [first.accessToken, second.accessToken]) expect(await statusOf(token)).toBe(401);
    expect((await refresh(second.refreshToken)).status).toBe(401);
    expect((await sendJson(one.url, 'POST', '/authentication', ANN)).status).toBe(201);
  });

  it('that are older than the last one end their session too', async () => {
    const first = await login();
    const second = (await refresh(first.refreshToken)).body as typeof first;
    const third = (await refresh(second.refreshToken)).body as typeof first;
    expect((await refresh(first.refreshToken, two)).status).toBe(401);
    expect((await refresh(third.refreshToken)).status).toBe(401);
  });

  it('have one winner of 50 that use the same one at once, in two processes', async () => {
    for (let round = 0; round < 3; round++) {
      const { refreshToken } = await login();
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => refresh(refreshToken, index % 2 === 0 ? one : two)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
    }
  });

  it('are no access tokens, and access tokens no refresh tokens', async () => {
    const { accessToken, refreshToken } = await login();
    expect(await statusOf(refreshToken)).toBe(401);
    expect((await refresh(accessToken)).status).toBe(401);
    expect(await statusOf(accessToken)).toBe(200);
  });

  it('S5 of any other shape are refused, and end nothing', async () => {
    const { accessToken, refreshToken } = await login();
    const [session, secret, tag] = refreshToken.split('.') as [string, string, string];
    const forged = [
      `${session}.${'A'.repeat(43)}.${tag}`,
      `${session}.${'A'.repeat(43)}.${'A'.repeat(22)}`,
      `${'A'.repeat(22)}.${secret}.${tag}`,
      ...[{ $ne: null }, ['x'], 5, null, undefined, '', 'x', 'x'.repeat(10_000), session, `${session}.${secret}`],
    ];
    for (const token of forged) expect((await refresh(token)).status).toBe(401);
    expect(await statusOf(accessToken)).toBe(200);
  });

  it('are stored as digests only', async () => {
    const { refreshToken } = await login();
    const stored = JSON.stringify(await database.db.collection('sessions').find().toArray());
    expect(stored).not.toContain(refreshToken.split('.')[1]);
  });

  it('end with the longest life of the session, and when it is not used', async () => {
    const { refreshToken } = await login();
    const [session] = refreshToken.split('.') as [string];
    const sessions = database.db.collection<{ _id: string }>('sessions');
    await sessions.updateOne({ _id: session }, { $set: { idleUntil: 1 } });
    expect((await refresh(refreshToken)).status).toBe(401);
    const second = await login();
    await sessions.updateOne({ _id: second.refreshToken.split('.')[0] as string }, { $set: { expiresAt: 1 } });
    expect((await refresh(second.refreshToken)).status).toBe(401);
    expect(await statusOf(second.accessToken)).toBe(401);
  });

  it('of a disabled or removed user are refused', async () => {
    const { refreshToken } = await login();
    await database.db.collection('users').updateOne({}, { $set: { disabled: true } });
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await sendJson(one.url, 'POST', '/authentication', ANN)).status).toBe(401);
  });

  it('are not in the events login and logout', async () => {
    const seen: object[] = [];
    const listener = (result: object): void => void seen.push(result);
    one.app.on('login', listener);
    const { refreshToken } = await login();
    await refresh(refreshToken);
    one.app.off('login', listener);
    expect(seen).toHaveLength(2);
    for (const result of seen) expect(Object.keys(result)).not.toContain('refreshToken');
  });
});

describe('S32 refresh tokens in a cookie', () => {
  let cookies: Running;
  beforeAll(async () => {
    cookies = await startProcess({ refresh: 'cookie', origins: ['https://app.example.com'] });
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

describe('the list of one’s own sessions', () => {
  it('shows them, and one can be ended', async () => {
    const first = await login();
    const second = await login(two);
    const list = (await send(two.url, '/authentication/sessions', { headers: bearer(second.accessToken) })).body as Record<
      string,
      unknown
    >[];
    expect(list).toHaveLength(2);
    expect(list.filter(({ current }) => current)).toHaveLength(1);
    expect(Object.keys(list[0]!).sort()).toEqual(['address', 'agent', 'createdAt', 'current', 'expiresAt', 'id', 'usedAt']);
    expect(list[0]!.address).toMatch(/127\.0\.0\.1$/);
    const other = list.find(({ current }) => !current)!;
    const ended = await send(two.url, `/authentication/sessions/${String(other.id)}`, {
      method: 'DELETE',
      headers: bearer(second.accessToken),
    });
    expect(ended).toMatchObject({ status: 200, body: { id: other.id } });
    expect(await statusOf(second.accessToken, two)).toBe(200);
    await asked(one);
    expect(await statusOf(first.accessToken, one)).toBe(401);
    expect((await send(two.url, '/authentication/sessions', { headers: bearer(second.accessToken) })).body).toHaveLength(1);
  });

  it('S21 is for oneself alone, and needs a token', async () => {
    await one.app.service('users').create({ email: 'bob@example.com', password: PASSWORD });
    const bob = (await sendJson(one.url, 'POST', '/authentication', { ...ANN, email: 'bob@example.com' })).body as { accessToken: string };
    const ann = await login();
    const [own] = (await send(one.url, '/authentication/sessions', { headers: bearer(ann.accessToken) })).body as [{ id: string }];
    const foreign = await send(one.url, `/authentication/sessions/${own.id}`, { method: 'DELETE', headers: bearer(bob.accessToken) });
    expect(foreign.status).toBe(404);
    expect(await statusOf(ann.accessToken)).toBe(200);
    expect((await send(one.url, '/authentication/sessions')).status).toBe(401);
    expect((await send(one.url, '/authentication/sessions', { method: 'DELETE' })).status).toBe(401);
  });
});

describe('settings', () => {
  it('sessions need a service that stores them', async () => {
    const app = express(framework()) as Application;
    app.set('authentication', { secret: SECRET, entity: null, authStrategies: ['jwt'], sessions: true });
    app.use('authentication', new AuthenticationService(app));
    await expect(app.setup()).rejects.toThrow("no service 'sessions' stores them");
  });

  it.each([[{ refresh: 'both' }], [{ maxAge: '0s' }], ['yes'], [{ idle: 'soon' }]])('%j is refused', (sessions) => {
    const app = express(framework()) as Application;
    app.set('authentication', { secret: SECRET, entity: null, authStrategies: ['jwt'], sessions: sessions as never });
    expect(() => new AuthenticationService(app)).toThrow();
  });

  it('there are sessions without refresh tokens', async () => {
    const none = await startProcess({ refresh: false });
    const answer = await sendJson(none.url, 'POST', '/authentication', ANN);
    expect([answer.status, answer.body.refreshToken]).toEqual([201, undefined]);
    expect((await refresh('x', none)).status).toBe(401);
    await send(none.url, '/authentication', { method: 'DELETE', headers: bearer(answer.body.accessToken) });
    expect(await statusOf(answer.body.accessToken, none)).toBe(401);
    await none.stop();
  });
});
