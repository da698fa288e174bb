import { once } from 'node:events';
import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { framework } from '@framework/core';
import { Forbidden } from '@framework/errors';
import { afterEach, expect, it, jest } from '@jest/globals';
import express, { errorHandler, json, rest, type Application } from '../src/index.ts';
import { send, type Answer } from './harness.ts';

const running: Application[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.close({ timeout: 1000 })));
});

/** An application whose store is closed to callers by the setup of another service, as authentication services close theirs. */
function build(setUp: (app: Application) => Promise<unknown>): Application {
  const app = express(framework()) as Application;
  running.push(app);
  app.use(json()).configure(rest());
  app.use('store', { find: async () => ['a secret'] });
  app.use('closing', {
    find: async () => [],
    setup: async () => {
      await setUp(app);
      app.service('store').hooks({
        before: {
          all: [
            ({ params }) => {
              if (params.provider !== undefined) throw new Forbidden('The store is for the server alone');
            },
          ],
        },
      });
    },
  });
  app.get('/alive', (_req, res) => void res.json('yes'));
  app.use(errorHandler({ logger: false }));
  return app;
}

const urlOf = (server: unknown): string => `http://127.0.0.1:${((server as Server).address() as AddressInfo).port}`;

it('a call that comes while services are set up waits, and meets what they are closed by; calls of the server do not wait', async () => {
  const asked: Promise<Answer>[] = [];
  const answers: unknown[] = [];
  const app = build(async ({ server }) => {
    asked.push(send(urlOf(server), '/store'));
    answers.push((await send(urlOf(server), '/alive')).body);
    await new Promise((resolve) => setTimeout(resolve, 20));
    answers.push(await app.service('store').find());
  });
  const server = await app.listen(0, '127.0.0.1');
  expect(answers).toEqual(['yes', ['a secret']]);
  expect(await asked[0]).toMatchObject({ status: 403, body: { message: 'The store is for the server alone' } });
  expect(await send(urlOf(server), '/closing')).toMatchObject({ status: 200, body: [] });
});

it('calls are 503 where services could not be set up, and are made where nobody has tried to', async () => {
  const asked: Promise<Answer>[] = [];
  const app = build(async () => {
    asked.push(send(urlOf(server), '/store', { headers: { accept: 'application/json' } }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error('no database');
  });
  const server = http.createServer(app as never).listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect((await send(urlOf(server), '/store')).body).toEqual(['a secret']);
  await expect(app.setup(server)).rejects.toThrow('no database');
  expect((await asked[0])?.status).toBe(503);
  expect((await send(urlOf(server), '/store')).status).toBe(503);
});

it('calls to an application that lies in another one wait until that is set up, from its first service on', async () => {
  const asked: Promise<Answer>[] = [];
  const outer = express(framework()) as Application;
  running.push(outer);
  outer.configure(rest());
  outer.use('first', {
    find: async () => [],
    setup: async () => {
      asked.push(send(urlOf(outer.server), '/inner/store'), send(urlOf(outer.server), '/inner/alive'));
      await asked[1];
      await new Promise((resolve) => setTimeout(resolve, 20));
    },
  });
  outer.use(
    '/inner',
    build(async () => asked.push(send(urlOf(outer.server), '/inner/store'))),
  );
  await outer.listen(0, '127.0.0.1');
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 200, 403]);
  expect((await send(urlOf(outer.server), '/inner/closing')).status).toBe(200);
});

it('calls to an application that lies in another one are 503 where that could not be set up', async () => {
  const outer = express(framework()) as Application;
  running.push(outer);
  let isAway = true;
  const first = async (): Promise<void> => {
    if (isAway) throw new Error('no database');
  };
  outer.use('first', { find: async () => [], setup: first }).configure(rest());
  outer.use(
    '/inner',
    build(async () => undefined),
  );
  const server = http.createServer(outer as never).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await expect(outer.setup(server)).rejects.toThrow('no database');
  expect((await send(urlOf(server), '/inner/store')).status).toBe(503);
  isAway = false;
  await outer.setup(server);
  expect((await send(urlOf(server), '/inner/store')).status).toBe(403);
});

it('a call waits for thirty seconds and no longer: it is 503, and is not made later', async () => {
  const calls: unknown[] = [];
  let [arrived, end] = [(): void => undefined, (): void => undefined];
  const hasArrived = new Promise<void>((resolve) => (arrived = resolve));
  const app = express(framework()) as Application;
  running.push(app);
  app.use((_req, _res, next) => {
    next();
    arrived();
  });
  app.use(json()).configure(rest());
  app.use('notes', {
    create: async (data: object) => calls.push(data),
    setup: () => new Promise<void>((resolve) => (end = resolve)),
  });
  app.use(errorHandler({ logger: false }));
  const server = http.createServer(app as never).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const set = globalThis.setTimeout;
  const rings: (() => void)[] = [];
  const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((
    ring: (...args: unknown[]) => void,
    delay: number,
    ...args: unknown[]
  ) => {
    if (delay !== 30_000) return set(ring, delay, ...args);
    rings.push(() => ring(...args));
    return undefined;
  }) as never);
  try {
    const done = app.setup(server);
    const asked = send(urlOf(server), '/notes', { method: 'POST', headers: { accept: 'application/json' } });
    await hasArrived;
    expect(rings).toHaveLength(1);
    rings[0]?.();
    const answer = await asked;
    expect(answer).toMatchObject({ status: 503, body: { message: 'The application is still being set up' } });
    expect(answer.headers['retry-after']).toBe('5');
    end();
    await done;
  } finally {
    timers.mockRestore();
  }
  expect((await send(urlOf(server), '/notes', { method: 'POST' })).status).toBe(201);
  expect(calls).toHaveLength(1);
});
