import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createClient, MemoryStorage, pages, rest, sse, type CallParams, type RestOptions, type SseOptions } from '../src/index.ts';
import { failureOf } from './failure.ts';

let server: Server;
let url: string;
let listener: RequestListener;
let requests = 0;
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(async () => {
  process.on('unhandledRejection', note);
  const made = createServer((req, res) => {
    requests += 1;
    listener(req, res);
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
  requests = 0;
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await new Promise((resolve) => {
    server.close(resolve);
    Reflect.apply(Reflect.get(server, 'closeAllConnections') as () => void, server, []);
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };
const service = (options: RestOptions = {}) => createClient(rest(url, { retry: false, ...options })).service('things');
const answers = (status: number, headers: Record<string, string | number>, body: string): void => {
  listener = (_req, res) => void res.writeHead(status, headers).end(body);
};

describe('a server that does not answer properly', () => {
  it.each([200, 404, 502])('is told by what it sent, when that is a page with the status %d', async (status) => {
    answers(status, { 'content-type': 'text/html' }, `<h1>Welcome</h1>${'x'.repeat(5000)}`);
    const error = await failureOf(service().find());
    expect(error).toMatchObject({ kind: 'not-json', code: status === 200 ? 502 : status });
    expect(error.received).toBe(`<h1>Welcome</h1>${'x'.repeat(984)}`);
    expect(error.response?.status).toBe(status);
  });

  it.each([
    ['JSON that says it is a page', 'text/html', '{"id":1}'],
    ['a page that says it is JSON', 'application/json', '<h1>Welcome</h1>'],
    ['JSON that is cut', 'application/json; charset=utf-8', '{"id":'],
    ['nothing that says it is JSON', 'application/json', ''],
    ['JSON with no type at all', '', '{"id":1}'],
  ])('is told by what it sent: %s', async (_, type, body) => {
    answers(200, type === '' ? {} : { 'content-type': type }, body);
    expect(await failureOf(service().get(1))).toMatchObject({ kind: 'not-json', received: body });
  });

  it('has sent more than the client takes, with and without saying so before', async () => {
    answers(200, JSON_TYPE, JSON.stringify('x'.repeat(10_000_000)));
    expect(await failureOf(service().find())).toMatchObject({ kind: 'too-large', code: 502 });
    let sent = 0;
    listener = (_req, res) => {
      res.writeHead(200, JSON_TYPE);
      const more = (): void => {
        while (!res.destroyed && res.write('x'.repeat(65_536))) sent += 1;
        if (!res.destroyed) res.once('drain', more);
      };
      more();
    };
    expect(await failureOf(service({ maxResponse: 100_000 }).find())).toMatchObject({ kind: 'too-large' });
    expect(sent).toBeLessThan(1000);
    answers(200, JSON_TYPE, JSON.stringify('x'.repeat(50_000)));
    expect(await service({ maxResponse: 100_000 }).find()).toHaveLength(50_000);
  });

  it('has cut the connection before, within and behind the headers', async () => {
    listener = (req) => req.socket.destroy();
    expect(await failureOf(service().find())).toMatchObject({ kind: 'network', code: 503, cause: expect.anything() });
    listener = (req) => req.socket.end('HTTP/1.1 200 OK\r\nContent-Ty');
    expect(await failureOf(service().find())).toMatchObject({ kind: 'network' });
    listener = (_req, res) => {
      res.writeHead(200, { ...JSON_TYPE, 'content-length': 100 }).write('{"id"');
      setTimeout(() => res.destroy(), 10);
    };
    expect(await failureOf(service().find())).toMatchObject({ kind: 'network' });
    listener = (req) => req.socket.end('no HTTP at all\r\n\r\n');
    expect(await failureOf(service().find())).toMatchObject({ kind: 'network' });
  });

  it('never answers, or never ends its answer', async () => {
    listener = () => undefined;
    expect(await failureOf(service({ timeout: 50 }).find())).toMatchObject({ kind: 'timeout', code: 408 });
    listener = (_req, res) => void res.writeHead(200, JSON_TYPE).write('[');
    expect(await failureOf(service({ timeout: 50 }).find())).toMatchObject({ kind: 'timeout' });
    expect(await failureOf(service().find({ timeout: 50 }))).toMatchObject({ kind: 'timeout' });
  });

  it('is not waited for, whatever the fetch does that is given', async () => {
    const deaf: typeof fetch = () => new Promise(() => undefined);
    expect(await failureOf(service({ timeout: 20, fetch: deaf }).find())).toMatchObject({ kind: 'timeout' });
    const controller = new AbortController();
    const call = service({ fetch: deaf }).find({ signal: controller.signal });
    controller.abort(new Error('mine'));
    await expect(call).rejects.toThrow('mine');
    await expect(service({ fetch: deaf }).find({ signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });

  it.each<[string, () => CallParams]>([
    ['by its time', () => ({})],
    ['by a signal', () => ({ timeout: 0, signal: AbortSignal.timeout(20) })],
  ])('is sent nothing of a call that was given up before %s, by a fetch that looks at no signal either', async (_by, params) => {
    let sent = 0;
    let sendHeaders: () => void = () => undefined;
    const calls = service({
      timeout: 20,
      headers: () => new Promise((resolve) => (sendHeaders = () => resolve({}))),
      fetch: async () => {
        sent += 1;
        return Response.json({});
      },
    });
    const failed = await calls.create({ text: 'a' }, params()).catch((error: unknown) => error);
    expect(['timeout', 'TimeoutError']).toContain(Reflect.get(Object(failed), 'kind') ?? Reflect.get(Object(failed), 'name'));
    sendHeaders();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(0);
  });

  it('sends the call elsewhere, and gets neither data nor token there', async () => {
    const seen: (string | undefined)[] = [];
    for (const status of [301, 302, 303, 307, 308]) {
      listener = (req, res) => {
        seen.push(req.url);
        res.writeHead(status, { location: `${url}/elsewhere` }).end();
      };
      expect(await failureOf(service().create({ password: 'secret' }))).toMatchObject({
        kind: 'redirect',
        message: expect.stringContaining('/elsewhere'),
      });
    }
    expect(new Set(seen)).toEqual(new Set(['/things']));
    listener = (req, res) =>
      void (req.url === '/things' ? res.writeHead(302, { location: '/other' }).end() : res.writeHead(200, JSON_TYPE).end('[1]'));
    expect(await service({ redirect: 'follow' }).find()).toEqual([1]);
    listener = (_req, res) => void res.writeHead(302, { location: '/things' }).end();
    expect(await failureOf(service({ redirect: 'follow' }).find())).toMatchObject({ kind: 'network' });
  });

  it('lies about an error: only what an error may be is taken of it', async () => {
    answers(
      400,
      JSON_TYPE,
      '{"name":5,"message":{"a":1},"code":"no","className":[],"stack":"mine","__proto__":{"x":1},"data":{"constructor":1}}',
    );
    const error = await failureOf(service().find());
    expect(error).toMatchObject({ kind: 'answer', code: 400, name: 'FrameworkClientError', message: 'The server answered 400' });
    expect(error.stack).not.toBe('mine');
    expect(Object.hasOwn(error, 'x')).toBe(false);
    for (const body of ['null', '[]', '"text"', '5']) {
      answers(500, JSON_TYPE, body);
      expect(await failureOf(service().find())).toMatchObject({ kind: 'answer', code: 500 });
    }
    answers(422, { 'content-type': 'application/problem+json' }, '{"title":"Unprocessable","errors":[1]}');
    expect(await failureOf(service().find())).toMatchObject({ kind: 'answer', code: 422, errors: [1] });
  });

  it('gives pages that lead nowhere, or none', async () => {
    const walk = async (): Promise<void> => {
      for await (const _ of pages(service()));
    };
    answers(200, JSON_TYPE, '{"total":9,"data":[1],"next":"same"}');
    expect(await failureOf(walk())).toMatchObject({ kind: 'unexpected' });
    answers(200, JSON_TYPE, '{"total":9,"data":"text"}');
    expect(await failureOf(walk())).toMatchObject({ kind: 'unexpected' });
    answers(200, JSON_TYPE, '"text"');
    expect(await failureOf(walk())).toMatchObject({ kind: 'unexpected' });
    answers(200, JSON_TYPE, '{"total":9,"data":[]}');
    await walk();
    requests = 0;
  });

  it('has nothing to say', async () => {
    answers(204, {}, '');
    expect(await service().remove(1)).toBeNull();
  });

  it('is not there', async () => {
    const gone = createClient(rest('http://127.0.0.1:1', { retry: false })).service('things');
    expect(await failureOf(gone.find())).toMatchObject({ kind: 'network' });
    expect(
      await failureOf(
        createClient(rest('nonsense://x', { retry: false }))
          .service('things')
          .find(),
      ),
    ).toMatchObject({ kind: 'network' });
  });
});

describe('a stream of events that is none', () => {
  const fails = (): Promise<Error> => {
    const client = createClient(rest(url), { events: sse(url) });
    const failed = new Promise<Error>((resolve) => client.on('eventError', resolve));
    client.service('things').on('created', () => undefined);
    return failed;
  };

  it.each([
    [200, 'text/html', 'unexpected'],
    [403, 'application/json', 'answer'],
    [404, 'text/html', 'not-json'],
  ])('ends with an error: %d %s', async (status, type, kind) => {
    answers(status, { 'content-type': type }, '{}');
    expect(await fails()).toMatchObject({ kind });
    expect(requests).toBe(1);
  });
});

describe('a stream of events that does not begin', () => {
  const begins: RequestListener = (_req, res) =>
    void res.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: connection\ndata: {}\n\n');
  const connected = (options: SseOptions, storage = new MemoryStorage()): Promise<unknown> => {
    const client = createClient(rest(url), { events: sse(url, { maxDelay: 5, ...options }), authentication: { storage } });
    client.service('things').on('created', () => undefined);
    return new Promise((resolve) => client.on('connect', () => resolve('connected')).on('eventError', resolve)).finally(client.close);
  };

  it.each(['answer', 'end of an error'])('is asked for again when the %s does not come', async (missing) => {
    listener = (req, res) => {
      if (requests > 1) begins(req, res);
      else if (missing !== 'answer') res.writeHead(404, JSON_TYPE).write('{');
    };
    expect(await connected({ silence: 50 })).toBe('connected');
  });

  it('is logged in anew however often the server was away before', async () => {
    listener = (req, res) => {
      if (req.method === 'POST') res.writeHead(201, JSON_TYPE).end('{"accessToken":"new"}');
      else if (requests < 6) res.writeHead(503, JSON_TYPE).end('{}');
      else if (req.headers.authorization === 'Bearer new') begins(req, res);
      else res.writeHead(401, JSON_TYPE).end('{"name":"NotAuthenticated","code":401}');
    };
    const storage = new MemoryStorage();
    storage.setItem('framework-login', '{"accessToken":"old","refreshToken":"r"}');
    expect(await connected({}, storage)).toBe('connected');
  });

  it('is logged in anew however often its login could not be renewed before', async () => {
    let renewals = 0;
    listener = (req, res) => {
      if (req.method === 'POST' && ++renewals > 6) res.writeHead(201, JSON_TYPE).end('{"accessToken":"new"}');
      else if (req.method === 'POST') res.writeHead(503, JSON_TYPE).end('{"name":"Unavailable","code":503}');
      else if (req.headers.authorization === 'Bearer new') begins(req, res);
      else res.writeHead(401, JSON_TYPE).end('{"name":"NotAuthenticated","code":401}');
    };
    const storage = new MemoryStorage();
    storage.setItem('framework-login', '{"accessToken":"old","refreshToken":"r"}');
    expect(await connected({}, storage)).toBe('connected');
  });
});

it('an answer that says that it is too large is not waited for', async () => {
  listener = (_req, res) => void res.writeHead(200, { ...JSON_TYPE, 'content-length': 2000 }).flushHeaders();
  expect(await failureOf(service({ maxResponse: 1000, timeout: 2000 }).find())).toMatchObject({ kind: 'too-large' });
});

describe('calls that are made again', () => {
  const quick = { retry: { delay: 1 } };
  const flaky = (times: number, status = 503, headers: Record<string, string> = {}): void => {
    listener = (_req, res) => {
      if (requests > times) res.writeHead(200, JSON_TYPE).end('[]');
      else res.writeHead(status, { ...JSON_TYPE, ...headers }).end('{"name":"Unavailable","code":503}');
    };
  };

  it('are reads, and writes with a key', async () => {
    flaky(2);
    expect(await service(quick).find()).toEqual([]);
    expect(requests).toBe(3);
    requests = 0;
    flaky(1);
    expect(await failureOf(service(quick).create({}))).toMatchObject({ code: 503 });
    expect(requests).toBe(1);
    requests = 0;
    const keys = new Set<unknown>();
    const answer = listener;
    listener = (req, res) => {
      keys.add(req.headers['idempotency-key']);
      answer(req, res);
    };
    expect(await service(quick).create({}, { idempotencyKey: 'once' })).toEqual([]);
    expect([requests, [...keys]]).toEqual([2, ['once']]);
  });

  it('are bounded, and are not those that will not get better', async () => {
    flaky(99);
    expect(await failureOf(service(quick).find())).toMatchObject({ code: 503 });
    expect(requests).toBe(3);
    for (const status of [400, 401, 403, 404, 409, 500, 501]) {
      requests = 0;
      flaky(99, status);
      expect(await failureOf(service(quick).find())).toMatchObject({ code: status });
      expect(requests).toBe(1);
    }
    requests = 0;
    flaky(99);
    expect(await failureOf(service(quick).find({ retry: { attempts: 5, delay: 1 } }))).toMatchObject({ code: 503 });
    expect(requests).toBe(5);
  });

  it('are none of what can be sent once, with a key either', async () => {
    flaky(1);
    const data = new Blob(['a']).stream();
    expect(await failureOf(service(quick).create(data, { idempotencyKey: 'once' }))).toMatchObject({ kind: 'answer', code: 503 });
    expect(requests).toBe(1);
  });

  it('wait no longer than is allowed, however often they were made', async () => {
    flaky(4);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    jest.spyOn(Math, 'random').mockReturnValue(1);
    try {
      expect(await service({ retry: { attempts: 5, delay: 1.5, maxDelay: 5 } }).find()).toEqual([]);
      const delays = timers.mock.calls.map(([, delay]) => delay);
      expect(delays.filter((delay) => delay === 3 || delay === 5)).toEqual([3, 5, 5, 5]);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it.each([Number.NaN, 'x'])('are none where their number is %s', async (attempts) => {
    requests = 0;
    flaky(5);
    const find = service(quick).find({ retry: { attempts: attempts as number, delay: 1 } });
    expect(await failureOf(find)).toMatchObject({ code: 503 });
    expect(requests).toBe(1);
  });

  it('wait as long as the server asks, and no longer than allowed', async () => {
    flaky(1, 429, { 'retry-after': '0' });
    expect(await service(quick).find()).toEqual([]);
    requests = 0;
    flaky(1, 503, { 'retry-after': '11' });
    expect(await failureOf(service(quick).find())).toMatchObject({ code: 503 });
    requests = 0;
    flaky(1, 503, { 'retry-after': new Date(0).toUTCString() });
    expect(await service(quick).find()).toEqual([]);
    requests = 0;
    flaky(1, 503, { 'retry-after': 'soon' });
    expect(await service(quick).find()).toEqual([]);
    flaky(99, 503, { 'retry-after': '5' });
    expect(await failureOf(service({ retry: {}, timeout: 100 }).find())).toMatchObject({ kind: 'timeout' });
    requests = 0;
  });
});
