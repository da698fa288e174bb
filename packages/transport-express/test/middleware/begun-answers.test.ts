import { EventEmitter, once } from 'node:events';
import { get, request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { framework } from '@framework/core';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { RequestHandler } from 'express';
import express, { errorHandler, rest, type Application } from '../../src/index.ts';
import { listen, send, type Running } from '../harness.ts';

let running: Running | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await running?.stop();
  running = undefined;
});

/** An application whose Express prints errors, as it does outside of tests. */
async function start(source: () => AsyncIterable<string>, ...after: RequestHandler[]) {
  const logged: unknown[] = [];
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const app = express(framework()) as Application;
  app.set('env', 'production');
  app.configure(rest());
  app.use('lines', { find: async () => source() }, ...after);
  app.use(errorHandler({ logger: (error) => logged.push(error) }));
  running = await listen(app);
  return { url: running.url, logged, printed };
}

/** Express prints behind the turn in which it is told. */
const later = () => new Promise((resolve) => setTimeout(resolve));

/** Writes what the service gives in a form of its own. */
const told = new EventEmitter();
const asText: RequestHandler = async (_req, res) => {
  res.type('text');
  await pipeline(Readable.from(res.data as AsyncIterable<string>), res).catch((error: unknown) => {
    queueMicrotask(() => told.emit('failed'));
    throw error;
  });
};

async function* broken(): AsyncGenerator<string> {
  yield 'begun';
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('in the middle');
}

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    yield 'line '.repeat(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('an answer that has begun', () => {
  it.each<[string, RequestHandler[]]>([
    ['written here', []],
    ['written by middleware', [asText]],
  ])('%s: what fails is told to the logger alone, once, and the connection is closed', async (_title, after) => {
    const { url, logged, printed } = await start(broken, ...after);
    await expect(send(url, '/lines')).rejects.toThrow();
    await later();
    expect(logged).toEqual([expect.objectContaining({ message: 'in the middle' })]);
    expect(printed).not.toHaveBeenCalled();
  });

  it('to a client that has gone is no fault, whoever writes it', async () => {
    const { url, logged, printed } = await start(endless, asText);
    const failed = once(told, 'failed');
    const [response] = (await once(get(`${url}/lines`), 'response')) as [IncomingMessage];
    await once(response, 'data');
    response.destroy();
    await failed;
    await later();
    expect([logged, printed.mock.calls]).toEqual([[], []]);
  });

  it('whose source has closed before its end is one', async () => {
    const closed = (): Readable => {
      const source = new Readable({ read: () => undefined });
      source.push('begun');
      setImmediate(() => source.destroy());
      return source;
    };
    const { url, logged } = await start(broken, async (_req, res) => pipeline(closed(), res));
    await expect(send(url, '/lines')).rejects.toThrow();
    expect(logged).toEqual([expect.objectContaining({ code: 'ERR_STREAM_PREMATURE_CLOSE' })]);
  });
});

it('an upload whose client has gone is no fault of the service that reads it', async () => {
  const logged: unknown[] = [];
  const app = express(framework()) as Application;
  app.configure(rest());
  app.use(
    'files',
    (req, _res, next) => {
      req.framework = { ...req.framework, stream: req };
      req.body = { type: req.headers['content-type'] };
      next();
    },
    {
      async create(_data: unknown, { stream }: { stream: IncomingMessage }) {
        for await (const _chunk of stream) told.emit('read');
      },
    },
  );
  app.use((error: unknown, _req: unknown, _res: unknown, next: (error: unknown) => void) => {
    next(error);
    told.emit('failed');
  });
  app.use(errorHandler({ logger: (error) => logged.push(error) }));
  running = await listen(app);
  const [read, failed] = [once(told, 'read'), once(told, 'failed')];
  const upload = request(`${running.url}/files`, { method: 'POST', headers: { 'content-type': 'text/csv', 'content-length': 1000 } });
  upload.on('error', () => undefined);
  upload.write('a,b');
  await read;
  upload.destroy();
  await failed;
  expect(logged).toEqual([]);
});
