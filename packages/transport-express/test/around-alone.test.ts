import { framework, type HookContext, type NextFunction } from '@framework/core';
import { expect, it } from '@jest/globals';
import type { RequestHandler } from 'express';
import express, { errorHandler, idempotent, traceCalls, type Application, type TracingApi } from '../src/index.ts';
import { listen, send } from './harness.ts';

const api: TracingApi = {
  trace: {
    getTracer: () => ({
      startActiveSpan: () => {
        throw new Error('no span is made');
      },
    }),
  },
};

it.each<[string, (context: HookContext, next: NextFunction) => Promise<void>]>([
  ['idempotent()', idempotent()],
  ['traceCalls(api)', traceCalls(api)],
])('%s says where it stands when it is listed as another hook, or as middleware', async (name, hook) => {
  const said = `${name} is an around hook, and neither another one nor middleware: app.hooks({ around: { all: [${name}] } })`;
  for (const type of ['before', 'after'] as const) {
    const app = framework().use('things', { find: async () => [] });
    app.service('things').hooks({ [type]: { all: [hook as unknown as () => Promise<void>] } });
    await expect(app.service('things').find()).rejects.toThrow(said);
  }
  const logged: unknown[] = [];
  const app = express(framework()) as Application;
  app.use(hook as unknown as RequestHandler);
  app.use(errorHandler({ logger: (error) => logged.push(error) }));
  const running = await listen(app);
  expect((await send(running.url, '/')).status).toBe(500);
  expect(logged).toEqual([expect.objectContaining({ message: said })]);
  await running.stop();
});
