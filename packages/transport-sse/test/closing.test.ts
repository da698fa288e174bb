import { Agent, request, type IncomingMessage } from 'node:http';
import { framework } from '@framework/core';
import express from '@framework/transport-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sse } from '../src/index.ts';
import { dataOf, open, openSource, start, startOpen, stopAll, until, type AnyApplication } from './harness.ts';

afterEach(stopAll);

describe('closing the application', () => {
  it('S44 answers what is being worked on, and ends the streams so that their clients come back', async () => {
    let answer: (value: unknown) => void = () => undefined;
    let asked = false;
    const { app, url } = await startOpen({}, (added) => {
      added.use('slow', {
        find: () => {
          asked = true;
          return new Promise((resolve) => (answer = resolve));
        },
      } as never);
    });
    const [reader, paused] = [await open(url), await open(url)];
    paused.response.pause();
    const result = fetch(`${url}/slow`);
    await until(() => asked);
    const closed = app.close({ timeout: 20_000 });
    await app.service('messages').create({ text: 'last' });
    answer(['done']);
    expect(await (await result).json()).toEqual(['done']);
    await until(() => reader.closed());
    expect(reader.response.complete).toBe(true);
    expect(dataOf(reader, 'messages created')).toMatchObject([{ text: 'last' }]);
    await closed;
    expect(app.channels).toEqual([]);
    await expect(open(url)).rejects.toThrow();
  });

  it('does not keep a client from coming back that asks while it closes', async () => {
    let go: () => void = () => undefined;
    const told: string[] = [];
    const { app, url } = await startOpen();
    for (const event of ['connection', 'disconnect']) app.on(event, () => told.push(event));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const get = (path: string): Promise<IncomingMessage> =>
      new Promise((resolve, reject) =>
        request(url + path, { agent })
          .once('response', resolve)
          .once('error', reject)
          .end(),
      );
    (await get('/messages')).resume();
    // The connection that is open already is used again, behind the moment at which streams are ended.
    app.on('closing', () => new Promise<void>((resolve) => (go = resolve)));
    const ended = new Promise((resolve) => app.once('closing', resolve));
    const closed = app.close();
    await ended;
    const response = await get('/events');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    expect([response.statusCode, response.headers['content-type'], text]).toEqual([
      200,
      'text/event-stream',
      expect.stringMatching(/^retry: \d+\n\n$/),
    ]);
    expect(told).toEqual([]);
    go();
    await closed;
    agent.destroy();
  });

  it('and starting again takes its clients back, and tells them that they have to read again', async () => {
    const { app, url } = await startOpen();
    const client = await openSource(url, ['messages created']);
    await app.close();
    await app.listen(Number(new URL(url).port), '127.0.0.1');
    await until(() => dataOf(client, 'connection').length === 2);
    await app.service('messages').create({});
    await until(() => dataOf(client, 'messages created').length === 1);
    expect(client.source.readyState).toBe(client.source.OPEN);
  });
});

it('S44 the streams of an application that is mounted in another end with that, and it waits for nothing', async () => {
  const inner = express(framework()) as unknown as AnyApplication;
  inner.configure(sse({ path: 'inner' }));
  let signal: AbortSignal | undefined;
  const { app, url } = await start((added) => {
    added.use('/api', inner as never);
    added.on('closing', (closing: { signal: AbortSignal }) => void (signal = closing.signal));
  });
  const reader = await open(`${url}/api/inner`);
  await app.close({ timeout: 60_000 });
  await until(() => reader.closed());
  expect(signal?.aborted).toBe(false);
});
