import type { HookContext } from '@framework/core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { send, start, type Running } from '../harness.ts';

const logged: unknown[] = [];
let running: Running;
beforeAll(async () => {
  running = await start(
    (app) => {
      app.use('status/:status', { find: async () => ({ a: 1 }) });
      app.use('behind/:status', { find: async () => ({ a: 1 }) }, (_req, _res, next) => next());
      for (const path of ['status/:status', 'behind/:status'] as const)
        app.service(path).hooks({
          after: {
            find: [
              async ({ http, params }: HookContext): Promise<void> => {
                http.status = Number((params as { route?: Record<string, string> }).route?.status);
              },
            ],
          },
        });
    },
    {
      logger: (error) => {
        logged.push(error);
      },
    },
  );
});
afterAll(() => running.stop());

it.each(['100', '101', '199', '99', '0', '-1', '600', '1000', '200.5', 'x'])(
  'a status that ends no request is a fault of the server, for which no client waits: %s',
  async (status) => {
    for (const path of ['status', 'behind']) {
      logged.length = 0;
      expect((await send(running.url, `/${path}/${status}`)).status).toBe(500);
      expect(String(logged[0])).toContain(`'context.http.status' is a whole number from 200 to 599, and not ${String(Number(status))}`);
    }
  },
);

it.each(['200', '206', '418', '599'])('any other is that of the answer: %s', async (status) => {
  for (const path of ['status', 'behind'])
    expect(await send(running.url, `/${path}/${status}`)).toMatchObject({ status: Number(status), body: { a: 1 } });
});
