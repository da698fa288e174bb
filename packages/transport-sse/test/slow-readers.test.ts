import { channels } from '@framework/channels';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { ask, dataOf, memory, open, startOpen, stopAll, until, type AnyApplication, type Reader, type Running } from './harness.ts';

afterEach(stopAll);

const BUFFER = 256 * 1024;
const MESSAGE = 64 * 1024;
const READERS = 4;

interface Watched extends Running {
  /** What waits on the server for each stream. */
  readonly queues: () => number[];
  readonly closed: () => number;
}

async function startWith(options: object): Promise<Watched> {
  const responses = new Set<ServerResponse>();
  let closed = 0;
  const { app, url } = await startOpen(
    {
      // No limit in time but the one that a test is about: how long it takes says how busy the machine is.
      channels: channels({ maxBuffer: BUFFER, lagTimeout: 600_000, ...options }),
      first: (added) =>
        added.use('/events', (_req: unknown, res: any, next: () => void) => {
          responses.add(res);
          res.once('close', () => responses.delete(res));
          next();
        }),
    },
    (added) => {
      Object.assign(added.service('messages'), { create: undefined });
      added.use('large', Object.assign(memory(), { create: async (data: object) => data }));
      added.on('disconnect', () => (closed += 1));
    },
  );
  return { app, url, queues: () => [...responses].map(({ writableLength }) => writableLength), closed: () => closed };
}

async function publish(app: AnyApplication, count: number): Promise<void> {
  const text = 'x'.repeat(MESSAGE);
  for (let number = 0; number < count; number++) {
    await app.service('large').create({ number, text });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const numbers = (reader: Reader): number[] => dataOf(reader, 'large created').map(({ number }) => number);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('readers that stop', () => {
  it('cost no more than their buffer, and get everything in order when they go on', async () => {
    const { app, url, queues } = await startWith({});
    const readers = await Promise.all(upTo(READERS).map(() => open(url)));
    for (const { response } of readers) response.pause();
    await publish(app, 600);
    const waiting = queues();
    expect(waiting).toHaveLength(READERS);
    expect(Math.max(...waiting)).toBeLessThanOrEqual(BUFFER + 2 * MESSAGE);
    expect(Math.min(...waiting)).toBeGreaterThan(0);
    for (const { response } of readers) response.resume();
    await until(() => readers.every((reader) => numbers(reader).length === 600));
    for (const reader of readers) expect(numbers(reader)).toEqual(upTo(600));
  });

  it('share the bytes that wait for them', async () => {
    const { app, url, queues } = await startWith({ maxBuffer: 4 * 1024 * 1024 });
    const readers = await Promise.all(upTo(50).map(() => open(url)));
    for (const { response } of readers) response.pause();
    const waiting = (): number => queues().reduce((sum, bytes) => sum + bytes, 0);
    await publish(app, 60);
    const [waited, { arrayBuffers }] = [waiting(), process.memoryUsage()];
    await publish(app, 40);
    const more = waiting() - waited;
    expect(more).toBeGreaterThan(50 * 20 * MESSAGE);
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(more / 5);
  });

  it('cost no more than their buffer when they come back either, however much they have missed', async () => {
    const { app, url, queues } = await startWith({});
    const first = await open(url);
    await until(() => first.id() !== undefined);
    await publish(app, 1);
    await until(() => numbers(first).length === 1);
    first.close();
    await publish(app, 300);
    const response = await ask(url, { 'last-event-id': String(first.id()) });
    const waiting = queues().at(-1);
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThanOrEqual(BUFFER + 2 * MESSAGE);
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await until(() => text.split('event: large created').length === 301);
  });

  it('go on though what waits for them is less than a network connection takes at once', async () => {
    const { app, url } = await startWith({ maxBuffer: 1 });
    const reader = await open(url);
    for (let number = 0; number < 20; number++) void app.service('large').create({ number });
    await until(() => numbers(reader).length === 20);
    expect(numbers(reader)).toEqual(upTo(20));
  });

  it('that are behind the window are cut off, and told when they come back', async () => {
    const { app, url, closed } = await startWith({ window: { bytes: 20 * MESSAGE } });
    const reader = await open(url);
    await publish(app, 1);
    reader.response.pause();
    await publish(app, 600);
    reader.response.resume();
    await until(() => closed() === 1 && reader.closed());
    const again = await open(url, { 'last-event-id': String(reader.id()) });
    await until(() => again.id() !== undefined);
    expect(again.events.map(({ name }) => name)).toEqual(['connection', 'reset', 'position']);
  });

  it('that stay behind too long are cut off', async () => {
    const { app, url, closed } = await startWith({ lagTimeout: 300 });
    const reader = await open(url);
    reader.response.pause();
    await publish(app, 200);
    await until(() => closed() === 1);
    expect(app.channels).toEqual([]);
  });

  it('are gone soon when their stream is ended', async () => {
    const { app, url, queues } = await startWith({});
    const reader = await open(url);
    reader.response.pause();
    await publish(app, 200);
    const [connection] = app.channel('everybody').connections;
    app.emit('disconnect', connection);
    await until(() => queues().length === 0);
    expect(app.channels).toEqual([]);
  });
});
