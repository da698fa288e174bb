import { once } from 'node:events';
import { connect } from 'node:net';
import { channels } from '@framework/channels';
import { afterEach, describe, expect, it } from '@jest/globals';
import { answerOf, ask, memory, open, startOpen, stopAll, until } from './harness.ts';

afterEach(stopAll);

const streams = { accept: 'text/event-stream' };

describe('a request for a stream', () => {
  it.each([['POST'], ['PUT'], ['PATCH'], ['DELETE'], ['OPTIONS']])('by %s is answered as REST answers it', async (method) => {
    const { app, url } = await startOpen();
    const { status, headers, body } = await answerOf(await ask(url, streams, method));
    expect([status, headers.allow, body]).toEqual([405, 'GET, HEAD', expect.objectContaining({ name: 'MethodNotAllowed', code: 405 })]);
    expect(app.channels).toEqual([]);
  });

  it('by HEAD gets the headers alone, and opens nothing', async () => {
    const { app, url } = await startOpen();
    const { status, headers, body } = await answerOf(await ask(url, {}, 'HEAD'));
    expect([status, headers['content-type'], body]).toEqual([200, 'text/event-stream', '']);
    expect(app.channels).toEqual([]);
  });

  it.each([
    ['text/event-stream', 200],
    ['TEXT/EVENT-STREAM; q=0.1', 200],
    ['text/html, */*;q=0.1', 200],
    ['text/*', 200],
    ['application/json', 406],
    ['text/html', 406],
    ['text/event-stream;q=0, */*', 406],
    ['*/*;q=0', 406],
    ['text/event-stream;q=x', 406],
  ])('that accepts %s gets %s', async (accept, status) => {
    const { url } = await startOpen();
    expect((await ask(url, { accept })).statusCode).toBe(status);
  });

  it('tells what is wrong in JSON to those who read streams, and as a page to those who read pages', async () => {
    const { url } = await startOpen();
    const [program, browser] = await Promise.all(
      [streams, { accept: 'text/html' }].map(async (headers) => answerOf(await ask(url, headers, 'POST'))),
    );
    expect(program?.body).toMatchObject({ name: 'MethodNotAllowed', className: 'method-not-allowed' });
    expect(browser?.headers['content-type']).toContain('text/html');
  });

  it('below its path, and at others, is left to others', async () => {
    const { app, url } = await startOpen({ sse: { path: '/live/events/' } });
    app.use('live/events/more', memory());
    const statuses = await Promise.all(
      ['/live/events', '/live/events/', '/live/events?x=1', '/live/events/more', '/live/events/other', '/events', '/live'].map(
        async (path) => (await ask(url + path, { accept: '*/*' })).statusCode,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 200, 404, 404, 404]);
  });

  it('S12 may have headers of any size that Node.js takes, and a body', async () => {
    const { url } = await startOpen();
    await expect(open(url, { 'last-event-id': 'x'.repeat(15_000), 'content-length': '5' })).resolves.toBeDefined();
    expect((await ask(url, { 'last-event-id': 'x'.repeat(20_000) })).statusCode).toBe(431);
  });
});

describe('more streams than there may be', () => {
  it('get 503 in all, and room again when others have gone', async () => {
    const { url } = await startOpen({ sse: { maxStreams: 2 } });
    const [first] = await Promise.all([open(url), open(url)]);
    for (let tries = 0; tries < 3; tries++) {
      const refused = await answerOf(await ask(url, streams));
      expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' }, body: { name: 'Unavailable', code: 503 } });
    }
    first?.close();
    await until(async () => (await ask(url)).statusCode === 200);
    expect((await ask(url, streams)).statusCode).toBe(503);
  });

  it('are told to the log once in a while, and not each of them', async () => {
    const told: unknown[] = [];
    const { url } = await startOpen({ sse: { maxStreams: 1 }, logger: (error: unknown) => told.push(error) });
    await open(url);
    for (let tries = 0; tries < 20; tries++) expect((await ask(url, streams)).statusCode).toBe(503);
    expect(told).toEqual([expect.objectContaining({ message: 'There are as many streams as there may be (1), and one more was refused' })]);
  });

  it('that were asked for over one connection, one behind the other, end with it, and there is room again', async () => {
    const gone: object[] = [];
    const { app, url } = await startOpen({ sse: { maxStreams: 4 } }, (built) => {
      built.on('disconnect', (connection: object) => gone.push(connection));
    });
    for (let round = 1; round <= 2; round++) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').resume();
      socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(4));
      await until(() => app.channel('everybody').length === 4);
      expect((await ask(url, streams)).statusCode).toBe(503);
      socket.destroy();
      await until(() => app.channels.length === 0);
      expect(new Set(gone).size).toBe(4 * round);
    }
    expect((await ask(url)).statusCode).toBe(200);
  });

  it('that wait behind another answer of their connection are cut off with it when they stay behind too long', async () => {
    const { app, url } = await startOpen({ channels: channels({ maxBuffer: 1000, lagTimeout: 50 }) });
    const socket = connect(Number(new URL(url).port), '127.0.0.1').resume();
    const closed = once(socket, 'close');
    socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
    await until(() => app.channel('everybody').length === 2);
    for (let count = 0; count < 3; count++) app.service('messages').emit('created', { text: 'x'.repeat(1000) });
    await closed;
    await until(() => app.channels.length === 0);
    expect(app.channels).toEqual([]);
  });

  it('get 429 of one address, as the setting trust proxy tells addresses', async () => {
    const { app, url } = await startOpen({ sse: { maxPerAddress: 2 } });
    app.set('trust proxy', 1);
    const from = async (address: string): Promise<number | undefined> => (await ask(url, { 'x-forwarded-for': address })).statusCode;
    expect([await from('203.0.113.1'), await from('203.0.113.1'), await from('198.51.100.1, 203.0.113.1')]).toEqual([200, 200, 429]);
    // Of IPv6 a customer has a whole network.
    expect([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8::3'), await from('2001:db8:0:1::3')]).toEqual([
      200, 200, 429, 200,
    ]);
    const refused = await answerOf(await ask(url, { ...streams, 'x-forwarded-for': '203.0.113.1' }));
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '5' },
      body: { name: 'TooManyRequests', data: { retryAfter: 5 } },
    });
  });

  it('are counted while they are only being opened, and no more when that fails', async () => {
    let fail: (error: Error) => void = () => undefined;
    const { app, url } = await startOpen({ sse: { maxStreams: 1 } });
    app.defaultAuthentication = () => ({
      configuration: { authStrategies: ['slow'] },
      parse: () => new Promise((_resolve, reject) => (fail = reject)),
      create: () => undefined,
    });
    const opening = ask(url, streams);
    await until(async () => (await ask(url, streams)).statusCode === 503);
    fail(new Error('no'));
    expect((await opening).statusCode).toBe(500);
    app.defaultAuthentication = () => null;
    await until(async () => (await ask(url, streams)).statusCode === 200);
    expect(app.channel('everybody').length).toBe(1);
  });
});
