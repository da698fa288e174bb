import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Forbidden, unavailable } from '@framework/errors';
import { io, type Socket } from 'socket.io-client';
import { createClient, MemoryStorage, socketio, type TokenStorage } from '../src/index.ts';
import { failureOf } from './failure.ts';
import { LOGIN, start, type Running, type TestApp } from './application.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A client that is logged in over a socket that comes back at once. */
async function loggedIn(authentication: object = {}, storage?: TokenStorage) {
  const running = await start({ authentication });
  ends.push(() => running.stop());
  const { client, socket } = connected(running, storage);
  await client.authenticate(LOGIN);
  return { running, socket, client };
}

function connected(running: Running, storage?: TokenStorage) {
  const socket = io(running.url, { transports: ['websocket'], forceNew: true, reconnectionDelay: 5, reconnectionDelayMax: 20 });
  const client = createClient<TestApp>(socketio(socket), { authentication: storage ? { storage } : {} });
  ends.push(
    () => socket.disconnect(),
    () => client.close(),
  );
  return { client, socket };
}

/** Fails the next logins by a token, a number of times. */
function failing({ app }: Running, error: () => Error, times = 1) {
  const asked: string[] = [];
  app.service('authentication').hooks({
    before: {
      create: [
        ({ data }) => {
          asked.push(String(data.strategy));
          if (data.strategy === 'jwt' && times-- > 0) throw error();
        },
      ],
    },
  });
  return asked;
}

/** Cuts the network connection, and waits until there is another one. */
async function cut(socket: Socket): Promise<void> {
  const back = new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.io.engine.close();
  await back;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('what another tab does', () => {
  // Clients of pages with an address hear of each other; Node.js has the channel and no address.
  beforeEach(() => void Object.defineProperty(globalThis, 'location', { value: {}, configurable: true }));
  afterEach(() => void Reflect.deleteProperty(globalThis, 'location'));

  const BOB = { ...LOGIN, email: 'bob@example.com' };

  /** Two tabs whose sockets are logged in as the same user. */
  async function twoTabs() {
    const storage = new MemoryStorage();
    const { running, client, socket } = await loggedIn({}, storage);
    await running.app.service('users').create({ email: BOB.email, password: BOB.password });
    running.app.on('login', ({ user }: { user: { email: string } }, { connection }: { connection?: object }) => {
      if (connection) running.app.channel(user.email).join(connection);
    });
    const other = connected(running, storage).client;
    await other.reAuthenticate();
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
    const told: string[] = [];
    client.on('logout', () => told.push('logout')).on('reset', () => told.push('reset'));
    const heard: unknown[] = [];
    client.service('notes').on('created', (note) => heard.push(note));
    return { running, client, socket, other, told, heard };
  }

  it('as somebody else is done over the socket of this one too', async () => {
    const { running, client, other, told, heard } = await twoTabs();
    await other.authenticate(BOB);
    await until(() => told.length > 0);
    expect(await client.service('who').find()).toEqual({ email: BOB.email });
    await until(() => running.app.channel(BOB.email).length === 2);
    expect(running.app.channel(LOGIN.email).length).toBe(0);
    await running.app.service('notes').create({ text: 'heard once' });
    await until(() => heard.length > 0);
    expect(heard).toMatchObject([{ text: 'heard once' }]);
    expect(told).toEqual(['logout']);
  });

  it('as nobody is done over the socket of this one too, also where the server has not heard of it', async () => {
    const { running, client, socket, other, told } = await twoTabs();
    running.app.service('authentication').hooks({
      before: {
        remove: [
          () => {
            throw unavailable('Logins can not be ended at present');
          },
        ],
      },
    });
    await expect(other.logout()).rejects.toThrow('at present');
    await until(() => told.includes('logout') && socket.connected);
    expect(await failureOf(client.service('who').find())).toMatchObject({ code: 401 });
    expect(running.app.channel(LOGIN.email).length).toBe(1);
    expect(await client.authenticate(BOB)).toMatchObject({ user: { email: BOB.email } });
    expect(await client.service('who').find()).toEqual({ email: BOB.email });
  });
});

describe('a connection that is made again', () => {
  it.each([
    ['without sessions', {}],
    ['with sessions', { sessions: true }],
  ])('is logged in once the server can, %s', async (_how, authentication) => {
    const { running, socket, client } = await loggedIn(authentication);
    const asked = failing(running, () => unavailable('The users can not be read at present'), 2);
    running.app.on('login', (_result: unknown, { connection }: { connection?: object }) => {
      if (connection) running.app.channel('members').join(connection);
    });
    await cut(socket);
    await until(() => running.app.channel('members').length > 0);
    expect(asked).toEqual(['jwt', 'jwt', 'jwt']);
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
  });

  it('tells to read again once it is logged in late, where it does not go on where the one before was', async () => {
    const { running, socket, client } = await loggedIn();
    failing(running, () => unavailable('The users can not be read at present'));
    const told: string[] = [];
    const notes = client.service('notes').on('created', () => undefined);
    client.on('reset', () => told.push('reset'));
    running.app.on('login', () => told.push('login'));
    // Another process knows nothing of what this one was told.
    socket.on('connect', () => Object.assign(socket, { recovered: false }));
    socket.io.on('reconnect_attempt', () => Object.assign(socket, { _lastOffset: 'elsewhere.1' }));
    await cut(socket);
    await until(() => told.includes('login'));
    await notes.find();
    expect(told).toEqual(['reset', 'login', 'reset']);
  });

  it('is not logged in again where the server will not', async () => {
    const { running, socket, client } = await loggedIn();
    const asked = failing(running, () => new Forbidden('Not from here'), 2);
    await cut(socket);
    await until(() => asked.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(asked).toEqual(['jwt']);
    await client.authenticate(LOGIN);
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
  });

  it('is not logged in again by a client that is closed meanwhile', async () => {
    const { running, socket, client } = await loggedIn();
    const asked = failing(running, () => unavailable('The users can not be read at present'));
    await cut(socket);
    await until(() => asked.length > 0);
    client.close();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(asked).toEqual(['jwt']);
  });
});

it('a connection that the server ends while a call is open costs no login', async () => {
  const { running, socket, client } = await loggedIn({ sessions: true });
  let connection: object | undefined;
  let finish = (): void => undefined;
  running.app.service('notes').hooks({
    before: {
      create: [
        (context) => {
          connection = context.params.connection;
          return new Promise<void>((resolve) => (finish = resolve));
        },
      ],
    },
  });
  const logouts: unknown[] = [];
  client.on('logout', (result) => logouts.push(result));
  const open = client.service('notes').create({ text: 'slow' });
  await until(() => connection !== undefined);
  running.app.emit('disconnect', connection as object);
  expect(await failureOf(client.service('who').find())).toMatchObject({ code: 503, message: 'The connection has ended: connect again' });
  const back = new Promise<void>((resolve) => socket.once('connect', resolve));
  finish();
  expect(await open).toMatchObject({ text: 'slow' });
  await back;
  expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
  expect(logouts).toEqual([]);
});
