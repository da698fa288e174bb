import { once } from 'node:events';
import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { framework } from '@framework/core';
import { Forbidden } from '@framework/errors';
import { afterEach, expect, it } from '@jest/globals';
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
