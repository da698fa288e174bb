import socketio from '@feathersjs/socketio';
import * as feathersErrors from '@feathersjs/errors';
import { authenticate, AuthenticationService } from '@framework/authentication';
import type { Params } from '@framework/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { addAuthentication, plugin, request, start, stopAll, type AnyApplication, type Running } from '../application.ts';
import { call, collect, connect, connectClient, disconnectAll, type Client } from '@framework-internal/testing/sockets';

const ann = { email: 'ann@example.com', password: 'the right password' };
const credentials = { strategy: 'local', ...ann };

async function startProtected(build: (app: AnyApplication) => void = () => undefined, jwtOptions: object = {}): Promise<Running> {
  const running = await start((app) => {
    app.configure(plugin(socketio()));
    addAuthentication(app, jwtOptions);
    app.use('notes', {
      async find({ user, provider, authentication }: Params & Record<string, any>) {
        return { email: user.email, keys: Object.keys(user).sort(), provider, strategy: authentication?.strategy };
      },
      async create(data: unknown) {
        return data;
      },
    });
    app.service('notes').hooks({ around: { all: [authenticate('jwt')] } });
    app.on('login', (_result: unknown, { connection }: Params) => {
      if (connection) app.channel('authenticated').join(connection as never);
    });
    app.service('notes').publish(() => app.channel('authenticated'));
    build(app);
  });
  await running.app.service('users').create(ann);
  return running;
}

/** The incumbent's client gives its token with each call; a bare socket shows what the connection knows. */
const seesNotes = async ({ socket }: Client): Promise<unknown> => {
  const { error, result } = await call(socket, 'find', 'notes', {});
  return error ? error.name : result;
};

const identity = { email: 'ann@example.com', keys: ['email', 'id'], provider: 'socketio', strategy: 'jwt' };

afterEach(async () => {
  disconnectAll();
  await stopAll();
});

describe("authentication over the incumbent's sockets", () => {
  it('refuses calls before the login, and knows the user of the connection after it', async () => {
    const { url } = await startProtected();
    const client = await connectClient(url);
    await expect(client.app.service('notes').find()).rejects.toBeInstanceOf(feathersErrors.NotAuthenticated);
    const login = await client.app.authenticate(credentials);
    expect(login).toMatchObject({
      accessToken: expect.any(String),
      user: { id: 1, email: ann.email },
      authentication: { strategy: 'local' },
    });
    expect(JSON.stringify(login)).not.toContain('$argon2');
    expect(await seesNotes(client)).toEqual(identity);
  });

  it('refuses a wrong password as the client expects it', async () => {
    const { url } = await startProtected();
    const { app } = await connectClient(url);
    const error = await app.authenticate({ ...credentials, password: 'wrong' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(feathersErrors.NotAuthenticated);
    expect(error).toMatchObject({ message: 'Invalid login', code: 401 });
  });

  it('does not take an object for a name or a password', async () => {
    const { url } = await startProtected();
    const socket = await connect(url);
    for (const field of ['email', 'password']) {
      const { error } = await call(socket, 'create', 'authentication', { ...credentials, [field]: { $ne: null } }, {});
      expect(error).toMatchObject({ name: 'NotAuthenticated', code: 401 });
    }
  });

  it('authenticates a new connection again with the token, and by the header of its request', async () => {
    const { url } = await startProtected();
    const first = await connectClient(url);
    const { accessToken } = await first.app.authenticate(credentials);

    const second = await connectClient(url);
    await second.app.authentication.setAccessToken(accessToken);
    await expect(second.app.reAuthenticate()).resolves.toMatchObject({ accessToken, user: { email: ann.email } });
    expect(await seesNotes(second)).toEqual(identity);

    const third = await connectClient(url, { extraHeaders: { authorization: `Bearer ${accessToken}` } });
    expect(await seesNotes(third)).toEqual(identity);
  });

  it('refuses a connection whose request carries a bad token', async () => {
    const { url } = await startProtected();
    await expect(connect(url, { extraHeaders: { authorization: 'Bearer not.a.token' } })).rejects.toThrow('invalid token');
  });

  it('forgets the user at the logout', async () => {
    const { url } = await startProtected();
    const client = await connectClient(url);
    const { accessToken } = await client.app.authenticate(credentials);
    await expect(client.app.logout()).resolves.toMatchObject({ accessToken });
    expect(await seesNotes(client)).toBe('NotAuthenticated');
  });

  it('leaves the channels at the logout, and gives login, logout and disconnect events the connection', async () => {
    const { app, url } = await startProtected();
    const client = await connectClient(url);
    const events: [string, any][] = [];
    app.on('login', (_result: unknown, params: Params) => events.push(['login', params.connection]));
    app.on('logout', (_result: unknown, params: Params) => events.push(['logout', params.connection]));
    app.on('disconnect', (connection: unknown) => events.push(['disconnect', connection]));

    await client.app.authenticate(credentials);
    expect(app.channel('authenticated').length).toBe(1);
    await client.app.logout();
    expect(app.channel('authenticated').length).toBe(0);
    const closed = new Promise((resolve) => app.once('disconnect', resolve));
    client.socket.disconnect();
    await closed;
    expect(events.map(([name]) => name)).toEqual(['login', 'logout', 'disconnect']);
    expect(new Set(events.map(([, connection]) => connection)).size).toBe(1);
    expect(events[0]?.[1]).toMatchObject({ provider: 'socketio' });
  });

  it('publishes to those that are logged in alone, and never logins or users', async () => {
    const { app, url } = await startProtected((added) => {
      added.on('connection', (connection: any) => added.channel('everybody').join(connection));
      added.publish(() => added.channel('everybody'));
    });
    const [known, stranger] = await Promise.all([connectClient(url), connectClient(url)]);
    const everything: unknown[] = [];
    stranger.socket.onAny((event: string) => everything.push(event));
    const received = collect(known.socket, 'notes created');
    await known.app.authenticate(credentials);
    await app.service('notes').create({ text: 'for those who are logged in' }, {});
    await call(known.socket, 'find', 'notes', {});
    await call(stranger.socket, 'find', 'notes', {});
    expect(received).toEqual([{ text: 'for those who are logged in' }]);
    expect(everything).toEqual([]);
  });

  it('disconnects when the token ends', async () => {
    const { url } = await startProtected(undefined, { expiresIn: '2s' });
    const client = await connectClient(url);
    const closed = new Promise((resolve) => client.socket.once('disconnect', resolve));
    await client.app.authenticate(credentials);
    expect(await closed).toBe('io server disconnect');
  });

  it('disconnects a connection for which the application says so', async () => {
    const { app, url } = await startProtected();
    const connected = new Promise((resolve) => app.once('connection', resolve));
    const socket = await connect(url);
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    app.emit('disconnect', await connected);
    expect(await closed).toBe('io server disconnect');
  });

  it('shares its tokens with REST', async () => {
    const { url } = await startProtected();
    const { body } = await request(url, 'POST', '/authentication', credentials);
    const client = await connectClient(url);
    await client.app.authenticate({ strategy: 'jwt', accessToken: body.accessToken });
    expect(await seesNotes(client)).toEqual(identity);
    const found = await request(url, 'GET', '/notes', undefined, { authorization: `Bearer ${body.accessToken}` });
    expect(found.body).toEqual({ ...identity, provider: 'rest' });
  });

  it('counts failed logins of sockets together with those over REST', async () => {
    const { app, url } = await startProtected();
    app.set('authentication', { ...(app.get('authentication') as object), limiter: { account: { attempts: 2, window: '10m' } } });
    const socket = await connect(url);
    const wrong = { ...credentials, password: 'wrong' };
    expect((await call(socket, 'create', 'authentication', wrong, {})).error.code).toBe(401);
    expect((await request(url, 'POST', '/authentication', wrong)).status).toBe(401);
    expect((await call(socket, 'create', 'authentication', credentials, {})).error).toMatchObject({ name: 'TooManyRequests', code: 429 });
  });

  it('finds the authentication service by app.defaultAuthentication', async () => {
    const { app } = await startProtected();
    expect(app.defaultAuthentication()).toBe(app.service('authentication'));
    expect(app.defaultAuthentication('authentication')).toBe(app.service('authentication'));
    expect(app.defaultAuthentication()).toBeInstanceOf(AuthenticationService);
  });
});
