import { framework } from '@framework/core';
import { NotAuthenticated, Unavailable } from '@framework/errors';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  addAuthentication,
  addUsers,
  answerOf,
  ask,
  call,
  connectionId,
  credentials,
  dataOf,
  memory,
  open,
  start,
  stopAll,
  until,
  type AnyApplication,
  type Reader,
} from './harness.ts';

afterEach(stopAll);

interface Mounted {
  readonly url: string;
  readonly outer: AnyApplication;
  readonly inner: AnyApplication;
}

/** Streams of an application with logins of its own and with those of a mounted one, whose users hear what is for them. */
async function mounted(settings: object = {}): Promise<Mounted> {
  const inner = framework() as unknown as AnyApplication;
  const { app: outer, url } = await start((app) => {
    addAuthentication(app);
    // Its users are others: a token of one is none of the other.
    addAuthentication(inner, { secret: 'another secret of more than thirty-two bytes', ...settings });
    app.use('messages', memory());
    app.use('admin', inner as never);
    app.service('messages').publish(({ to }: { to: string }) => app.channel(to));
    app.on('connection', (connection: object) => app.channel('all').join(connection));
    for (const [name, one] of Object.entries({ outer: app, inner }))
      one.on(
        'login',
        (_result: unknown, { connection }: { connection?: object }) => connection && app.channel(name, 'all').join(connection),
      );
  });
  await addUsers(outer, 'ann');
  await addUsers(inner, 'bob');
  return { url, outer, inner };
}

async function logIn(url: string, path: string, name: string, reader: Reader): Promise<string> {
  const { body } = await call(url, 'POST', path, credentials(name), { 'connection-id': connectionId(reader) });
  return body.accessToken;
}

/** The channels as each login leaves them: the token may have ended before its answer is read. */
function channelsOfLogins(outer: AnyApplication, inner: AnyApplication): string[][] {
  const channels: string[][] = [];
  inner.on('login', () => channels.push(outer.channels));
  return channels;
}

const texts = (reader: Reader): string[] => dataOf(reader, 'messages created').map(({ text }) => text);

describe('a stream that is logged in by a mounted application', () => {
  it('ends with its token, and the mounted application is told', async () => {
    const { url, outer, inner } = await mounted({ jwtOptions: { expiresIn: '2s' } });
    const told: string[] = [];
    for (const [name, one] of Object.entries({ outer, inner })) one.on('disconnect', () => told.push(name));
    const joined = channelsOfLogins(outer, inner);
    const reader = await open(url);
    await logIn(url, '/admin/authentication', 'bob', reader);
    await until(() => reader.closed());
    expect(joined).toEqual([['all', 'inner']]);
    expect(outer.channels).toEqual([]);
    expect(told.sort()).toEqual(['inner', 'outer']);
  });

  it('leaves its channels with the logout', async () => {
    const { url, outer } = await mounted();
    const reader = await open(url);
    const token = await logIn(url, '/admin/authentication', 'bob', reader);
    await outer.service('messages').create({ to: 'inner', text: 'before' });
    await until(() => texts(reader).length === 1);
    const headers = { 'connection-id': connectionId(reader), authorization: `Bearer ${token}` };
    expect(await call(url, 'DELETE', '/admin/authentication', undefined, headers)).toMatchObject({ status: 200 });
    expect(outer.channels).toEqual([]);
  });

  it('leaves those of the user that it had before, though that one has the same id', async () => {
    const { url, outer } = await mounted();
    const reader = await open(url);
    await logIn(url, '/authentication', 'ann', reader);
    expect(outer.channels).toEqual(['all', 'outer']);
    await logIn(url, '/admin/authentication', 'bob', reader);
    expect(outer.channels).toEqual(['inner', 'all']);
    await logIn(url, '/authentication', 'ann', reader);
    expect(outer.channels).toEqual(['outer', 'all']);
  });

  it('tells the mounted application of its end', async () => {
    const { url, inner } = await mounted();
    const told: unknown[] = [];
    inner.on('disconnect', (connection: { provider: string }) => told.push(connection.provider));
    const [reader, other] = [await open(url), await open(url)];
    await logIn(url, '/admin/authentication', 'bob', reader);
    other.close();
    reader.close();
    await until(() => told.length > 0);
    expect(told).toEqual(['sse']);
  });

  it('as it was opened leaves the channels of that user with the login of another, and ends with its token', async () => {
    const inner = framework() as unknown as AnyApplication;
    const { app: outer, url } = await start((app) => {
      addAuthentication(inner, { jwtOptions: { expiresIn: '2s' } });
      app.use('/', inner as never);
      app.set('defaultAuthentication', 'authentication');
      inner.on(
        'login',
        ({ user }: { user: { name: string } }, { connection }: { connection?: object }) =>
          connection && app.channel(user.name).join(connection),
      );
    });
    await addUsers(inner, 'ann', 'bob');
    const joined = channelsOfLogins(outer, inner);
    const token = await inner.service('authentication').createAccessToken({}, { subject: '1', expiresIn: '1h' });
    const reader = await open(url, { authorization: `Bearer ${token}` });
    await logIn(url, '/authentication', 'bob', reader);
    await until(() => reader.closed());
    expect(joined).toEqual([['ann'], ['bob']]);
    expect(outer.channels).toEqual([]);
  });

  it('by the token that it is opened with, also where the outer one has no logins, ends with that', async () => {
    const inner = framework() as unknown as AnyApplication;
    addAuthentication(inner);
    const { app: outer, url } = await start((app) => {
      app.use('api', inner as never);
      inner.on(
        'login',
        ({ user }: { user: { name: string } }, { connection }: { connection?: object }) =>
          connection && app.channel(user.name).join(connection),
      );
    });
    await addUsers(inner, 'ann');
    const token = await inner.service('authentication').createAccessToken({}, { subject: '1', expiresIn: '2s' });
    const reader = await open(url, { authorization: `Bearer ${token}` });
    expect(outer.channels).toEqual(['ann']);
    await until(() => reader.closed());
    expect(outer.channels).toEqual([]);
    await expect(open(url, { authorization: 'Bearer wrong' })).rejects.toMatchObject({ status: 401 });
  });

  it('by the token of an application that Express mounts, as by a login that names it', async () => {
    const inner = express(framework()) as unknown as AnyApplication;
    inner.use(json()).configure(rest());
    addAuthentication(inner);
    inner.use(errorHandler({ logger: false }));
    const { app: outer, url } = await start((app) => {
      app.use('/api', inner as never);
      app.on('connection', (connection: object) => app.channel('all').join(connection));
      inner.on('login', (_result: unknown, { connection }: { connection?: object }) => connection && app.channel('inner').join(connection));
    });
    await addUsers(inner, 'ann');
    const token = await logIn(url, '/api/authentication', 'ann', await open(url));
    expect(outer.channel('inner').length).toBe(1);
    await open(url, { authorization: `Bearer ${token}` });
    expect(outer.channel('inner').length).toBe(2);
  });

  it('by credentials that middleware has set is that of the application whose they are', async () => {
    const inner = ['ann', 'bob'].map(() => framework() as unknown as AnyApplication);
    const [first, second] = inner as [AnyApplication, AnyApplication];
    let accessToken = '';
    const { app: outer, url } = await start(
      (app) => {
        addAuthentication(first, { secret: 'another secret of more than thirty-two bytes' });
        addAuthentication(second);
        app.use('first', first as never);
        app.use('second', second as never);
        for (const [name, one] of Object.entries({ first, second }))
          one.on('login', (_result: unknown, { connection }: { connection?: object }) => connection && app.channel(name).join(connection));
      },
      {
        first: (app) =>
          app.use((req: any, _res, next) => {
            req.authentication = { strategy: 'jwt', accessToken };
            next();
          }),
      },
    );
    await addUsers(first, 'ann');
    await addUsers(second, 'bob');
    accessToken = await second.service('authentication').createAccessToken({}, { subject: '1' });
    await open(url);
    expect(outer.channels).toEqual(['second']);
    await expect(open(url, { authorization: `Bearer ${accessToken}` })).rejects.toMatchObject({ status: 400 });
  });
});

it.each([
  [401, 503],
  [503, 401],
])('a stream is refused with what says nothing of its credentials where two applications may be meant, of %i and %i', async (...codes) => {
  const failures = codes.map((code) => (code === 401 ? new NotAuthenticated('Not ours') : new Unavailable('Not now')));
  const { url } = await start((app) => {
    for (const [at, failure] of failures.entries()) {
      const inner = framework() as unknown as AnyApplication;
      addAuthentication(inner, { secret: `secret ${String(at)} of more than thirty-two bytes, for tests` });
      inner.service('authentication').authenticate = () => Promise.reject(failure);
      app.use(`inner${String(at)}`, inner as never);
    }
  });
  const { status, body } = await answerOf(await ask(url, { accept: 'text/event-stream', authorization: 'Bearer of.no.token' }));
  expect([status, body.message]).toEqual([503, 'Not now']);
});
