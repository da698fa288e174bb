import { AsyncLocalStorage } from 'node:async_hooks';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import originalExpress, { type ErrorRequestHandler } from 'express';
import express, { json, urlencoded, type Application } from '../src/index.ts';
import { listen, send, type Running } from './harness.ts';

type Parser = typeof originalExpress.json;

/** Shows what a parser made of a body, and what it threw. */
async function start(parser: Parser, options: Parameters<Parser>[0]): Promise<Running> {
  const app = express(framework()) as Application;
  app.use(parser(options), parser(options), urlencoded({ extended: true }));
  app.use((req, res) => {
    res.json({ body: req.body as unknown, has: 'body' in req, type: typeof req.body });
  });
  const onError: ErrorRequestHandler = (error: Record<string, unknown>, req, res, _next) => {
    const { name, message, status, statusCode, type, expose, body, limit, length, expected, received, charset } = error;
    const own = { name, message, status, statusCode, type, expose, body, limit, length, expected, received, charset };
    res.status(400).json({ error: own, body: req.body as unknown });
  };
  app.use(onError);
  return listen(app);
}

const BODIES: readonly (string | Buffer)[] = [
  '{"a":1}',
  '[1,{"b":[]}]',
  '  {"a": "ü€😀"}  ',
  '{}',
  '',
  '1',
  '"text"',
  'null',
  '{"a":1',
  '{a:1}',
  'not json',
  '\ufeff{"a":1}',
  '{"__proto__":{"x":1},"constructor":1}',
  '{"a":1}{"b":2}',
  Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  Buffer.from('{"a":"ü"}', 'latin1'),
  Buffer.from('{"a":1}', 'utf16le'),
  `{"a":"${'x'.repeat(300)}"}`,
  `[${'['.repeat(50)}${']'.repeat(50)}]`,
];

const HEADERS: readonly Record<string, string>[] = [
  { 'content-type': 'application/json' },
  { 'content-type': 'application/json; charset=utf-8' },
  { 'content-type': 'Application/JSON;charset=UTF-8' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'content-type': 'application/json; charset="utf-8"; x=y' },
  { 'content-type': 'application/merge-patch+json' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'nonsense' },
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  { 'content-type': 'application/json', 'content-encoding': 'nonsense' },
  { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  {},
];

const OPTIONS: readonly Parameters<Parser>[0][] = [
  undefined,
  { strict: false },
  { limit: 200 },
  { limit: '1kb' },
  { limit: '0.2kb' },
  { strict: false, limit: '1 MB' },
  { type: '*/json' },
  { inflate: false },
  { reviver: (_key, value: unknown) => (value === 1 ? 'one' : value) },
];

const NO_UTF8 = {
  name: 'BadRequestError',
  message: 'The body has bytes that are no UTF-8. Send it in UTF-8, or name its charset in Content-Type',
  status: 400,
  statusCode: 400,
  type: 'encoding.invalid',
  expose: true,
};
/** What Express 4 leaves where there is no body. */
const BODY_OF_NONE = 'lazyrouter' in originalExpress() ? {} : undefined;

describe('the JSON body parser (interface 4.3)', () => {
  it.each(OPTIONS)('makes the same of every body as the one of Express: %p', async (options) => {
    const [expected, ours] = await Promise.all([start(originalExpress.json, options), start(json, options)]);
    let compared = 0;
    let refused = 0;
    for (const body of BODIES) {
      for (const headers of HEADERS) {
        const sent = headers['content-encoding'] === 'gzip' ? gzipSync(body) : body;
        const request = { method: 'POST', headers, body: sent as Buffer };
        const [one, other] = await Promise.all([send(expected.url, '/', request), send(ours.url, '/', request)]);
        if (one.text.includes('\ufffd') && !String(headers['content-type']).endsWith('utf-16')) {
          // Bytes that are no UTF-8, of which Express makes something else.
          expect([other.status, other.body, headers]).toEqual([
            400,
            { error: expect.objectContaining(NO_UTF8) as unknown, body: BODY_OF_NONE },
            headers,
          ]);
          refused += 1;
          continue;
        }
        expect([other.status, other.text, headers, String(body).slice(0, 40)]).toEqual([
          one.status,
          one.text,
          headers,
          String(body).slice(0, 40),
        ]);
        compared += 1;
      }
    }
    for (const method of ['GET', 'HEAD', 'DELETE', 'POST']) {
      const [one, other] = await Promise.all([send(expected.url, '/', { method }), send(ours.url, '/', { method })]);
      expect(other.text).toBe(one.text);
    }
    expect(refused).toBeGreaterThanOrEqual(2);
    expect(compared + refused).toBe(BODIES.length * HEADERS.length);
    await Promise.all([expected.stop(), ours.stop()]);
  });

  it('refuses options that Express refuses', () => {
    expect(() => json({ limit: 'much' })).toThrow();
    expect(() => json({ verify: 'x' as never })).toThrow('option verify must be function');
  });

  it('puts bodies together that come in pieces', async () => {
    const running = await start(json, undefined);
    const socket = net.connect(Number(new URL(running.url).port), '127.0.0.1');
    const text = '{"a":"ü€"}';
    const bytes = Buffer.from(text);
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    );
    for (const byte of bytes) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      socket.write(Buffer.from([byte]));
    }
    let answer = '';
    for await (const chunk of socket.setEncoding('utf8')) answer += chunk as string;
    expect(answer).toContain(JSON.stringify({ body: JSON.parse(text), has: true, type: 'object' }));
    await running.stop();
  });

  it('gives the error of Express to the error handler when the client hangs up in the middle', async () => {
    const seen: unknown[] = [];
    const errors = async (parser: Parser): Promise<unknown> => {
      const app = express(framework()) as Application;
      app.use(parser());
      const caught = new Promise((resolve) => {
        const onError: ErrorRequestHandler = ({ message, status, type, code }: Record<string, unknown>, _req, res, _next) => {
          resolve({ message, status, type, code });
          res.end();
        };
        app.use(onError);
      });
      const running = await listen(app);
      const socket = net.connect(Number(new URL(running.url).port), '127.0.0.1');
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a":');
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.destroy();
      const error = await caught;
      await running.stop();
      return error;
    };
    for (const parser of [originalExpress.json, json]) seen.push(await errors(parser));
    expect(seen[0]).toMatchObject({ message: 'request aborted', status: 400 });
    expect(seen[1]).toEqual(seen[0]);
  });

  it('keeps the asynchronous context of the middleware before it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const app = express(framework()) as Application;
    app.use((_req, _res, next) => {
      storage.run('kept', next);
    });
    app.use(json());
    app.use((_req, res) => {
      res.json({ store: storage.getStore() });
    });
    const running = await listen(app);
    const answer = await send(running.url, '/', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(answer.body).toEqual({ store: 'kept' });
    await running.stop();
  });
});
