import { framework } from '@framework/core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import express, { type Application } from '../../src/index.ts';
import { send, start, type Running } from '../harness.ts';

const seen: (string | undefined)[] = [];
let running: Running;
beforeAll(async () => {
  running = await start((app) => {
    const route = (req: { baseUrl: string; route?: { path: string } }, _res: unknown, next: () => void): void => {
      seen.push(req.route && `${req.baseUrl}${req.route.path}`);
      next();
    };
    const service = { find: async () => [1], get: async (id: unknown) => ({ id }) };
    app.use('users/:userId/messages', route as never, service);
    app.use('two', app.service('users/:userId/messages'));
    app.use('/', { find: async () => ['root'] });
    app.use('plain', route as never);
    const inner = express(framework()) as Application;
    inner.configure(express.rest());
    inner.use('things', route as never, { get: async (id: unknown) => ({ id }) });
    (app as unknown as { use(path: string, handler: unknown): void }).use('/v1', (req: object, res: object, next: () => void) => {
      (inner as unknown as (...args: object[]) => void)(req, res, next);
    });
  });
});
afterAll(() => running.stop());

it.each([
  ['/users/7/messages', '/users/:userId/messages'],
  ['/users/7/messages/12?a=1', '/users/:userId/messages/:id'],
  ['/two/12', '/two/:id'],
  ['/two', '/two'],
  ['/v1/things/1', '/v1/things/:id'],
  ['/plain', undefined],
])('a request for %s has the route %s', async (path, route) => {
  seen.length = 0;
  await send(running.url, path);
  expect(seen).toEqual([route]);
});
