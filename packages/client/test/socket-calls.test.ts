import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@framework-internal/testing/free-port';
import { io, type Socket } from 'socket.io-client';
import { createClient, MemoryStorage, rest, socketio, sse } from '../src/index.ts';
import { LOGIN, start, type TestApp } from './application.ts';
import { failureOf } from './failure.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function socketTo(port: number): Socket {
  const socket = io(`http://127.0.0.1:${port}`, {
    transports: ['websocket'],
    reconnectionDelay: 10,
    reconnectionDelayMax: 20,
    forceNew: true,
  });
  ends.push(() => socket.disconnect());
  return socket;
}

/** How many listen to the connection of a socket. */
const listening = (socket: Socket): number => socket.listeners('connect').length + socket.listeners('disconnect').length;

it('a call that failed while there was no connection is not made when there is one', async () => {
  const port = await freePort();
  const socket = socketTo(port);
  const notes = createClient<TestApp>(socketio(socket)).service('notes');
  const controller = new AbortController();
  const aborted = notes.create({ text: 'aborted' }, { signal: controller.signal });
  controller.abort(new Error('not wanted any more'));
  await expect(aborted).rejects.toThrow('not wanted any more');
  expect(await failureOf(notes.create({ text: 'late' }, { timeout: 20 }))).toMatchObject({ kind: 'timeout', code: 408 });
  const waiting = notes.create({ text: 'waited' });
  const running = await start({ port });
  ends.push(() => running.stop());
  expect(await waiting).toMatchObject({ text: 'waited' });
  expect(await notes.find({ query: {} })).toMatchObject({ total: 1, data: [{ text: 'waited' }] });
});

it('refuses a query of which JSON would leave something out, as REST does, and asks nothing', async () => {
  const running = await start();
  ends.push(() => running.stop());
  const asked: unknown[] = [];
  running.app.service('notes').hooks({ before: { find: [({ params }) => void asked.push(params.query)] } });
  for (const transport of [socketio(socketTo(running.port)), rest(running.url)]) {
    const notes = createClient<TestApp>(transport).service('notes');
    for (const text of [/x/, { $ne: /x/ }, { $in: [new Map()] }])
      await expect(notes.find({ query: { text } as never })).rejects.toThrow("The query property '");
  }
  expect(asked).toEqual([]);
});

it('leaves no listeners on the socket, however it ends', async () => {
  const running = await start();
  ends.push(() => running.stop());
  let hold: Promise<void> = Promise.resolve();
  running.app.service('notes').hooks({ before: { find: [() => hold] } });
  const socket = socketTo(running.port);
  const notes = createClient<TestApp>(socketio(socket)).service('notes');
  await notes.create({ text: 'one' });
  const before = listening(socket);
  let release: () => void = () => undefined;
  hold = new Promise((resolve) => (release = resolve));
  expect(await failureOf(notes.find({ query: {}, timeout: 20 }))).toMatchObject({ kind: 'timeout' });
  const cut = failureOf(notes.find({ query: {} }));
  setTimeout(() => socket.io.engine.close(), 20);
  expect(await cut).toMatchObject({ kind: 'network', code: 503 });
  release();
  expect(await failureOf(notes.get(4711))).toMatchObject({ code: 404 });
  expect(listening(socket)).toBe(before);
});

it('a call that waits for the connection is made as whoever is logged in', async () => {
  const running = await start();
  ends.push(() => running.stop());
  const socket = socketTo(running.port);
  const client = createClient<TestApp>(socketio(socket));
  await client.authenticate(LOGIN);
  expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
  socket.disconnect();
  const waiting = client.service('who').find();
  setTimeout(() => socket.connect(), 20);
  expect(await waiting).toEqual({ email: LOGIN.email });
});

it('a refresh that waits for the connection does not wait for the login of that, which waits for it', async () => {
  const running = await start({ authentication: { sessions: true, jwtOptions: { expiresIn: '1h' } } });
  ends.push(() => running.stop());
  const storage = new MemoryStorage();
  await createClient<TestApp>(rest(running.url), { authentication: { storage } }).authenticate(LOGIN);
  const kept = JSON.parse(storage.getItem('framework-login') ?? '');
  storage.setItem('framework-login', JSON.stringify({ ...kept, accessToken: 'ended', renewAt: 1 }));
  const socket = socketTo(running.port);
  const client = createClient<TestApp>(socketio(socket, { timeout: 1000 }), { authentication: { storage, lock: (run) => run() } });
  ends.push(() => client.close());
  const found = await Promise.all([client.service('who').find(), client.service('who').find()]);
  expect(found).toEqual([{ email: LOGIN.email }, { email: LOGIN.email }]);
});

it.each([NaN, Infinity, new Date(NaN), () => 1])('refuses %s as an id, which arrives as an id of all records', async (id) => {
  const running = await start();
  ends.push(() => running.stop());
  const notes = createClient<TestApp>(socketio(socketTo(running.port))).service('notes');
  await notes.create({ text: 'stays' });
  await expect(notes.remove(id as never)).rejects.toThrow(TypeError);
  expect(await notes.find()).toMatchObject({ total: 1 });
});

it('writes data that a hook has taken away as none, and not the query', async () => {
  const running = await start();
  ends.push(() => running.stop());
  const notes = createClient<TestApp>(socketio(socketTo(running.port))).service('notes');
  notes.hooks({ before: { create: [(context) => void (context.data = undefined)] } });
  expect(await notes.create({ text: 'given' }, { query: { text: 'of the query' } })).not.toHaveProperty('text');
});

it.each([
  ['a condition that is undefined', { text: undefined }, "'text' is undefined"],
  ['an operand that is undefined', { text: { $in: ['a', undefined] } }, 'is undefined'],
  ['a number that is none', { id: NaN }, "'id' is NaN"],
])('refuses %s, without which the call would be one for other records', async (_, query, message) => {
  const running = await start();
  ends.push(() => running.stop());
  const notes = createClient<TestApp>(socketio(socketTo(running.port))).service('notes');
  await notes.create([{ text: 'one' }, { text: 'two' }]);
  await expect(notes.remove(null, { query: query as never })).rejects.toThrow(message);
  expect(await notes.find({ query: { $limit: undefined } })).toMatchObject({ total: 2 });
});

it('sends a large whole number of a query as text, as it does over REST', async () => {
  const running = await start();
  ends.push(() => running.stop());
  const messages = createClient<TestApp>(socketio(socketTo(running.port))).service('messages');
  await messages.create([
    { text: 'one', likes: 1 },
    { text: 'two', likes: 2 },
  ]);
  expect(await messages.find({ query: { likes: 2n as never } })).toMatchObject([{ text: 'two' }]);
});

it.each([new Uint8Array([1, 2]), new Blob(['bytes']), new FormData(), new ReadableStream()])(
  'refuses %p, of which nothing would arrive but an empty record',
  async (data) => {
    const running = await start();
    ends.push(() => running.stop());
    const notes = createClient<TestApp>(socketio(socketTo(running.port))).service('notes');
    await expect(notes.create(data as never)).rejects.toThrow('it goes over rest() alone');
    expect(await notes.find()).toMatchObject({ total: 0 });
  },
);

it('refuses a write with a condition or a key, which it can not send', async () => {
  const running = await start();
  ends.push(() => running.stop());
  const { id } = await running.app.service('messages').create({ text: 'as it was' });
  const messages = createClient<TestApp>(socketio(socketTo(running.port))).service('messages');
  await expect(messages.patch(id, { text: 'lost' }, { ifMatch: '"another version"' })).rejects.toThrow("'ifMatch' goes over rest() alone");
  await expect(messages.patch(id, { text: 'lost' }, { idempotencyKey: crypto.randomUUID() })).rejects.toThrow(
    new TypeError("'idempotencyKey' goes over rest() alone: calls over a socket have no headers"),
  );
  const read = await messages.get(id);
  for (const ifMatch of [read, true] as const)
    await expect(messages.patch(id, { text: 'lost' }, { ifMatch })).rejects.toThrow("rest() has no ETag of a 'conditional' service");
  expect(await messages.get(id)).toMatchObject({ text: 'as it was' });
});

it('values of placeholders arrive as they are, as they do over REST', async () => {
  const running = await start();
  ends.push(() => running.stop());
  const route = createClient<TestApp>(socketio(socketTo(running.port))).service('users/:userId/route');
  for (const userId of ['a b', 'Zoë', '100%', '%41', 'cafe\u0301']) expect(await route.find({ route: { userId } })).toEqual({ userId });
  await expect(route.find({ route: { userId: 'a/b' } })).rejects.toThrow('which goes over rest() alone');
});

describe('two clients with one socketio()', () => {
  async function transportOf(): Promise<ReturnType<typeof socketio>> {
    const running = await start();
    ends.push(() => running.stop());
    return socketio(socketTo(running.port));
  }

  it('are refused at their start: the login and the end of the one would be those of the other', async () => {
    const transport = await transportOf();
    const first = createClient<TestApp>(transport);
    ends.push(() => first.close());
    expect(() => createClient<TestApp>(transport)).toThrow('This socketio() has a client already');
    expect(await first.service('notes').create({ text: 'one' })).toMatchObject({ text: 'one' });
  });

  it('may come one after the other, and the first one ends once', async () => {
    const transport = await transportOf();
    const first = createClient<TestApp>(transport);
    first.close();
    const second = createClient<TestApp>(transport);
    ends.push(() => second.close());
    first.close();
    expect(() => createClient<TestApp>(transport)).toThrow('This socketio() has a client already');
    expect(await second.authenticate(LOGIN)).toHaveProperty('accessToken');
  });

  it('may come one after the other where events come by a stream, and the first one leaves the socket alone', async () => {
    const running = await start();
    ends.push(() => running.stop());
    const socket = socketTo(running.port);
    const others = listening(socket);
    const transport = socketio(socket);
    const first = createClient<TestApp>(transport, { events: sse(running.url) });
    await first.authenticate(LOGIN);
    first.close();
    expect(listening(socket)).toBe(others);
    const second = createClient<TestApp>(transport, { events: sse(running.url) });
    ends.push(() => second.close());
    expect(await second.authenticate(LOGIN)).toHaveProperty('accessToken');
  });
});
