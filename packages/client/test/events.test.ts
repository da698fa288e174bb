import { connect, createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startNetwork } from '@framework-internal/testing/network';
import { io } from 'socket.io-client';
import { createClient, rest, socketio, sse, type Client, type ClientOptions } from '../src/index.ts';
import { LOGIN, start, type Running, type StartOptions, type TestApp } from './application.ts';
import { failureOf } from './failure.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function server(options: StartOptions = {}): Promise<Running> {
  const running = await start({ authentication: { sessions: true, jwtOptions: { expiresIn: '1h' } }, ...options });
  ends.push(() => running.stop());
  return running;
}

type TestClient = Client<{ [K in keyof NonNullable<TestApp['~services']>]: NonNullable<TestApp['~services']>[K] }>;

/** A client over REST and streams, or over a socket. */
function clientOf(kind: 'sse' | 'socket', url: string, options: ClientOptions = {}): TestClient {
  if (kind === 'sse') {
    const client = createClient<TestApp>(rest(url), { events: sse(url, { maxDelay: 20 }), ...options });
    ends.push(() => client.close());
    return client;
  }
  const socket = io(url, { transports: ['websocket'], reconnectionDelay: 10, reconnectionDelayMax: 20, forceNew: true });
  const client = createClient<TestApp>(socketio(socket), options);
  ends.push(() => {
    client.close();
    socket.disconnect();
  });
  return client;
}

const told = (client: TestClient, event: 'connect' | 'disconnect' | 'reset'): Promise<void> =>
  new Promise((resolve) => client.on(event, () => resolve()));
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

it.each(['/events', 'events/', '//events//'])('come by streams at the path %s', async (path) => {
  const { url, app } = await server();
  const client = createClient<TestApp>(rest(url), { events: sse(`${url}/`, { path }) });
  ends.push(() => client.close());
  const controller = new AbortController();
  const failed = new Promise<Error>((resolve) => client.on('eventError', resolve));
  const connected = told(client, 'connect');
  const first = client.service('notes').events({ signal: controller.signal }).next();
  expect(await Promise.race([failed, connected])).toBeUndefined();
  await app.service('notes').create({ text: 'a' });
  expect((await first).value).toEqual({ type: 'created', data: { id: 0, text: 'a' } });
});

describe.each(['sse', 'socket'] as const)('events over %s', (kind) => {
  it('come to listeners, once and as long as they listen', async () => {
    const { url, app } = await server();
    const client = clientOf(kind, url);
    const notes = client.service('notes');
    const seen: string[] = [];
    const connected = told(client, 'connect');
    notes.once('created', ({ text }) => seen.push(`once ${text}`)).on('created', ({ text }) => seen.push(text));
    const patched = ({ text }: { text: string }): unknown => seen.push(`patched ${text}`);
    notes.on('patched', patched);
    await connected;
    await notes.create({ text: 'one' });
    await notes.create({ text: 'two' });
    await until(() => seen.length === 3);
    notes.off('patched', patched);
    await notes.patch(0, { text: 'changed' });
    await app.service('notes').create({ text: 'three' });
    await until(() => seen.length === 4);
    expect(seen).toEqual(['once one', 'one', 'two', 'three']);
  });

  it('do not come to a listener for one that was taken away', async () => {
    const { url, app } = await server();
    const client = clientOf(kind, url);
    const notes = client.service('notes');
    const seen: string[] = [];
    const taken = ({ text }: { text: string }): unknown => seen.push(`taken ${text}`);
    const connected = told(client, 'connect');
    notes.once('created', taken).on('created', ({ text }) => seen.push(text));
    await connected;
    notes.off('created', taken);
    await app.service('notes').create({ text: 'one' });
    await until(() => seen.includes('one'));
    expect(seen).toEqual(['one']);
  });

  it('come again to a listener for all that was one for the first, too', async () => {
    const { url, app } = await server();
    const client = clientOf(kind, url);
    const notes = client.service('notes');
    const seen: string[] = [];
    const listener = ({ text }: { text: string }): unknown => seen.push(text);
    const connected = told(client, 'connect');
    notes.once('created', listener).on('created', listener);
    await connected;
    for (const text of ['one', 'two']) await app.service('notes').create({ text });
    await until(() => seen.includes('two'));
    expect(seen).toEqual(['one', 'one', 'two']);
  });

  it('do not come to a listener for the first that was given twice and taken away', async () => {
    const { url, app } = await server();
    const client = clientOf(kind, url);
    const notes = client.service('notes');
    const seen: string[] = [];
    const listener = ({ text }: { text: string }): unknown => seen.push(text);
    const connected = told(client, 'connect');
    notes.once('created', listener).once('created', listener).off('created', listener);
    const last = new Promise((resolve) => notes.once('created', resolve));
    await connected;
    await app.service('notes').create({ text: 'one' });
    await last;
    expect(seen).toEqual([]);
  });

  it('are iterated, until the signal, with what comes while nobody looks', async () => {
    const { url, app } = await server();
    const client = clientOf(kind, url);
    const controller = new AbortController();
    const connected = told(client, 'connect');
    const events = client.service('notes').events({ signal: controller.signal });
    const first = events.next();
    await connected;
    for (const text of ['a', 'b', 'c']) await app.service('notes').create({ text });
    expect((await first).value).toEqual({ type: 'created', data: { id: 0, text: 'a' } });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const seen: unknown[] = [];
    for await (const { data } of events) {
      seen.push(data);
      if (seen.length === 2) controller.abort();
    }
    expect(seen).toEqual([
      { id: 1, text: 'b' },
      { id: 2, text: 'c' },
    ]);
  });

  it('are iterated until the client is closed', async () => {
    const { url } = await server();
    const client = clientOf(kind, url);
    const connected = told(client, 'connect');
    const waiting = client.service('notes').events().next();
    await connected;
    client.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('are given up while the next one is awaited', async () => {
    const { url } = await server();
    const client = clientOf(kind, url);
    const connected = told(client, 'connect');
    const events = client.service('notes').events();
    const waiting = events.next();
    await connected;
    await events.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('are not iterated by a client that was closed before', async () => {
    const { url } = await server();
    const client = clientOf(kind, url);
    client.close();
    expect(await client.service('notes').events().next()).toEqual({ done: true, value: undefined });
  });

  it('that nobody takes are dropped beyond a number, and that is told', async () => {
    const { url, app } = await server();
    const client = clientOf(kind, url);
    const connected = told(client, 'connect');
    const events = client.service('notes').events({ buffer: 2 });
    const first = events.next();
    await connected;
    let count = 0;
    client.service('notes').on('created', () => count++);
    for (let number = 0; number < 10; number++) await app.service('notes').create({ text: 'x' });
    await until(() => count === 10);
    const seen = [(await first).value?.type];
    while (seen.at(-1) !== 'reset') seen.push((await events.next()).value?.type);
    expect(seen.length).toBeLessThan(5);
    await events.return();
  });

  it('that were missed while the connection was cut come when it is back, once and in order', async () => {
    const { url, port, app } = await server();
    const network = await startNetwork(port);
    ends.push(() => network.stop());
    const client = clientOf(kind, network.url);
    const seen: string[] = [];
    const connected = told(client, 'connect');
    client.service('notes').on('created', ({ text }) => seen.push(text));
    await connected;
    await app.service('notes').create({ text: 'before' });
    await until(() => seen.length === 1);
    const cut = told(client, 'disconnect');
    let back: Promise<void> | undefined;
    await network.cut(async () => {
      await cut;
      for (const text of ['a', 'b']) await app.service('notes').create({ text });
      back = told(client, 'connect');
    });
    await back;
    await app.service('notes').create({ text: 'after' });
    await until(() => seen.length === 4);
    expect(seen).toEqual(['before', 'a', 'b', 'after']);
    expect(url).toBeDefined();
  });

  it('follow the login: who logs in hears more, and who logs out does not', async () => {
    const { url, app } = await server();
    app.on('login', (_result: unknown, { connection }: { connection?: object }) => connection && app.channel('members').join(connection));
    app.on('connection', (connection: object) => 'user' in connection && app.channel('members').join(connection));
    app.service('pages').publish(() => app.channel('members'));
    const client = clientOf(kind, url);
    const seen: number[] = [];
    let connects = 0;
    client.on('connect', () => connects++);
    client.service('pages').on('created', ({ place }) => seen.push(place));
    await until(() => connects === 1);
    await app.service('pages').create({ place: 1 });
    await client.authenticate(LOGIN);
    if (kind === 'sse') await until(() => connects === 2);
    await app.service('pages').create({ place: 2 });
    await until(() => seen.includes(2));
    await client.logout();
    if (kind === 'sse') await until(() => connects === 3);
    await app.service('pages').create({ place: 3 });
    await client.service('notes').find();
    // A stream that has come back has what was missed in the channels that it is in by then.
    expect(seen).toEqual(kind === 'sse' ? [1, 2] : [2]);
  });
});

/** @returns the places that a client tells whose streams are as they are given, the last one without an end */
function placesBehind(...texts: string[]): readonly (string | undefined)[] {
  const places: (string | undefined)[] = [];
  const client = createClient(rest('http://127.0.0.1'), {
    events: sse('http://127.0.0.1', {
      maxDelay: 20,
      fetch: async (_, init) => {
        places.push((init?.headers as Record<string, string>)['last-event-id']);
        const text = texts[places.length - 1];
        const body = new ReadableStream({
          start(controller) {
            if (text === undefined) return;
            controller.enqueue(Buffer.from(text));
            controller.close();
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      },
    }),
  });
  ends.push(() => client.close());
  client.service('notes').on('created', () => undefined);
  return places;
}

it('a stream that is cut before it had an event goes on where the one before was', async () => {
  const places = placesBehind('event: notes created\nid: 1\ndata: {}\n\n', 'event: connection\ndata: {}\n\n');
  await until(() => places.length === 3);
  expect(places).toEqual([undefined, '1', '1']);
});

it('a stream that was logged in without a header of the client, by a cookie, says so when it is made again', async () => {
  const places = placesBehind('event: position\nid: e.1+\ndata:\n\n', 'event: connection\ndata: {}\n\n');
  await until(() => places.length === 3);
  expect(places).toEqual([undefined, 'e.1+', 'e.1+']);
});

it('a stream of who has logged out waits for no login', async () => {
  const { url, app } = await server();
  const places: (string | undefined)[] = [];
  const asking: typeof fetch = (input, init) => {
    places.push((init?.headers as Record<string, string>)['last-event-id']);
    return fetch(input, init);
  };
  const client = createClient<TestApp>(rest(url), { events: sse(url, { maxDelay: 20, fetch: asking }) });
  ends.push(() => client.close());
  const seen: string[] = [];
  let connects = 0;
  client.on('connect', () => connects++);
  client.on('reset', () => seen.push('reset'));
  client.service('notes').on('created', ({ text }) => seen.push(text));
  await until(() => connects === 1);
  await client.authenticate(LOGIN);
  await until(() => connects === 2);
  await app.service('notes').create({ text: 'a' });
  await until(() => seen.length === 1);
  await client.logout();
  await until(() => connects === 3);
  await app.service('notes').create({ text: 'b' });
  await until(() => seen.length === 2);
  expect(seen).toEqual(['a', 'b']);
  // It says where it was, and of no login.
  expect([places[1], places[2]]).toEqual([expect.stringMatching(/^\w+\.\w+$/), expect.stringMatching(/^\w+\.\w+[^+]*$/)]);
});

it('a stream that is cut before it was told where it is has missed something', async () => {
  const { app, port } = await server();
  let isCut = false;
  const between = createServer((socket) => {
    const to = connect(port, '127.0.0.1');
    socket.pipe(to).on('data', (bytes: Buffer) => {
      const end = isCut ? -1 : bytes.indexOf('event: position');
      isCut ||= end >= 0;
      if (end >= 0) socket.end(bytes.subarray(0, end));
      else if (socket.writable) socket.write(bytes);
    });
    socket.on('error', () => to.destroy()).on('close', () => to.destroy());
    to.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  ends.push(() => between.close());
  const client = clientOf('sse', `http://127.0.0.1:${(between.address() as AddressInfo).port}`);
  const seen: string[] = [];
  for (const name of ['connect', 'reset'] as const) client.on(name, () => seen.push(name));
  client.service('notes').on('created', ({ text }) => seen.push(text));
  await until(() => seen.filter((name) => name === 'connect').length === 2);
  await app.service('notes').create({ text: 'a' });
  await until(() => seen.includes('a'));
  expect(seen).toEqual(['connect', 'connect', 'reset', 'a']);
});

it('a stream goes on where its own client was, also where another client has the same transport', async () => {
  const { url, app } = await server();
  const events = sse(url, { maxDelay: 20 });
  const [one, other] = [0, 1].map(() => createClient<TestApp>(rest(url), { events })) as [TestClient, TestClient];
  ends.push(() => [one, other].forEach((client) => client.close()));
  const seen: string[] = [];
  const listener = ({ text }: { text: string }): unknown => seen.push(text);
  const connected = Promise.all([told(one, 'connect'), told(other, 'connect')]);
  one.service('notes').on('created', listener);
  other.service('notes').on('created', ({ text }) => seen.push(`other ${text}`));
  await connected;
  await app.service('notes').create({ text: 'a' });
  await until(() => seen.length === 2);
  one.service('notes').off('created', listener);
  await app.service('notes').create({ text: 'b' });
  await until(() => seen.length === 3);
  one.service('notes').on('created', listener);
  await app.service('notes').create({ text: 'c' });
  await until(() => seen.includes('c'));
  expect(seen.filter((text) => text.length === 1)).toEqual(['a', 'b', 'c']);
});

it('an event that is larger than the client takes is told as one that was missed, and those behind it come', async () => {
  const { url, app } = await server();
  const client = createClient<TestApp>(rest(url), { events: sse(url, { maxEvent: 1000, maxDelay: 20 }) });
  ends.push(() => client.close());
  const seen: string[] = [];
  const connected = told(client, 'connect');
  client.on('reset', () => seen.push('reset'));
  client.service('notes').on('created', ({ text }) => seen.push(text));
  await connected;
  for (const text of ['a', 'x'.repeat(500_000), 'b']) await app.service('notes').create({ text });
  await until(() => seen.includes('b'));
  expect(seen).toEqual(['a', 'reset', 'b']);
});

it('an event whose bytes are no UTF-8 is told as one that was missed, and characters that are cut in two are whole', async () => {
  const [é, broken] = [Buffer.from('é'), Buffer.from([0xe9])];
  const event = (id: number, text: Buffer) =>
    Buffer.concat([Buffer.from(`event: notes created\nid: ${id}\ndata: "`), text, Buffer.from('"\n\n')]);
  const first = event(1, é);
  const cut = first.indexOf(é) + 1;
  const places: (string | undefined)[] = [];
  const client = createClient(rest('http://127.0.0.1'), {
    events: sse('http://127.0.0.1', {
      maxDelay: 20,
      fetch: async (_, init) => {
        places.push((init?.headers as Record<string, string>)['last-event-id']);
        // The third stands open.
        const chunks = [[first.subarray(0, cut), first.subarray(cut), Buffer.concat([event(2, broken), event(3, é)])], [event(4, é)]][
          places.length - 1
        ];
        const body = new ReadableStream({
          start(controller) {
            for (const chunk of chunks ?? []) controller.enqueue(chunk);
            if (chunks) controller.close();
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      },
    }),
  });
  ends.push(() => client.close());
  const seen: unknown[] = [];
  client.on('reset', () => seen.push('reset'));
  client.service('notes').on('created', (text) => seen.push(text));
  await until(() => places.length === 3);
  expect(seen).toEqual(['é', 'reset', 'é']);
  expect(places).toEqual([undefined, '3', '4']);
});

it('a stream is not made again for a client that is closed when it is cut', async () => {
  const { port } = await server();
  const network = await startNetwork(port);
  ends.push(() => network.stop());
  let requests = 0;
  const counting: typeof fetch = (input, init) => {
    requests++;
    return fetch(input, init);
  };
  const client = createClient<TestApp>(rest(network.url), { events: sse(network.url, { maxDelay: 20, fetch: counting }) });
  const connected = told(client, 'connect');
  const cut = told(client, 'disconnect');
  client.on('disconnect', () => client.close());
  client.service('notes').on('created', () => undefined);
  await connected;
  await network.cut(() => cut);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(requests).toBe(1);
});

it('a closed client tells nothing of what came with the event at which it was closed', async () => {
  const { url, app } = await server();
  const client = clientOf('sse', url);
  const connected = told(client, 'connect');
  const seen: string[] = [];
  client.service('notes').on('created', ({ text }) => {
    seen.push(text);
    client.close();
  });
  await connected;
  await app.service('notes').create(Array.from({ length: 5 }, (_, place) => ({ text: `${place}` })));
  await until(() => seen.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(seen).toEqual(['0']);
});

it.each(['before', 'after'])(
  'a socket stays closed whose page hears %s its client that the server has ended the connection',
  async (order) => {
    const { url, app } = await server();
    const socket = io(url, { transports: ['websocket'], forceNew: true });
    let close = (): void => undefined;
    if (order === 'before') socket.on('disconnect', () => close());
    const client = createClient<TestApp>(socketio(socket));
    if (order === 'after') socket.on('disconnect', () => close());
    await client.authenticate(LOGIN);
    const closed = new Promise<void>((resolve) => {
      close = () => {
        client.close();
        socket.disconnect();
        resolve();
      };
    });
    await app.service('authentication').sessions?.endAll('1');
    await closed;
    await new Promise((resolve) => setTimeout(resolve, 600));
    ends.push(() => socket.disconnect());
    expect(socket.active).toBe(false);
  },
);

it('a closed client does not log its socket in', async () => {
  const { url } = await server();
  const socket = io(url, { transports: ['websocket'], forceNew: true });
  ends.push(() => socket.disconnect());
  const client = createClient<TestApp>(socketio(socket));
  await client.authenticate(LOGIN);
  client.close();
  socket.disconnect();
  const again = new Promise<void>((resolve) => socket.on('connect', () => resolve()));
  socket.connect();
  await again;
  const other = createClient<TestApp>(socketio(socket));
  for (let place = 0; place < 3; place++) await other.service('notes').find();
  expect(await failureOf(other.service('who').find())).toMatchObject({ code: 401 });
});

describe('calls over a socket', () => {
  it('are those of REST, with errors and logins', async () => {
    const { url } = await server();
    const client = clientOf('socket', url);
    const messages = client.service('messages');
    expect(await messages.create({ text: 'Hello', at: new Date(0) })).toMatchObject({ id: 1, at: '1970-01-01T00:00:00.000Z' });
    expect(await messages.find({ query: { text: { $in: ['Hello'] } } })).toHaveLength(1);
    expect(await messages.patch(null, { likes: 1 })).toHaveLength(1);
    expect(await messages.shout({ loud: true })).toBe('HEY');
    expect(await failureOf(messages.get(5))).toMatchObject({ kind: 'answer', name: 'NotFound', code: 404 });
    expect(await failureOf(client.service('who').find())).toMatchObject({ code: 401 });
    await client.authenticate(LOGIN);
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
    await client.logout();
    expect(await failureOf(client.service('who').find())).toMatchObject({ code: 401 });
  });

  it('are logged in again when the connection is made again', async () => {
    const { port } = await server();
    const network = await startNetwork(port);
    ends.push(() => network.stop());
    const client = clientOf('socket', network.url);
    await client.authenticate(LOGIN);
    const waiting = told(client, 'disconnect');
    client.service('notes').on('created', () => undefined);
    await network.cut(() => waiting);
    expect(await client.service('who').find()).toEqual({ email: LOGIN.email });
  });

  it('fail when nobody answers, and when they are given up', async () => {
    const { port } = await server();
    const network = await startNetwork(port);
    ends.push(() => network.stop());
    const client = clientOf('socket', network.url);
    await client.service('notes').find();
    await network.cut(async () => {
      expect(await failureOf(client.service('notes').find({ timeout: 50 }))).toMatchObject({
        kind: expect.stringMatching(/timeout|network/),
      });
      const controller = new AbortController();
      const call = client.service('notes').find({ signal: controller.signal });
      controller.abort(new Error('mine'));
      await expect(call).rejects.toThrow('mine');
    });
  });
});

describe('clients without events', () => {
  it('say how to have them', () => {
    expect(() =>
      createClient<TestApp>(rest(''))
        .service('notes')
        .on('created', () => undefined),
    ).toThrow("takes 'events'");
  });
});
