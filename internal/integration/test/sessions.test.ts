import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import type { AuthenticationService } from '@framework/authentication';
import type { HookContext } from '@framework/core';
import type { Application } from '@framework/transport-express';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { send, sendJson, type Running } from './harness.ts';
import { ANN, bearer, logIn, PASSWORD, refresh, startServer } from './session-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase({ monitorCommands: true });
});
afterAll(() => database.close());

/** One process of the application, which says when it asks the store. */
async function startProcess(): Promise<Running> {
  const running = await startServer(database.db);
  const { app } = running;
  app.hooks({ before: { patch: [takeNewPassword] } });
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
  return running;
}

/** A name of the application's own for what its clients send. */
function takeNewPassword(context: HookContext): void {
  const { newPassword, ...data } = (context.data ?? {}) as { readonly newPassword?: string };
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

const statusOf = async (token: string, at: Running = one): Promise<number> =>
  (await send(at.url, '/echo', { headers: bearer(token) })).status;
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
    const { accessToken, refreshToken } = await logIn(one);
    const other = await logIn(two);
    for (const at of [one, two]) expect(await statusOf(accessToken, at)).toBe(200);
    await end(accessToken);
    expect(await statusOf(accessToken)).toBe(401);
    await asked(two);
    expect(await statusOf(accessToken, two)).toBe(401);
    expect((await refresh(one, refreshToken)).status).toBe(401);
    expect((await refresh(two, refreshToken)).status).toBe(401);
    // Only logging out leaves the other login alone.
    expect(await statusOf(other.accessToken, two)).toBe(what === 'logging out' ? 200 : 401);
    expect((await sendJson(one.url, 'POST', '/authentication', { strategy: 'jwt', accessToken })).status).toBe(401);
  });

  it('a process that never saw the session refuses it too', async () => {
    const { accessToken } = await logIn(one);
    await send(one.url, '/authentication', { method: 'DELETE', headers: bearer(accessToken) });
    const late = await startProcess();
    expect(await statusOf(accessToken, late)).toBe(401);
    await late.stop();
  });

  it('a renewed hash of the same password does not end sessions, in any process', async () => {
    const [first, second] = [await logIn(one), await logIn(two)];
    const hash = async (): Promise<unknown> => (await database.db.collection('users').findOne())?.password;
    const before = await hash();
    const local = { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 2048, timeCost: 1 } };
    const renewing = await startServer(database.db, true, { local });
    for (const { accessToken } of [first, second]) expect(await statusOf(accessToken, renewing)).toBe(200);
    await Promise.all([logIn(renewing), logIn(renewing)]);
    expect([String(before).includes('m=1024'), String(await hash()).includes('m=2048')]).toEqual([true, true]);
    for (const at of [one, two, renewing]) for (const { accessToken } of [first, second]) expect(await statusOf(accessToken, at)).toBe(200);
    for (const { refreshToken } of [first, second]) expect((await refresh(two, refreshToken)).status).toBe(201);
    await renewing.stop();
  });

  it('a password that another program has written ends them too, at once', async () => {
    const { accessToken, refreshToken } = await logIn(one);
    for (const at of [one, two]) expect(await statusOf(accessToken, at)).toBe(200);
    await database.db
      .collection('users')
      .updateOne({}, { $set: { password: '$2b$04$KETRR5fW0Nk4.K1IV7M78.3pxbizYodHLbDz.DO72KhdkTDP/3M1K' } });
    for (const at of [two, one]) expect(await statusOf(accessToken, at)).toBe(401);
    expect((await refresh(two, refreshToken)).status).toBe(401);
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
    const next = await logIn(one);
    expect(await statusOf(next.accessToken)).toBe(200);
  });
});

describe('the check of a session', () => {
  it('asks the store for the session once, and then only what has ended, however many requests there are', async () => {
    const { accessToken } = await logIn(one);
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
    const { accessToken } = await logIn(one);
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
    const { sid } = (await service.verifyAccessToken((await logIn(one)).accessToken)) as { sid: string };
    const stolen = await service.createAccessToken({ sid }, { subject: 'somebody else' });
    expect(await statusOf(stolen)).toBe(401);
  });

  it('the store can not be reached from outside', async () => {
    const { accessToken } = await logIn(one);
    for (const [method, path] of [
      ['GET', '/sessions'],
      ['GET', '/sessions/x'],
      ['DELETE', '/sessions'],
      ['POST', '/sessions'],
    ] as const)
      expect((await send(one.url, path, { method, headers: bearer(accessToken) })).status).toBe(405);
  });
});

describe('the list of one’s own sessions', () => {
  it('shows them, and one can be ended', async () => {
    const first = await logIn(one);
    const second = await logIn(two);
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
    const ann = await logIn(one);
    const [own] = (await send(one.url, '/authentication/sessions', { headers: bearer(ann.accessToken) })).body as [{ id: string }];
    const foreign = await send(one.url, `/authentication/sessions/${own.id}`, { method: 'DELETE', headers: bearer(bob.accessToken) });
    expect(foreign.status).toBe(404);
    expect(await statusOf(ann.accessToken)).toBe(200);
    expect((await send(one.url, '/authentication/sessions')).status).toBe(401);
    expect((await send(one.url, '/authentication/sessions', { method: 'DELETE' })).status).toBe(401);
  });
});
