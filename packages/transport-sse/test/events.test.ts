import { connect } from 'node:net';
import { once } from 'node:events';
import { framework } from '@framework/core';
import { Hidden, serviceSchema, Type } from '@framework/schema';
import { compression } from '@framework/transport-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ask, dataOf, memory, open, openSource, start, startOpen, stopAll, until, type AnyApplication } from './harness.ts';

afterEach(stopAll);

const NOTE = Type.Object({ id: Type.Optional(Type.Number()), text: Type.String(), secret: Hidden(Type.String()) });

describe('a stream', () => {
  it('is what curl -N shows: lines of plain text, from the first moment on', async () => {
    const { app, url } = await startOpen();
    const reader = await open(url, { accept: '*/*' });
    await app.service('messages').create({ text: 'Hello\nyou' });
    await until(() => dataOf(reader, 'messages created').length === 1);
    const position = '[0-9a-z]+\\.[0-9a-z]+';
    expect(reader.text()).toMatch(
      new RegExp(
        `^retry: \\d+\n\nevent: connection\ndata: \\{"id":"[\\w-]{32}"\\}\n\nevent: position\nid: ${position}\ndata: \n\n` +
          `event: messages created\nid: ${position}\ndata: \\{"id":0,"text":"Hello\\\\nyou"\\}\n\n$`,
      ),
    );
    expect(reader.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      // Ends with its connection: no chunks around each event.
      connection: 'close',
    });
    expect(reader.response.headers).not.toHaveProperty('transfer-encoding');
  });

  it('reaches clients of HTTP/1.0 too', async () => {
    const { app, url } = await startOpen();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write('GET /events HTTP/1.0\r\n\r\n');
    await until(() => text.includes('event: connection'));
    await app.service('messages').create({});
    await until(() => text.includes('event: messages created'));
    expect(text).not.toContain('chunked');
    socket.destroy();
  });

  it("brings a browser's client the events that it listens to, and the application its coming and going", async () => {
    const told: unknown[] = [];
    const { app, url } = await startOpen({}, (added) => {
      for (const name of ['connection', 'disconnect']) added.on(name, (connection: any) => told.push([name, connection.provider]));
    });
    const { source, events } = await openSource(url, ['messages created', 'messages removed']);
    await app.service('messages').create({ text: 'one' });
    await app.service('messages').patch(0, { text: 'two' });
    await app.service('messages').remove(0);
    await until(() => events.length === 3);
    expect(events.slice(1).map(({ name, data }) => [name, data.text])).toEqual([
      ['messages created', 'one'],
      ['messages removed', 'two'],
    ]);
    source.close();
    await until(() => told.length === 2);
    expect(told).toEqual([
      ['connection', 'sse'],
      ['disconnect', 'sse'],
    ]);
    expect(app.channels).toEqual([]);
  });

  it('has what middleware puts on req.framework, and no more of the client than its headers', async () => {
    const seen: any[] = [];
    const { url } = await startOpen(
      {
        first: (app) =>
          app.use((req: any, _res: unknown, next: () => void) => {
            req.framework = { ...req.framework, device: 'phone' };
            next();
          }),
      },
      (app) => app.on('connection', (connection: any) => seen.push(connection)),
    );
    await open(`${url}/events?user=1&provider=none`, { 'x-test': 'yes' });
    expect(seen).toEqual([{ device: 'phone', provider: 'sse', headers: expect.objectContaining({ 'x-test': 'yes' }) }]);
  });

  it('gets each payload made ready once, however many read it', async () => {
    const { app, url } = await startOpen();
    // Where anything in the process hides a property, listeners get another JSON: that is no payload.
    let heard = 0;
    const unread = framework().use('messages', memory());
    unread.service('messages').on('created', () => undefined);
    await unread.service('messages').create({ toJSON: () => ((heard += 1), {}) } as never);
    const perPayload = async (count: number): Promise<number> => {
      const readers = await Promise.all(Array.from({ length: count }, () => open(url)));
      let made = 0;
      await app.service('messages').create({ toJSON: () => ((made += 1), { made }) });
      await until(() => readers.every((reader) => dataOf(reader, 'messages created').length === 1));
      expect(readers.map((reader) => dataOf(reader, 'messages created'))).toEqual(Array.from({ length: count }, () => [{ made }]));
      return made;
    };
    expect([await perPayload(1), await perPayload(20)]).toEqual([heard + 1, heard + 1]);
  });

  it('S34 has what everybody may see of a record, also for calls on the server and for several records', async () => {
    const { app, url } = await start((added) => {
      added.use('notes', memory(), { schema: serviceSchema({ record: NOTE }) } as never);
      added.on('connection', (connection: any) => added.channel('everybody').join(connection));
      added.publish(() => added.channel('everybody'));
    });
    const reader = await open(url);
    await app.service('notes').create([
      { text: 'one', secret: 'a' },
      { text: 'two', secret: 'b' },
    ]);
    await until(() => dataOf(reader, 'notes created').length === 2);
    expect(dataOf(reader, 'notes created')).toEqual([
      { id: 0, text: 'one' },
      { id: 1, text: 'two' },
    ]);
  });

  it('shares channels, filters and payloads of its own with other transports', async () => {
    const { app, url } = await startOpen();
    const readers = await Promise.all(['a', 'b', 'c'].map((name) => open(url, { 'x-name': name })));
    app.service('messages').publish(() => [
      app
        .channel('everybody')
        .filter((connection: any) => connection.headers['x-name'] === 'a')
        .send({ for: 'a' }),
      app.channel('everybody').filter((connection: any) => connection.headers['x-name'] !== 'c'),
    ]);
    await app.service('messages').create({ text: 'all' });
    app.service('messages').publish(() => app.channel('everybody'));
    await app.service('messages').create({ text: 'last' });
    await until(() => readers.every((reader) => dataOf(reader, 'messages created').at(-1)?.text === 'last'));
    expect(readers.map((reader) => dataOf(reader, 'messages created')[0])).toEqual([
      { for: 'a' },
      { text: 'all', id: 0 },
      { text: 'last', id: 1 },
    ]);
  });
});

describe('what stands between server and client', () => {
  it('compresses nothing and holds nothing back', async () => {
    const { app, url } = await startOpen({ first: (added) => void added.use(compression({ threshold: 0 }) as never) });
    const reader = await open(url, { 'accept-encoding': 'gzip, deflate, br' });
    expect(reader.response.headers['content-encoding']).toBeUndefined();
    await app.service('messages').create({ text: 'x'.repeat(10_000) });
    await until(() => dataOf(reader, 'messages created').length === 1);
    // The same middleware at work, and for what it is meant.
    const compressed = await ask(`${url}/messages`, { 'accept-encoding': 'gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
  });

  it('sees a sign of life from streams that have nothing to send, and none from those that have', async () => {
    const { url } = await startOpen({ sse: { ping: 20 } });
    const reader = await open(url);
    await until(() => reader.text().endsWith(':\n\n:\n\n:\n\n'));
    expect(reader.events.map(({ name }) => name)).toEqual(['connection', 'position']);
  });

  it('counts as gone when it goes in the middle of a login', async () => {
    const told: string[] = [];
    let answer: (() => void) | undefined;
    const first = (added: AnyApplication): void => {
      added.use((_req: unknown, res: any, next: () => void) => {
        res.once('close', () => told.push('closed'));
        next();
      });
    };
    const { app, url } = await startOpen({ sse: { maxStreams: 1 }, first }, (added) => {
      for (const event of ['connection', 'disconnect']) added.on(event, () => told.push(event));
      added.defaultAuthentication = () => ({
        configuration: { authStrategies: ['slow'] },
        parse: async () => ({ strategy: 'slow' }),
        create: () => new Promise<void>((resolve) => (answer = resolve)),
      });
    });
    const asked = ask(url).catch(() => undefined);
    await until(() => answer);
    app.server!.closeAllConnections();
    await asked;
    await until(() => told.includes('closed'));
    answer?.();
    app.defaultAuthentication = () => null;
    const reader = await open(url);
    expect(told).toEqual(['closed', 'disconnect', 'connection']);
    expect(app.channel('everybody').length).toBe(1);
    reader.close();
    await once(reader.response, 'close');
  });
});

describe('what the application does wrong', () => {
  it('is told at once', async () => {
    const { sse } = await import('../src/index.ts');
    const bad = [
      { pth: 'x' },
      { path: '' },
      { path: 'a b' },
      { path: 5 },
      { ping: 0 },
      { ping: Infinity },
      { retry: [5, 1] },
      { retry: [1] },
      { retry: [1, 2, 3] },
      { retry: 5 },
      { maxStreams: 1.5 },
      { maxPerAddress: '5' },
    ];
    for (const options of bad) expect(() => sse(options as never)).toThrow(TypeError);
    const message = "The option 'retry' of sse() has to be two numbers of milliseconds, the least and the most: [1000, 5000]";
    for (const retry of [5, [1], ['1', '2'], [5, 1]]) expect(() => sse({ retry } as never)).toThrow(new TypeError(message));
    expect(() => sse()({})).toThrow('express(app)');
    const { app } = await startOpen({ sse: { path: undefined } as object });
    expect(() => app.configure(sse())).toThrow('already');
    expect(() => app.use('events', memory())).toThrow("The path 'events'");
    expect(() => app.use('/events/', memory())).toThrow("The path 'events'");
    expect(Object.keys(app.services)).toEqual(['messages']);
    expect(() => app.use('lines', memory(), { events: ['a\nid: 1'] } as never)).toThrow('line breaks');
    await expect(startOpen({ sse: { path: 'messages' } })).rejects.toThrow("The path 'messages'");
  });

  it('in a listener is an error of the request, and leaves nothing behind', async () => {
    let fail = true;
    const { app, url } = await startOpen({ sse: { maxStreams: 1 } }, (added: AnyApplication) =>
      added.on('connection', () => {
        if (fail) throw new Error('no');
      }),
    );
    await expect(open(url, { accept: 'text/event-stream' })).rejects.toMatchObject({ status: 500, body: { name: 'GeneralError' } });
    expect(app.channels).toEqual([]);
    fail = false;
    await expect(open(url)).resolves.toBeDefined();
  });

  it('S47 in a promise of a listener ends the stream, which the client opens again', async () => {
    let told = 0;
    const { app, url } = await startOpen({}, (added: AnyApplication) =>
      added.on('connection', async () => {
        told += 1;
        await Promise.resolve();
        if (told === 1) throw new Error('no');
      }),
    );
    const first = await fetch(`${url}/events`);
    await first.text().catch(() => undefined);
    expect(app.channels).toEqual([]);
    await open(url);
    expect([told, app.channels]).toEqual([2, ['everybody']]);
  });
});
