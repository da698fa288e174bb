import { authenticate } from '@framework/authentication';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  addAuthentication,
  call,
  collect,
  connect,
  connectClient,
  cut,
  memory,
  RECONNECTING,
  start,
  stopAll,
  until,
  type AnyApplication,
  type Running,
} from './harness.ts';
import { hashPassword, protect } from '@framework/authentication-local';
import { channels } from '@framework/channels';

afterEach(stopAll);

function startOpen(build: (app: AnyApplication) => void = () => undefined): Promise<Running> {
  return start((app) => {
    app.use('messages', memory());
    app.publish(() => app.channel('everybody'));
    app.on('connection', (connection: any) => app.channel('everybody').join(connection));
    build(app);
  });
}

/** Ann and Bob, each with a channel of their own that is joined at the login. */
async function startPrivate(join: (app: AnyApplication, connection: any, name: string) => unknown): Promise<Running> {
  const running = await start((app) => {
    app.use('users', memory({ startId: 1 }));
    app.service('users').hooks({ around: { all: [protect('password')] }, before: { create: [hashPassword('password')] } });
    addAuthentication(app);
    app.use('messages', memory());
    app.service('messages').hooks({ around: { all: [authenticate('jwt')] } });
    app.service('messages').publish((message: any) => app.channel(`for/${message.to}`));
    app.on('login', (result: any, { connection }: any) => connection && join(app, connection, result.user.name));
  });
  for (const name of ['ann', 'bob']) await running.app.service('users').create({ name, email: `${name}@example.com`, password: name });
  return running;
}

const login = (client: any, name: string): Promise<any> =>
  client.authenticate({ strategy: 'local', email: `${name}@example.com`, password: name });

describe("the incumbent's client", () => {
  it.each([['websocket'], ['polling']])('gets what it missed over %s, in order, nothing twice, cut after cut', async (transport) => {
    const { app, url } = await startOpen();
    const socket = await connect(url, { ...RECONNECTING, transports: [transport] });
    const received = collect(socket, 'messages created');
    const create = async (count: number): Promise<void> => {
      for (let made = 0; made < count; made++) await app.service('messages').create({});
    };
    await create(2);
    await until(() => received.length === 2);
    for (const missed of [3, 0, 1, 5]) {
      await cut(socket, () => create(missed));
      expect(socket.recovered).toBe(true);
      await create(1);
    }
    await until(() => received.length === 15);
    await call(socket, 'find', 'messages', {});
    expect(received.map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_, index) => index));
  });

  it('resumes though it had no event before it was cut', async () => {
    const { app, url } = await startOpen();
    const socket = await connect(url, RECONNECTING);
    const received = collect(socket, 'messages created');
    await call(socket, 'find', 'messages', {});
    await cut(socket, () => app.service('messages').create({}));
    expect(socket.recovered).toBe(true);
    await until(() => received.length === 1);
  });

  it('is told when it can not be given what it missed', async () => {
    const { app, url } = await startWindow({ entries: 5 });
    const socket = await connect(url, RECONNECTING);
    const received = collect(socket, 'messages created');
    await app.service('messages').create({});
    await until(() => received.length === 1);
    await cut(socket, async () => {
      for (let made = 0; made < 6; made++) await app.service('messages').create({});
    });
    expect(socket.recovered).toBe(false);
    await app.service('messages').create({});
    await until(() => received.length === 2);
    expect(received.map(({ id }) => id)).toEqual([0, 7]);
  });

  it('is told when what it missed goes while its connection is looked at', async () => {
    let looked: Promise<void> | undefined;
    let looking = 0;
    const { app, url } = await startWindow({ entries: 5 });
    app.io.use((_socket: unknown, next: () => void) => {
      looking += 1;
      void Promise.resolve(looked).then(next);
    });
    const socket = await connect(url, RECONNECTING);
    const received = collect(socket, 'messages created');
    await app.service('messages').create({});
    await until(() => received.length === 1);
    let go: () => void = () => undefined;
    looked = new Promise((resolve) => (go = resolve));
    const told: boolean[] = [];
    socket.on('connect', () => told.push(socket.recovered));
    await cut(socket, async () => {
      await until(() => looking === 2);
      for (let made = 0; made < 6; made++) await app.service('messages').create({});
      looked = undefined;
      go();
    });
    await until(() => told.at(-1) === false);
    await app.service('messages').create({});
    await until(() => received.length === 2);
    expect(received.map(({ id }) => id)).toEqual([0, 7]);
  });

  it('that says where it was is believed no more than any caller', async () => {
    const { app, url } = await startOpen();
    await app.service('messages').create({});
    const first = await connect(url);
    await call(first, 'find', 'messages', {});
    const [epoch] = String((first as any)._lastOffset).split('.');
    const offsets = [
      '',
      'x',
      `${epoch}.zzzz`,
      `${epoch}.-1`,
      'other.1',
      `${epoch}.1.1.1.1.1`,
      'a'.repeat(5000),
      5,
      null,
      {},
      `${epoch}.1~1~short`,
    ];
    for (const offset of offsets) {
      const socket = await connect(url, { auth: { pid: 'pid', offset } });
      expect(socket.recovered).toBeFalsy();
      expect((await call(socket, 'find', 'messages', {})).error).toBeNull();
    }
    for (const pid of ['', 'a b', 'x'.repeat(65), { a: 1 }]) {
      const socket = await connect(url, { auth: { pid, offset: `${epoch}.1` } });
      expect((await call(socket, 'find', 'messages', {})).error).toBeNull();
    }
  });

  it('that was logged in gets what it missed once it has logged in again, by itself', async () => {
    const { app, url } = await startPrivate((added, connection, name) => added.channel(`for/${name}`).join(connection));
    const client = await connectClient(url, RECONNECTING);
    await login(client.app, 'ann');
    const received = collect(client.socket, 'messages created');
    await app.service('messages').create({ to: 'ann' });
    await until(() => received.length === 1);
    await cut(client.socket, async () => {
      for (const to of ['ann', 'bob', 'ann']) await app.service('messages').create({ to });
    });
    expect(client.socket.recovered).toBe(true);
    await until(() => received.length === 3);
    await app.service('messages').create({ to: 'ann' });
    await until(() => received.length === 4);
    expect(received.map(({ id }) => id)).toEqual([0, 1, 3, 4]);
  });

  it('gets what it missed though its channels are joined long after the login, and nothing twice when it is cut again', async () => {
    const { app, url } = await startPrivate(async (added, connection, name) => {
      added.channel('everybody').join(connection);
      await new Promise((resolve) => setTimeout(resolve, 60));
      added.channel(`for/${name}`).join(connection);
    });
    app.service('messages').publish((message: any) => app.channel(message.to === 'all' ? 'everybody' : `for/${message.to}`));
    const client = await connectClient(url, RECONNECTING);
    await login(client.app, 'ann');
    const received = collect(client.socket, 'messages created');
    await until(() => app.channels.includes('for/ann'));
    for (const round of [0, 1, 2]) {
      await cut(client.socket, async () => {
        for (const to of ['ann', 'all', 'ann']) await app.service('messages').create({ to });
      });
      await until(() => received.length === (round + 1) * 3);
    }
    await call(client.socket, 'find', 'authentication', {});
    expect(received.map(({ id }) => id).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (const to of ['ann', 'all']) {
      const ids = received.filter((message) => message.to === to).map(({ id }) => id);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    }
  });
});

describe('two users who swap while one connection comes back', () => {
  it('each get what is theirs: the missed events of the channels that the connection is in now, and no others', async () => {
    const { app, url } = await startPrivate((added, connection, name) => added.channel(`for/${name}`).join(connection));
    const client = await connectClient(url, { ...RECONNECTING, reconnectionDelay: 30 });
    await login(client.app, 'ann');
    const received = collect(client.socket, 'messages created');
    await app.service('messages').create({ to: 'ann' });
    await until(() => received.length === 1);
    // Whoever sits at the machine logs in as somebody else before the connection is back.
    client.app.authentication.authenticated = false;
    await cut(client.socket, async () => {
      for (const to of ['ann', 'bob', 'ann', 'bob']) await app.service('messages').create({ to });
    });
    await login(client.app, 'bob');
    await until(() => received.length === 3);
    await app.service('messages').create({ to: 'ann' });
    await app.service('messages').create({ to: 'bob' });
    await until(() => received.length === 4);
    expect(received.map(({ to }) => to)).toEqual(['ann', 'bob', 'bob', 'bob']);
  });

  it('do not keep the channels of the one before on a connection that stays', async () => {
    const { app, url } = await startPrivate((added, connection, name) => added.channel(`for/${name}`).join(connection));
    const client = await connectClient(url);
    const received = collect(client.socket, 'messages created');
    await login(client.app, 'ann');
    await login(client.app, 'bob');
    expect(app.channels).toEqual(['for/bob']);
    await app.service('messages').create({ to: 'ann' });
    await app.service('messages').create({ to: 'bob' });
    await until(() => received.length === 1);
    await client.app.logout();
    expect(app.channels).toEqual([]);
    await app.service('messages').create({ to: 'bob' });
    await call(client.socket, 'find', 'messages', {});
    expect(received.map(({ to }) => to)).toEqual(['bob']);
  });
});

async function startWindow(window: object): Promise<Running> {
  return start(
    (app) => {
      app.use('messages', memory());
      app.publish(() => app.channel('everybody'));
      app.on('connection', (connection: any) => app.channel('everybody').join(connection));
    },
    {},
    channels({ window }),
  );
}
