import * as msgpack from 'socket.io-msgpack-parser';
import { getRules } from '@framework/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { SocketioOptions } from '../src/index.ts';
import {
  call,
  collect,
  connect,
  connectClient,
  memory,
  start,
  stopAll,
  until,
  cut,
  RECONNECTING,
  type AnyApplication,
  type Running,
} from './harness.ts';

afterEach(stopAll);

/** Connections join `everybody`, and the room that their request names. */
function startRooms(build: (app: AnyApplication) => void, options: SocketioOptions = {}): Promise<Running> {
  return start((app) => {
    app.on('connection', (connection: any) => {
      app.channel('everybody').join(connection);
      const room = connection.headers['x-room'];
      if (room !== undefined) app.channel(`room/${room}`).join(connection);
    });
    app.use('messages', memory());
    build(app);
  }, options);
}

const inRoom = (url: string, room: string): ReturnType<typeof connect> => connect(url, { extraHeaders: { 'x-room': room } });

/** What was published before this answer has come by then: each socket gets its messages in order. */
const settled = (socket: Parameters<typeof call>[0]): Promise<unknown> => call(socket, 'find', 'messages', {});

it('an error in a listener of the application is told, ends the connection, and leaves nothing behind', async () => {
  const [fault, told, ended]: [Error, unknown[], unknown[]] = [new Error('no such room'), [], []];
  const { app, url } = await startRooms(
    (added) => {
      added.on('connection', ({ headers }: any) => {
        if (headers['x-room'] === 'none') throw fault;
      });
      added.on('disconnect', ({ headers }: any) => ended.push(headers['x-room']));
    },
    { logger: (error: any) => told.push(error.cause) },
  );
  const socket = await inRoom(url, 'none');
  await until(() => !socket.connected && ended.length > 0);
  expect({ told, ended, channels: app.channels }).toEqual({ told: [fault], ended: ['none'], channels: [] });
  expect((await inRoom(url, 'some')).connected).toBe(true);
});

it('an error in a listener to what goes out is told, and keeps the event from nobody', async () => {
  const told: string[] = [];
  const { app, url } = await startRooms((added) => {
    added.publish(() => added.channel('everybody'));
    added.on('listenerError', (error: Error) => told.push(error.message));
  });
  app.io.on('connection', (socket: { onAnyOutgoing(listener: () => void): void }) => {
    socket.onAnyOutgoing(() => {
      throw new Error('no such metric');
    });
  });
  const sockets = await Promise.all([connect(url), connect(url)]);
  const received = sockets.map((socket) => collect(socket, 'messages created'));
  await app.service('messages').create({});
  await until(() => received.every(({ length }) => length === 1));
  expect(told).toEqual(['no such metric']);
});

it('a client that sends the event of an end, which some parsers let through, is cut off', async () => {
  const ended: unknown[] = [];
  const { app, url } = await startRooms((added) => void added.on('disconnect', (connection) => ended.push(connection)), {
    parser: msgpack,
  });
  const socket = await connect(url, { parser: msgpack, transports: ['websocket'] });
  const packets = [new msgpack.Encoder().encode({ type: 2, nsp: '/', data: ['disconnect', 'as if'] })].flat();
  const gone = new Promise((resolve) => socket.once('disconnect', resolve));
  for (const packet of packets) socket.io.engine.write(packet);
  await gone;
  await until(() => ended.length > 0);
  expect({ ended: ended.length, channels: app.channels, sockets: app.io.engine.clientsCount }).toEqual({
    ended: 1,
    channels: [],
    sockets: 0,
  });
});

describe.each([['websocket'], ['polling']])('events over %s', (transport) => {
  it('come to the connections that joined, one for each record, with what the client expects', async () => {
    const { url } = await startRooms((app) => {
      app.publish(() => app.channel('everybody'));
    });
    const { app, socket } = await connectClient(url, { transports: [transport] });
    const received: [string, unknown][] = [];
    const messages = app.service('messages');
    for (const event of ['created', 'updated', 'patched', 'removed'])
      messages.on(event, (message: unknown) => received.push([event, message]));
    await messages.create([{ text: 'a' }, { text: 'b' }]);
    await messages.update(0, { text: 'A' });
    await messages.patch(1, { text: 'B' });
    await messages.remove(0);
    await settled(socket);
    expect(received).toEqual([
      ['created', { id: 0, text: 'a' }],
      ['created', { id: 1, text: 'b' }],
      ['updated', { id: 0, text: 'A' }],
      ['patched', { id: 1, text: 'B' }],
      ['removed', { id: 0, text: 'A' }],
    ]);
  });
});

describe('events', () => {
  it('come to nobody else, and to nobody without a publisher', async () => {
    const { app, url } = await startRooms((added) => {
      added.service('messages').publish('created', (message: any) => added.channel(`room/${message.room}`));
    });
    const sockets = await Promise.all([inRoom(url, 'red'), inRoom(url, 'red'), inRoom(url, 'blue')]);
    const received = sockets.map((socket) => collect(socket, 'messages created'));
    const patched = sockets.map((socket) => collect(socket, 'messages patched'));
    const red = await app.service('messages').create({ room: 'red' });
    const blue = await app.service('messages').create({ room: 'blue' });
    await app.service('messages').patch(red.id, { text: 'to nobody' });
    for (const socket of sockets) await settled(socket);
    expect(received).toEqual([[red], [red], [blue]]);
    expect(patched).toEqual([[], [], []]);
  });

  it('hold what the channel is sent, or the dispatched form of each record', async () => {
    const { app, url } = await startRooms((added) => {
      added
        .service('messages')
        .publish((message: any) => [
          added.channel('room/red').send({ length: message.text.length }),
          [null, added.channel('everybody').filter((connection: any) => connection.headers['x-room'] !== 'green')],
        ]);
      added.service('messages').hooks({
        after: {
          create: [
            (context: any) => {
              const shown = ({ text }: any): object => ({ text });
              context.dispatch = Array.isArray(context.result) ? context.result.map(shown) : shown(context.result);
            },
          ],
        },
      });
    });
    const sockets = await Promise.all(['red', 'blue', 'green'].map((room) => inRoom(url, room)));
    const received = sockets.map((socket) => collect(socket, 'messages created'));
    await app.service('messages').create([{ text: 'one' }, { text: 'three' }]);
    for (const socket of sockets) await settled(socket);
    expect(received).toEqual([[{ length: 3 }, { length: 5 }], [{ text: 'one' }, { text: 'three' }], []]);
  });

  it('S34 leave out what the rules of the records hide: of calls from outside, on the server, of many, and of events sent by hand', async () => {
    const { app, url } = await startRooms((added) => {
      added.use('users', memory(), { events: ['greeted'] });
      getRules(added.service('users'))?.add({ hidden: ['password', 'auth.token'] });
      added.use('passers', { create: async () => added.service('users').get(0) });
      added.publish(() => added.channel('everybody'));
    });
    const socket = await connect(url);
    const received: unknown[] = [];
    socket.onAny((name: string, record: unknown) => {
      if (!name.startsWith('framework:')) received.push([name, record]);
    });
    const secret = { password: 'secret', auth: { token: 'secret', name: 'a' } };
    await app.service('users').create({ ...secret });
    await app.service('users').create([{ ...secret }, { ...secret }]);
    await call(socket, 'create', 'users', { name: 'b' }, {});
    await app.service('users').patch(null, { seen: true });
    await app.service('passers').create({});
    app.service('users').emit('greeted', { ...secret });
    await settled(socket);
    expect(received.length).toBe(10);
    expect(JSON.stringify(received)).not.toContain('secret');
    expect(received[0]).toEqual(['users created', { id: 0, auth: { name: 'a' } }]);
    expect(received.at(-1)).toEqual(['users greeted', { auth: { name: 'a' } }]);
  });

  it('come whole at every size at which the frame of a WebSocket changes, beyond ASCII too', async () => {
    const { app, url } = await startRooms((added) => {
      added.publish(() => added.channel('everybody'));
    });
    const socket = await connect(url, { transports: ['websocket'] });
    const received = collect(socket, 'messages created');
    const sizes = [0, 1, 40, 60, 61, 62, 63, 64, 65, 66, 100, 65_400, 65_470, 65_480, 65_490, 65_500, 65_536, 70_000];
    const texts = sizes.flatMap((size) => ['x'.repeat(size), `ü${'x'.repeat(size)}🎉`]);
    for (const text of texts) app.service('messages').emit('created', { text });
    await settled(socket);
    expect(received.map(({ text }: any) => text)).toEqual(texts);
  });

  it('come by the parser of the application, where it has its own, and clients resume with it', async () => {
    const { app, url } = await startRooms(
      (added) => {
        added.publish(() => added.channel('everybody'));
      },
      { parser: msgpack },
    );
    const socket = await connect(url, { parser: msgpack, ...RECONNECTING });
    const received = collect(socket, 'messages created');
    app.service('messages').emit('created', { text: 'one' });
    await settled(socket);
    await cut(socket, () => app.service('messages').emit('created', { text: 'two' }));
    await settled(socket);
    expect([socket.recovered, received]).toEqual([true, [{ text: 'one' }, { text: 'two' }]]);
  });

  it('are shown to listeners of what a socket is sent', async () => {
    const { app, url } = await startRooms((added) => {
      added.publish(() => added.channel('everybody'));
    });
    const socket = await connect(url);
    const shown: unknown[] = [];
    for (const served of app.io.sockets.sockets.values()) served.onAnyOutgoing((...args: unknown[]) => shown.push(args.slice(0, 2)));
    app.service('messages').emit('created', { text: 'one' });
    await settled(socket);
    expect(shown).toEqual([['messages created', { text: 'one' }]]);
  });

  it('are made ready once for all connections of a channel', async () => {
    const { app, url } = await startRooms((added) => {
      added.publish(() => added.channel('everybody'));
    });
    const sockets = await Promise.all(Array.from({ length: 50 }, () => connect(url)));
    const received = sockets.map((socket) => collect(socket, 'messages created'));
    let made = 0;
    const create = (): Promise<unknown> => app.service('messages').create({ text: { toJSON: () => `look ${++made}` } });
    await create();
    await until(() => received.every((list) => list.length === 1));
    const forFifty = made;
    for (const socket of sockets.slice(1)) socket.disconnect();
    await until(() => app.channel('everybody').length === 1);
    made = 0;
    await create();
    await until(() => received[0]?.length === 2);
    expect(made).toBe(forFifty);
    received[0]?.pop();
    expect(new Set(received.map((list) => JSON.stringify(list))).size).toBe(1);
  });

  it('keep their order though publishers take their time', async () => {
    const { app, url } = await startRooms((added) => {
      added.publish(async (message: any) => {
        await new Promise((resolve) => setTimeout(resolve, message.wait));
        return added.channel('everybody');
      });
    });
    const socket = await connect(url);
    const received = collect(socket, 'messages created');
    const messages = app.service('messages');
    for (const wait of [40, 0, 20, 0]) {
      const message = await messages.create({ wait });
      message.wait = 'changed afterwards';
    }
    await until(() => received.length === 4);
    expect(received.map(({ wait }) => wait)).toEqual([40, 0, 20, 0]);
  });

  it('are not kept from others by a publisher or a filter that fails: the application is told', async () => {
    const failed: unknown[] = [];
    const { app, url } = await startRooms((added) => {
      added.on('listenerError' as never, ((error: Error, source: unknown) => failed.push([error.message, source])) as never);
      added.service('messages').publish('created', (message: any) => {
        if (message.text === 'throws') throw new Error('a publisher');
        if (message.text === 'rejects') return Promise.reject(new Error('an asynchronous publisher'));
        if (message.text === 'odd') return 'everybody' as never;
        return added.channel('everybody').filter(() => {
          if (message.text === 'filter') throw new Error('a filter');
          return true;
        });
      });
    });
    const socket = await connect(url);
    const received = collect(socket, 'messages created');
    for (const text of ['throws', 'rejects', 'odd', 'filter', 'fine']) await app.service('messages').create({ text });
    await until(() => received.length === 1);
    expect(received[0]).toMatchObject({ text: 'fine' });
    expect(failed.map((entry) => (entry as [string])[0])).toEqual([
      'a publisher',
      'an asynchronous publisher',
      'A publisher gives channels, a list of them, or nothing, and gave string',
      'a filter',
    ]);
  });

  it('that are text do not look like a position to the client', async () => {
    const { app, url } = await start((added) => {
      added.use('words', { find: async () => [] }, { events: ['said'] });
      added.service('words').publish(() => added.channel('everybody'));
      added.on('connection', (connection: any) => added.channel('everybody').join(connection));
    });
    const socket = await connect(url);
    const received = collect(socket, 'words said');
    app.service('words').emit('said', 'hello');
    await until(() => received.length === 1);
    expect(received).toEqual(['hello']);
    expect((socket as any)._lastOffset).toMatch(/^[0-9a-z]+\.1$/);
  });
});

describe('channels', () => {
  it('are left by connections that are gone, and end with the last one', async () => {
    const { app, url } = await startRooms(() => undefined);
    const [staying, gone] = await Promise.all([inRoom(url, 'a'), inRoom(url, 'b')]);
    expect(app.channels.sort()).toEqual(['everybody', 'room/a', 'room/b']);
    const left = new Promise((resolve) => app.once('disconnect', resolve));
    gone.disconnect();
    expect(await left).toMatchObject({ headers: { 'x-room': 'b' } });
    expect(app.channels.sort()).toEqual(['everybody', 'room/a']);
    expect(app.channel('everybody').length).toBe(1);
    expect(staying.connected).toBe(true);
  });

  it('are left, and the socket closed, when the application says that a connection is over', async () => {
    const { app, url } = await startRooms(() => undefined);
    const socket = await connect(url);
    let ends = 0;
    app.on('disconnect', () => (ends += 1));
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    app.emit('disconnect', app.channel('everybody').connections[0]);
    expect(await closed).toBe('io server disconnect');
    expect(app.channels).toEqual([]);
    expect(ends).toBe(1);
  });

  it.each([
    ['throws', false],
    ['rejects', true],
  ])('S47 are left, and the socket closed, where a listener of the connection %s', async (_what, isLate) => {
    const logged: unknown[] = [];
    const { app, url } = await start(
      (added) => {
        added.on('connection', (connection: any) => {
          added.channel('everybody').join(connection);
          const error = new Error('no database');
          if (isLate) return Promise.reject(error);
          throw error;
        });
      },
      { logger: (error) => logged.push((error as Error).cause) },
    );
    const socket = await connect(url, { reconnection: false });
    if (socket.connected) await new Promise((resolve) => socket.once('disconnect', resolve));
    expect(app.channels).toEqual([]);
    expect(logged).toEqual([new Error('no database')]);
  });

  it('S40 are in no channel, and why is logged, where the server fails at the start of a connection', async () => {
    const logged: any[] = [];
    const { app, url } = await start(
      (added) => {
        const parse = (): Promise<never> => Promise.reject(new Error('no database'));
        const configuration = { authStrategies: ['jwt'] };
        added.set('defaultAuthentication', 'logins');
        added.use('logins', { configKey: 'logins', configuration, parse, create: async () => ({}) } as never);
      },
      { logger: (error) => logged.push(error) },
    );
    const refused: any = await connect(url).catch((error: unknown) => error);
    expect(refused.data).toMatchObject({ code: 500, message: 'An unexpected error occurred on the server' });
    expect(refused.message).toBe(refused.data.message);
    expect(logged.map(({ cause, correlationId }) => [cause, correlationId])).toEqual([
      [new Error('no database'), refused.data.data.correlationId],
    ]);
    expect(app.channels).toEqual([]);
  });

  it('refuse publishers of events that the service does not have', async () => {
    const { app } = await startRooms(() => undefined);
    expect(() => app.service('messages').publish('shouted', () => null)).toThrow("'shouted' is not a valid service event");
    expect(() => app.publish('no function' as never)).toThrow(TypeError);
  });
});
