import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { contributedRules, framework, type HookContext } from '@framework/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NextFunction, Request, Response } from 'express';
import express, { compression, rest } from '../src/index.ts';
import { listen, send, start, type Running } from './harness.ts';

let running: Running;
let produced = 0;
let stopped = 0;
async function* numbers(count: number, failAt = Infinity): AsyncGenerator<{ n: number }> {
  try {
    for (let n = 0; n < count; n++) {
      if (n === failAt) throw new Error('secret text');
      produced += 1;
      yield { n };
    }
  } finally {
    stopped += 1;
  }
}
beforeAll(async () => {
  running = await start((app) => {
    app.use('few', {
      async find() {
        return numbers(3);
      },
    });
    app.use('none', {
      async find() {
        return numbers(0);
      },
    });
    app.use('stream', {
      async find() {
        return Readable.from([{ a: 1 }, { a: 2 }]);
      },
    });
    app.use('endless', {
      async find() {
        return numbers(Infinity);
      },
    });
    app.use('failing-first', {
      async find() {
        return numbers(10, 0);
      },
    });
    app.use('failing-later', {
      async find() {
        return numbers(1_000_000, 5000);
      },
    });
  });
});
afterAll(() => running.stop());

describe('a result that is an async iterable or a stream', () => {
  it('goes out as a JSON array', async () => {
    expect(await send(running.url, '/few')).toMatchObject({
      status: 200,
      body: [{ n: 0 }, { n: 1 }, { n: 2 }],
      headers: { 'content-type': 'application/json; charset=utf-8', 'transfer-encoding': 'chunked' },
    });
    expect((await send(running.url, '/stream')).body).toEqual([{ a: 1 }, { a: 2 }]);
    expect((await send(running.url, '/none')).body).toEqual([]);
  });

  it('goes out one record in each line when the client prefers it', async () => {
    const answer = await send(running.url, '/few', { headers: { accept: 'application/x-ndjson' } });
    expect(answer.text).toBe('{"n":0}\n{"n":1}\n{"n":2}\n');
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect((await send(running.url, '/none', { headers: { accept: 'application/x-ndjson' } })).text).toBe('');
  });

  it('is not read for HEAD', async () => {
    produced = 0;
    expect(await send(running.url, '/few', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(produced).toBe(0);
  });

  it('is stopped when the client hangs up, and read no faster than the client takes it', async () => {
    produced = 0;
    stopped = 0;
    const request = http.get(`${running.url}/endless`);
    const response = await new Promise<http.IncomingMessage>((resolve) => request.once('response', resolve));
    response.pause();
    // It stops where what is between the two is full; else this does not end.
    for (let before = -1; before !== produced; await new Promise((resolve) => setTimeout(resolve, 300))) before = produced;
    expect(stopped).toBe(0);
    request.destroy();
    for (let tries = 0; stopped === 0 && tries < 500; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(stopped).toBe(1);
  });

  it('is stopped with its connection also while its answer waits behind another one', async () => {
    stopped = 0;
    const socket = net.connect(Number(new URL(running.url).port), '127.0.0.1');
    socket.write('GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3));
    for (let before = -1; before !== produced; await new Promise((resolve) => setTimeout(resolve, 300))) before = produced;
    expect(stopped).toBe(0);
    socket.destroy();
    for (let tries = 0; stopped < 3 && tries < 500; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(stopped).toBe(3);
  });

  it('is let go of, whatever hides properties of its records, by HEAD and by a client that hangs up while it waits for more', async () => {
    const sources: Readable[] = [];
    const hiding = await start((app) => {
      const find = async (): Promise<Readable> => {
        const source = new Readable({ objectMode: true, read: () => undefined });
        source.push({ n: 1, secret: 'x' });
        sources.push(source);
        return source;
      };
      app.use('streams', { find, [contributedRules]: { hidden: ['secret'] } });
      app.use('others', { find });
    });
    for (const path of ['/streams', '/others']) {
      expect(await send(hiding.url, path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
      const called = sources.length;
      const request = http.get(`${hiding.url}${path}`);
      request.on('error', () => undefined);
      for (let tries = 0; sources.length === called && tries < 500; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
      // It is being read when it has no record left.
      for (let tries = 0; sources.at(-1)?.readableLength !== 0 && tries < 500; tries++)
        await new Promise((resolve) => setTimeout(resolve, 20));
      request.destroy();
      for (let tries = 0; sources.at(-1)?.destroyed !== true && tries < 100; tries++)
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const left = sources.map(({ destroyed }) => destroyed);
    for (const source of sources) source.destroy();
    await hiding.stop();
    expect(left).toEqual([true, true, true, true]);
  });

  it('goes through compression as fast as that takes it, with one listener however often it waits', async () => {
    const app = express(framework());
    const seen = { listeners: 0, waits: 0 };
    app.use(compression());
    app.use((_req, res, next) => {
      const { on, write } = res;
      res.on = function (this: Response, type: string, listener: () => void): Response {
        if (type === 'drain') seen.listeners += 1;
        return on.call(this, type, listener) as Response;
      } as Response['on'];
      res.write = function (this: Response, ...args: unknown[]): boolean {
        const taken = Reflect.apply(write, this, args) as boolean;
        if (!taken) seen.waits += 1;
        return taken;
      } as Response['write'];
      next();
    });
    app.configure(rest());
    app.use('texts', {
      async find() {
        return Readable.from(Array.from({ length: 3000 }, () => ({ text: randomBytes(1000).toString('hex') })));
      },
    });
    const compressed = await listen(app);
    const answer = await fetch(`${compressed.url}/texts`);
    const { length } = (await answer.json()) as unknown[];
    await compressed.stop();
    expect([answer.headers.get('content-encoding'), length]).toEqual(['gzip', 3000]);
    expect(seen.listeners).toBe(1);
    expect(seen.waits).toBeGreaterThan(10);
  });

  it('S47 answers 500 when it fails while hooks, or middleware behind the service, still wait', async () => {
    const failing = await start((app) => {
      const find = async (): Promise<Readable> => new Readable({ objectMode: true, read: () => undefined });
      const fail = async (stream: unknown): Promise<void> => {
        const closed = new Promise((resolve) => (stream as Readable).once('close', resolve));
        (stream as Readable).destroy(new Error('secret text'));
        await closed;
      };
      app.use('hooked', { find });
      app.service('hooked').hooks({ after: { find: [({ result }: HookContext) => fail(result)] } } as never);
      app.use('behind', { find }, (_req: Request, res: Response, next: NextFunction) => {
        void fail(res.data).then(() => {
          next();
        });
      });
    });
    const answers = await Promise.all(['/hooked', '/behind'].map((path) => send(failing.url, path)));
    await failing.stop();
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(answers.map(({ text }) => text).join()).not.toContain('secret');
  });

  it('S47 answers 500 when it fails before the first record, and is cut off when it fails later', async () => {
    const answer = await send(running.url, '/failing-first');
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('secret');
    await expect(send(running.url, '/failing-later')).rejects.toThrow();
    expect((await send(running.url, '/few')).status).toBe(200);
  });

  it('of 1,000,000 records takes less than 250 MiB', async () => {
    const child = fork(join(import.meta.dirname, 'fixtures/stream-server.mjs'), { execArgv: [] });
    const message = (): Promise<Record<string, number>> =>
      new Promise((resolve) =>
        child.once('message', (value) => {
          resolve(value as Record<string, number>);
        }),
      );
    const { port } = await message();
    let lines = 0;
    await new Promise<void>((resolve, reject) => {
      http.get({ port, host: '127.0.0.1', path: '/records', headers: { accept: 'application/x-ndjson' } }, (response) => {
        response.on('data', (chunk: Buffer) => {
          for (const byte of chunk) if (byte === 10) lines += 1;
        });
        response.on('end', resolve).on('error', reject);
      });
    });
    const answer = message();
    child.send('memory');
    const { most } = await answer;
    child.disconnect();
    expect(lines).toBe(1_000_000);
    expect(most).toBeLessThan(250 * 1024 * 1024);
  });
});
