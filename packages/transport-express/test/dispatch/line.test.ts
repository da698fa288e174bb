import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { framework } from '@framework/core';
import express, { rest, type Application } from '../../src/index.ts';
import { listen, send, type Running } from '../harness.ts';

const started: Running[] = [];
afterEach(async () => {
  for (const running of started.splice(0)) await running.stop();
});

/** A service whose calls are held back, in the order in which they have begun. */
class Held {
  readonly begun: string[] = [];
  readonly traces: unknown[] = [];
  readonly storage = new AsyncLocalStorage<string>();
  readonly #waiting: (() => void)[] = [];
  readonly #watchers = new Set<() => void>();
  #open = false;

  async get(id: string): Promise<unknown> {
    this.begun.push(id);
    this.traces.push(this.storage.getStore());
    for (const look of this.#watchers) look();
    if (!this.#open) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { id };
  }

  /** Lets the call go on that began first. */
  release(): void {
    this.#waiting.shift()?.();
  }

  releaseLast(): void {
    this.#waiting.pop()?.();
  }

  releaseAll(): void {
    this.#open = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async untilBegun(count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.begun.length < count) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }
}

async function serve(held: Held, build: (app: Application) => Application = (app) => app): Promise<Running> {
  const app = express(framework()) as Application;
  app.configure(rest());
  app.use('held', held);
  app.use('now', { find: async () => [] });
  const running = await listen(build(app));
  started.push(running);
  return running;
}

/** A connection, and all that comes over it. */
function connect({ url }: Running): { socket: net.Socket; text: () => string } {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  socket.on('error', () => undefined);
  return { socket, text: () => text };
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${String(index)}`);
const requests = (count: number, path = '/held'): string =>
  ids(count)
    .map((id) => `GET ${path}/${id} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n`)
    .join('');
/** A request that is answered has been read behind all that was sent before. */
const roundTrip = async ({ url }: Running): Promise<void> => {
  expect((await send(url, '/now')).status).toBe(200);
};

describe('requests that a connection sends ahead of its answers (security S44)', () => {
  it('are worked on ten at once, and answered in their order', async () => {
    const held = new Held();
    const running = await serve(held);
    const { socket, text } = connect(running);
    socket.write(requests(30));
    await held.untilBegun(10);
    await roundTrip(running);
    expect(held.begun).toEqual(ids(10));
    // One for each that was answered.
    held.release();
    await held.untilBegun(11);
    held.release();
    await held.untilBegun(12);
    await roundTrip(running);
    expect(held.begun).toEqual(ids(12));
    held.releaseAll();
    await held.untilBegun(30);
    await roundTrip(running);
    socket.end();
    await once(socket, 'close');
    expect(text().match(/"id":"n\d+"/g)).toEqual(ids(30).map((id) => `"id":"${id}"`));
  });

  it('begin when an answer is sent, and not when it is there and waits for those in front', async () => {
    const held = new Held();
    const running = await serve(held);
    const { socket, text } = connect(running);
    socket.write(requests(12));
    await held.untilBegun(10);
    held.releaseLast();
    await roundTrip(running);
    expect([held.begun, text()]).toEqual([ids(10), '']);
    held.release();
    await held.untilBegun(11);
    expect(held.begun).toEqual(ids(11));
    held.releaseAll();
    socket.destroy();
  });

  it('wait up to a hundred; a connection that sends more is closed, and nothing more of it is begun', async () => {
    const held = new Held();
    const running = await serve(held);
    const many = connect(running);
    many.socket.write(requests(110));
    await held.untilBegun(10);
    await roundTrip(running);
    expect(many.socket.destroyed).toBe(false);
    const closed = once(many.socket, 'close');
    many.socket.write(requests(1));
    await closed;
    held.releaseAll();
    await roundTrip(running);
    expect(held.begun).toHaveLength(10);
  });

  it('are dropped where their client goes, and hold up no end of the application', async () => {
    const held = new Held();
    const running = await serve(held);
    const { server } = running.app;
    // What does not end by itself is told once all that was asked for is answered.
    running.app.use('/endless', (_req: unknown, res: http.ServerResponse) => {
      running.app.on('closing', () => res.end());
      res.write('…');
    });
    const endless = connect(running);
    endless.socket.write('GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(endless.socket, 'data');
    const gone = once(server!, 'connection').then(([theirs]) => once(theirs as net.Socket, 'close'));
    const { socket } = connect(running);
    socket.write(requests(20));
    await held.untilBegun(10);
    const closing = running.app.close({ timeout: 2_000_000 });
    const read = new Promise<void>((resolve) => {
      let left = 5;
      server!.on('request', () => {
        if (--left === 0) resolve();
      });
    });
    socket.write(requests(5));
    await read;
    socket.destroy();
    await gone;
    held.releaseAll();
    await closing;
    expect(held.begun).toEqual(ids(10));
  });

  it('have the surroundings that they came with', async () => {
    const held = new Held();
    const running = await serve(held);
    // As tools that trace do it.
    const { emit } = http.Server.prototype;
    running.app.server!.emit = function (this: http.Server, event: string, ...args: unknown[]) {
      const call = (): boolean => Reflect.apply(emit, this, [event, ...args]) as boolean;
      const { url } = (event === 'request' ? args[0] : {}) as { url?: string };
      return url === undefined ? call() : held.storage.run(url, call);
    } as typeof emit;
    const { socket } = connect(running);
    socket.write(requests(14));
    await held.untilBegun(10);
    held.releaseAll();
    await held.untilBegun(14);
    expect(held.traces).toEqual(ids(14).map((id) => `/held/${id}`));
    socket.destroy();
  });

  it('count once in an application that is mounted', async () => {
    const held = new Held();
    const running = await serve(held, (app) => {
      const outer = express(framework()) as Application;
      outer.use('/in', app);
      outer.use('now', { find: async () => [] });
      outer.configure(rest());
      return outer;
    });
    const { socket } = connect(running);
    socket.write(requests(20, '/in/held'));
    await held.untilBegun(10);
    await roundTrip(running);
    expect(held.begun).toEqual(ids(10));
    held.releaseAll();
    await held.untilBegun(20);
    socket.destroy();
  });
});
