import { memory } from '@feathersjs/memory';
import socketio from '@feathersjs/socketio';
import { afterEach, describe, expect, it } from '@jest/globals';
import { plugin, start, stopAll, type AnyApplication, type Running } from '../application.ts';
import { call, collect, connect, connectClient, disconnectAll } from '@framework-internal/testing/sockets';

/** Connections join the channel that their request names. */
function startRooms(build: (app: AnyApplication) => void): Promise<Running> {
  return start((app) => {
    app.configure(plugin(socketio()));
    app.on('connection', (connection: any) => {
      app.channel('everybody').join(connection);
      const room = connection.headers['x-room'];
      if (room !== undefined) app.channel(`room/${room}`).join(connection);
    });
    app.use('messages', memory({ multi: true }));
    build(app);
  });
}

const inRoom = (url: string, room: string): ReturnType<typeof connect> => connect(url, { extraHeaders: { 'x-room': room } });

afterEach(async () => {
  disconnectAll();
  await stopAll();
});

describe('channels', () => {
  it('carry events to the connections that joined, and to no others', async () => {
    const { url } = await startRooms((app) => {
      app.service('messages').publish((message: any) => app.channel(`room/${message.room}`));
    });
    const [red, alsoRed, blue] = await Promise.all([inRoom(url, 'red'), inRoom(url, 'red'), inRoom(url, 'blue')]);
    const received = [red, alsoRed, blue].map((socket) => collect(socket, 'messages created'));
    const { result: first } = await call(red, 'create', 'messages', { room: 'red', text: 'hello' }, {});
    const { result: second } = await call(blue, 'create', 'messages', { room: 'blue', text: 'hi' }, {});
    // Each socket gets its messages in order: what was published before this answer has come.
    for (const socket of [red, alsoRed, blue]) await call(socket, 'find', 'messages', {});
    expect(received).toEqual([[first], [first], [second]]);
  });

  it('carry all four events, one for each record of a list', async () => {
    const { url } = await startRooms((app) => {
      app.publish(() => app.channel('everybody'));
    });
    const { app, socket } = await connectClient(url);
    const received: [string, unknown][] = [];
    const messages = app.service('messages');
    for (const event of ['created', 'updated', 'patched', 'removed']) {
      messages.on(event, (message: unknown) => received.push([event, message]));
    }
    await messages.create([{ text: 'a' }, { text: 'b' }]);
    await messages.update(0, { text: 'A' });
    await messages.patch(1, { text: 'B' });
    await messages.remove(0);
    await call(socket, 'find', 'messages', {});
    expect(received).toEqual([
      ['created', { id: 0, text: 'a' }],
      ['created', { id: 1, text: 'b' }],
      ['updated', { id: 0, text: 'A' }],
      ['patched', { id: 1, text: 'B' }],
      ['removed', { id: 0, text: 'A' }],
    ]);
  });

  it('carry events of calls over REST and of calls on the server', async () => {
    const { app, url } = await startRooms((added) => {
      added.publish('created', () => added.channel('everybody'));
    });
    const socket = await connect(url);
    const received = collect(socket, 'messages created');
    await app.service('messages').create({ text: 'from the server' });
    await fetch(`${url}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'over REST' }),
    });
    await call(socket, 'find', 'messages', {});
    expect(received).toEqual([
      { id: 0, text: 'from the server' },
      { id: 1, text: 'over REST' },
    ]);
  });

  it('send what a connection may see: data of the channel, else the dispatched form', async () => {
    const { app, url } = await startRooms((added) => {
      added
        .service('messages')
        .publish((message: any) => [
          added.channel('room/red').send({ text: message.text.length }),
          added.channel('everybody').filter((connection: any) => connection.headers['x-room'] !== 'red'),
        ]);
      added.service('messages').hooks({
        after: {
          create: [
            async (context: any) => {
              context.dispatch = { text: context.result.text };
            },
          ],
        },
      });
    });
    const [red, blue] = await Promise.all([inRoom(url, 'red'), inRoom(url, 'blue')]);
    const received = [red, blue].map((socket) => collect(socket, 'messages created'));
    await app.service('messages').create({ text: 'secret', note: 'for the server alone' });
    for (const socket of [red, blue]) await call(socket, 'find', 'messages', {});
    expect(received).toEqual([[{ text: 6 }], [{ text: 'secret' }]]);
  });

  it('carry nothing to connections that left, or whose client is gone', async () => {
    const { app, url } = await startRooms((added) => {
      added.publish(() => added.channel('everybody'));
    });
    const [staying, leaving, gone] = await Promise.all([inRoom(url, 'a'), inRoom(url, 'b'), inRoom(url, 'c')]);
    expect(app.channel('everybody').length).toBe(3);
    app.channel('everybody').leave((connection: any) => connection.headers['x-room'] === 'b');
    const left = new Promise((resolve) => app.once('disconnect', resolve));
    gone.disconnect();
    expect(await left).toMatchObject({ headers: { 'x-room': 'c' } });
    expect(app.channel('everybody').length).toBe(1);
    expect(app.channels.sort()).toEqual(['everybody', 'room/a', 'room/b']);

    const received = [staying, leaving].map((socket) => collect(socket, 'messages created'));
    const created = await app.service('messages').create({ text: 'hello' });
    for (const socket of [staying, leaving]) await call(socket, 'find', 'messages', {});
    expect(received).toEqual([[created], []]);
  });

  it('carry events that a service sends by itself, and publishers refuse events it does not have', async () => {
    const { app, url } = await start((added) => {
      added.configure(plugin(socketio()));
      added.on('connection', (connection: any) => added.channel('everybody').join(connection));
      added.use(
        'jobs',
        {
          async find() {
            return [];
          },
        },
        { events: ['progress'] },
      );
      added.service('jobs').publish('progress', () => added.channel('everybody'));
    });
    expect(() => app.service('jobs').publish('finished', () => null)).toThrow("'finished' is not a valid service event");
    const socket = await connect(url);
    const received = collect(socket, 'jobs progress');
    app.service('jobs').emit('progress', { percent: 40 });
    await call(socket, 'find', 'jobs', {});
    expect(received).toEqual([{ percent: 40 }]);
  });

  it('reach services that are registered while the application runs', async () => {
    const { app, url } = await startRooms((added) => {
      added.publish(() => added.channel('everybody'));
    });
    app.use('late', memory());
    const { app: client, socket } = await connectClient(url);
    const received = collect(socket, 'late created');
    const created = await client.service('late').create({ text: 'late' });
    await call(socket, 'find', 'late', {});
    expect(received).toEqual([created]);
    await app.unuse('late');
    await expect(client.service('late').find()).rejects.toMatchObject({ name: 'NotFound' });
  });
});
