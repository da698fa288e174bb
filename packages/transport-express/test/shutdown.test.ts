import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { framework } from '@framework/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import WebSocket, { WebSocketServer } from 'ws';
import express, { rest, serverOptions, shutdownOn, type Application, type Closing } from '../src/index.ts';
import { listen, send, type Running } from './harness.ts';

/** Releases what a test holds back. */
class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

function build(find: () => Promise<unknown> = async () => [1], log: string[] = []): Application {
  const app = express(framework()) as Application;
  app.configure(rest());
  app.use('x', {
    find,
    async setup() {
      log.push('setup');
    },
    async teardown() {
      log.push('teardown');
    },
  });
  return app;
}

/** A find that waits, and tells when it was reached. */
function held(log: string[] = []): { find: () => Promise<unknown>; reached: Gate; go: Gate } {
  const [reached, go] = [new Gate(), new Gate()];
  const find = async (): Promise<unknown> => {
    reached.open();
    await go.opened;
    log.push('answered');
    return [1];
  };
  return { find, reached, go };
}

/** WebSockets on a server, and one that a client has opened. */
async function webSocket(server: net.Server): Promise<{ sockets: WebSocketServer; closed: Promise<number> }> {
  const sockets = new WebSocketServer({ server: server as http.Server });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  client.on('error', () => undefined);
  const closed = once(client, 'close').then(([code]) => code as number);
  await once(client, 'open');
  return { sockets, closed };
}

/** An endless stream that has begun, and a promise that settles when it is cut. */
async function endless(url: string): Promise<{ cut: Promise<unknown> }> {
  const [response] = (await once(http.get(`${url}/endless`, { agent: false }), 'response')) as [http.IncomingMessage];
  response.on('error', () => undefined).resume();
  return { cut: new Promise((resolve) => response.once('close', resolve)) };
}

function addEndless(app: Application): void {
  app.use('endless', {
    async find() {
      return (async function* () {
        for (let n = 0; ; n++) {
          yield { n, text: 'x'.repeat(20_000) };
          await sleep(5);
        }
      })();
    },
  });
}

describe('S44 shutdown', () => {
  it('answers what is in flight, tears services down, and accepts nothing new', async () => {
    const log: string[] = [];
    const { find, reached, go } = held(log);
    const running = await listen(build(find, log));
    const slow = send(running.url, '/x');
    await reached.opened;
    const closing = running.app.close();
    await expect(send(running.url, '/x')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    go.open();
    await expect(slow).resolves.toMatchObject({ status: 200, body: [1], headers: { connection: 'close' } });
    await closing;
    expect(log).toEqual(['setup', 'answered', 'teardown']);
  });

  it('cuts what takes longer than the time limit', async () => {
    const { find, reached } = held();
    const running = await listen(build(find));
    const never = send(running.url, '/x');
    never.catch(() => undefined);
    await reached.opened;
    await running.app.close({ timeout: 200 });
    await expect(never).rejects.toThrow();
  });

  it('is one operation, however often and by whatever name it is called', async () => {
    const log: string[] = [];
    const { find, reached, go } = held(log);
    const running = await listen(build(find, log));
    const slow = send(running.url, '/x');
    await reached.opened;
    const first = running.app.close();
    expect(running.app.close()).toBe(first);
    const torn = running.app.teardown();
    await sleep(20);
    expect(log).toEqual(['setup']);
    go.open();
    await Promise.all([first, running.app.close(), slow, expect(torn).resolves.toBe(running.app)]);
    expect(running.app.close()).toBe(first);
    await running.app.teardown();
    expect(log).toEqual(['setup', 'answered', 'teardown']);
  });

  it('tears down once, also for those who ask while it does', async () => {
    let times = 0;
    const [reached, go] = [new Gate(), new Gate()];
    const app = build();
    app.hooks({
      teardown: [
        async (_context: unknown, next: () => Promise<void>) => {
          times += 1;
          reached.open();
          await go.opened;
          await next();
        },
      ],
    });
    await listen(app);
    const closing = app.close();
    await reached.opened;
    const again = [app.teardown(), app.teardown(), app.close()];
    go.open();
    await Promise.all([closing, ...again]);
    expect(times).toBe(1);
  });

  it('takes the shorter limit of two calls', async () => {
    const { find, reached } = held();
    const running = await listen(build(find));
    const never = send(running.url, '/x');
    never.catch(() => undefined);
    await reached.opened;
    const first = running.app.close({ timeout: 10 ** 6 });
    expect(running.app.close()).toBe(first);
    await expect(Promise.race([first.then(() => 'closed'), sleep(100, 'open')])).resolves.toBe('open');
    await running.app.close({ timeout: 50 });
    await expect(never).rejects.toThrow();
  });

  it('starts again when it is over, and not before', async () => {
    const log: string[] = [];
    const app = build(undefined, log);
    await listen(app);
    const first = app.close();
    await expect(app.listen(0)).rejects.toThrow('wait for close() before listen()');
    await expect(app.setup()).rejects.toThrow('wait for close() before setup()');
    await first;
    const again = await listen(app);
    await expect(send(again.url, '/x')).resolves.toMatchObject({ status: 200 });
    expect(app.close()).not.toBe(first);
    await app.close();
    expect(log).toEqual(['setup', 'teardown', 'setup', 'teardown']);
  });

  it('waits for a setup that is not done, and ends an application that is just starting', async () => {
    const log: string[] = [];
    const [reached, go] = [new Gate(), new Gate()];
    const app = build(undefined, log);
    app.use('slow', {
      find: async () => [],
      async setup() {
        reached.open();
        await go.opened;
        log.push('slow setup');
      },
    });
    const starting = app.listen(0);
    await reached.opened;
    const closing = app.close();
    go.open();
    await Promise.all([starting, closing]);
    expect(log).toEqual(['setup', 'slow setup', 'teardown']);

    const early = build(undefined, log);
    const refused = expect(early.listen(0)).rejects.toThrow('closed while it was starting');
    await Promise.all([refused, early.close()]);
    expect(early.server).toBeUndefined();
  });

  it('refuses options that it does not know', async () => {
    const app = build();
    await expect(app.close({ timout: 5 } as never)).rejects.toThrow("no option 'timout'");
    for (const timeout of [-1, NaN, Infinity, '5', 2 ** 31] as never[]) await expect(app.close({ timeout })).rejects.toThrow(TypeError);
    expect(() => shutdownOn(app, ['SIGINT'], { exit: true } as never)).toThrow("no option 'exit'");
    for (const events of ['SIGTERM', ['SIGTRM'], [undefined], null] as never[])
      expect(() => shutdownOn(app, events)).toThrow(
        "shutdownOn() takes a list of signals, such as ['SIGINT', 'SIGTERM'], or 'disconnect' in it",
      );
    for (const given of [undefined, null, {}] as never[])
      expect(() => shutdownOn(given)).toThrow(new TypeError('shutdownOn() takes the application that it closes: shutdownOn(app)'));
    expect(() => shutdownOn(app, ['disconnect'], { finish: Promise.resolve() as never })).toThrow("'finish' of shutdownOn() is a function");
    expect(process.listenerCount('SIGINT')).toBe(0);
    shutdownOn(app, ['SIGINT'])();
    expect(process.listenerCount('SIGINT')).toBe(0);
  });

  it('rejects with what the teardown throws, after the servers are closed', async () => {
    const app = build();
    app.hooks({
      teardown: [
        async () => {
          throw new Error('no end');
        },
      ],
    });
    const { url } = await listen(app);
    await expect(app.close()).rejects.toThrow('no end');
    await expect(app.close()).rejects.toThrow('no end');
    await expect(send(url, '/x')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('runs a teardown that somebody wrapped, as its last step', async () => {
    const log: string[] = [];
    const app = build(undefined, log);
    const inner = app.teardown.bind(app);
    app.teardown = async (server) => {
      log.push('wrapper');
      await inner(server);
      log.push('wrapper done');
      return app;
    };
    await listen(app);
    await app.close();
    expect(log).toEqual(['setup', 'wrapper', 'teardown', 'wrapper done']);
  });

  it('has time limits for headers and requests', async () => {
    const running = await listen(build(async () => []));
    expect(running.app.server).toMatchObject({ headersTimeout: 20_000, requestTimeout: 60_000 });
    await running.stop();
  });
});

describe('S44 connections at the end', () => {
  it('closes those without a request, also those that never had one', async () => {
    const running = await listen(build());
    const socket = net.connect((running.app.server?.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const agent = new http.Agent({ keepAlive: true });
    const [response] = (await once(http.get(`${running.url}/x`, { agent }), 'response')) as [http.IncomingMessage];
    response.resume();
    await once(response, 'end');
    const gone = once(socket, 'close');
    await running.app.close({ timeout: 10 ** 6 });
    expect(await gone).toEqual([false]);
    agent.destroy();
  });

  it('answers the next request on one that finishes an answer after the end began', async () => {
    const [reached, go] = [new Gate(), new Gate()];
    const app = build(async () =>
      (async function* () {
        yield { text: 'x'.repeat(20_000) };
        reached.open();
        await go.opened;
        yield { text: 'last' };
      })(),
    );
    const running = await listen(app);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const get = async (): Promise<number | undefined> => {
      const [response] = (await once(http.get(`${running.url}/x`, { agent }), 'response')) as [http.IncomingMessage];
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    };
    const first = get();
    await reached.opened;
    const closing = app.close();
    // Longer than idle connections are left open; the one at hand becomes idle now.
    await sleep(650);
    go.open();
    expect(await first).toBe(200);
    await sleep(300);
    expect(await get()).toBe(200);
    await closing;
    agent.destroy();
  });

  it('answers the next request on one, however long the process is busy with something else before it comes to read it', async () => {
    const [reached, go] = [new Gate(), new Gate()];
    const app = build();
    app.use('held', {
      async find() {
        return (async function* () {
          yield { text: 'x'.repeat(20_000) };
          reached.open();
          await go.opened;
        })();
      },
    });
    const running = await listen(app);
    const socket = net.connect(Number(new URL(running.url).port), '127.0.0.1');
    const chunks: string[] = [];
    const ended = new Gate();
    socket.on('data', (data) => {
      chunks.push(String(data));
      if (String(data).endsWith('0\r\n\r\n')) ended.open();
    });
    const closed = once(socket, 'close');
    const ask = (path: string): void => void socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n`);
    ask('/held');
    await reached.opened;
    const closing = app.close();
    go.open();
    await ended.opened;
    chunks.length = 0;
    ask('/x');
    // Longer than idle connections are left open; timers come first when it is over.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    await Promise.all([closing, closed]);
    expect(chunks.join('')).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\[1\]$/);
  });

  it.each([
    ['before the end began and after it', ['d', 'e']],
    ['all before the end began', []],
  ])('answers all requests that are sent one behind the other, %s', async (_when, later) => {
    const [begun, go] = [new Map<string, Gate>(), new Gate()];
    const app = build();
    app.use('held', {
      async get(id: string) {
        begun.get(id)?.open();
        await go.opened;
        return { id };
      },
    });
    const running = await listen(app);
    const socket = net.connect(Number(new URL(running.url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (data) => (text += String(data)));
    const closed = once(socket, 'close');
    const ask = async (id: string): Promise<void> => {
      const reached = new Gate();
      begun.set(id, reached);
      socket.write(`GET /held/${id} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n`);
      await reached.opened;
    };
    for (const id of ['a', 'b', 'c']) await ask(id);
    const closing = app.close();
    for (const id of later) await ask(id);
    go.open();
    await closing;
    await closed;
    expect(text.match(/"id":"."/g)).toEqual(['a', 'b', 'c', ...later].map((id) => `"id":"${id}"`));
    expect(text.match(/^Connection: close/gim) ?? []).toHaveLength(later.length > 0 ? 1 : 0);
  });

  it('gives listeners of `closing` their time to end WebSockets and streams, once what is in flight is answered', async () => {
    const log: string[] = [];
    const { find, reached, go } = held(log);
    const app = build(find, log);
    addEndless(app);
    const running = await listen(app);
    const { sockets, closed } = await webSocket(app.server!);
    const stream = await endless(running.url);
    app.on('closing', async ({ signal }: Closing) => {
      log.push('closing');
      expect(signal.aborted).toBe(false);
      for (const socket of sockets.clients) socket.close(1001);
      await closed;
      log.push('sockets closed');
    });
    app.on('closing', () => {
      throw new Error('a listener that fails');
    });
    const warnings: unknown[][] = [];
    const { emitWarning } = process;
    process.emitWarning = (...args: unknown[]) => {
      warnings.push(args);
    };
    const slow = send(running.url, '/x');
    await reached.opened;
    const closing = app.close({ timeout: 4000 });
    await sleep(100);
    expect(log).toEqual(['setup']);
    go.open();
    await closing;
    expect(await closed).toBe(1001);
    await Promise.all([slow, stream.cut]);
    expect(log).toEqual(['setup', 'answered', 'closing', 'sockets closed', 'teardown']);
    process.emitWarning = emitWarning;
    expect(warnings).toEqual([[expect.stringContaining('closing'), { detail: expect.stringContaining('a listener that fails') }]]);
  });

  it('cuts WebSockets that nobody ends, and does not wait longer for listeners of `closing`', async () => {
    const log: string[] = [];
    const running = await listen(build(undefined, log));
    const { closed } = await webSocket(running.app.server!);
    let aborted = false;
    running.app.on('closing', ({ signal }: Closing) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => undefined);
    });
    await running.app.close({ timeout: 200 });
    expect(await closed).toBe(1006);
    expect({ aborted, log }).toEqual({ aborted: true, log: ['setup', 'teardown'] });
  });

  it('keeps half of the time for listeners of `closing` when a request is never answered', async () => {
    const { find, reached } = held();
    const running = await listen(build(find));
    const { sockets, closed } = await webSocket(running.app.server!);
    running.app.on('closing', () => {
      for (const socket of sockets.clients) socket.close(1001);
    });
    const never = send(running.url, '/x');
    never.catch(() => undefined);
    await reached.opened;
    await running.app.close({ timeout: 4000 });
    expect(await closed).toBe(1001);
    await expect(never).rejects.toThrow();
  });
});

describe('S44 applications that are mounted in the one that ends', () => {
  it('are told of the end, each once, and of the next one again', async () => {
    const log: string[] = [];
    const named = (name: string): Application => {
      const app = express(framework()) as Application;
      app.on('closing', () => void log.push(name));
      return app;
    };
    const [outer, inner, innermost] = [named('outer'), named('inner'), named('innermost')];
    const router = express.Router();
    router.use('/deep', innermost as never);
    inner.use(router);
    outer.use('/api', inner as never);
    for (const _round of [1, 2]) {
      log.length = 0;
      await outer.listen(0, '127.0.0.1');
      await outer.close();
      expect(log).toEqual(['outer', 'inner', 'innermost']);
    }
  });
});

describe('S44 servers that `setup` was called with', () => {
  const [key, cert] = ['key', 'cert'].map((name) => readFileSync(new URL(`./fixtures/localhost.${name}.pem`, import.meta.url)));
  const opened: net.Server[] = [];
  afterEach(() => {
    for (const server of opened.splice(0)) server.close();
  });

  async function open(server: http.Server): Promise<number> {
    opened.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  it('are closed, several of them, https too', async () => {
    const { find, reached, go } = held();
    const app = build(find);
    const listener = app as unknown as http.RequestListener;
    const secure = https.createServer({ ...serverOptions(app), key, cert }, listener);
    const plain = http.createServer(listener);
    const ports = [await open(secure), await open(plain)] as const;
    await app.setup(secure);
    await app.setup(plain);
    const own = await app.listen(0);
    const silent = tls.connect({ port: ports[0], host: '127.0.0.1', rejectUnauthorized: false });
    await once(silent, 'secureConnect');
    const silentClosed = once(silent, 'close');
    const slow = new Promise((resolve, reject) => {
      https
        .get({ port: ports[0], host: '127.0.0.1', path: '/x', rejectUnauthorized: false, agent: false }, (response) => {
          resolve(response.resume().statusCode);
        })
        .on('error', reject);
    });
    await reached.opened;
    const closing = app.close({ timeout: 10 ** 6 });
    go.open();
    await closing;
    expect(await slow).toBe(200);
    await silentClosed;
    expect([secure.listening, plain.listening, own.listening]).toEqual([false, false, false]);
  });

  it('are left alone when somebody else has closed them, and waited for when somebody has begun', async () => {
    const app = build();
    const gone = http.createServer(app as unknown as http.RequestListener);
    await open(gone);
    await app.setup(gone);
    await new Promise((resolve) => gone.close(resolve));
    const begun = http.createServer(app as unknown as http.RequestListener);
    await open(begun);
    await app.setup(begun);
    const { closed } = await webSocket(begun);
    begun.close();
    await app.close({ timeout: 100 });
    expect(await closed).toBe(1006);
  });

  it('are closed once by two applications that share one', async () => {
    const [app, sub] = [build(), build()];
    const server = http.createServer(app as unknown as http.RequestListener);
    await open(server);
    await app.setup(server);
    await sub.setup(server);
    let ends = 0;
    server.on('close', () => {
      ends += 1;
    });
    await Promise.all([app.close(), sub.close()]);
    await sleep(10);
    expect(ends).toBe(1);
  });

  it('can be told by `teardown`, as in the incumbent', async () => {
    const app = build();
    const server = http.createServer(app as unknown as http.RequestListener);
    await open(server);
    let seen: unknown;
    app.hooks({
      teardown: [
        async (context: { server?: unknown }, next: () => Promise<void>) => {
          seen = context.server;
          await next();
        },
      ],
    });
    await app.teardown(server);
    expect({ listening: server.listening, seen: seen === server }).toEqual({ listening: false, seen: true });
  });
});

it('S44 no closed server stays in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const app = build();
  const round = async (): Promise<WeakRef<net.Server>[]> => {
    const running: Running = await listen(app);
    const own = new WeakRef<net.Server>(running.app.server!);
    const given = http.createServer(app as unknown as http.RequestListener);
    await new Promise<void>((resolve) => given.listen(0, '127.0.0.1', resolve));
    await app.setup(given);
    await send(running.url, '/x');
    await app.close();
    return [own, new WeakRef<net.Server>(given)];
  };
  const servers: WeakRef<net.Server>[] = [];
  for (let n = 0; n < 3; n++) servers.push(...(await round()));
  const inMemory = (): number => servers.filter((server) => server.deref() !== undefined).length;
  for (let n = 0; n < 20 && inMemory() > 0; n++) {
    // What was looked at stays until the present task is over.
    await sleep(20);
    collect();
  }
  expect(inMemory()).toBe(0);
});
