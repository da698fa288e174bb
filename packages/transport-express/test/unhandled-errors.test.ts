import http from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { framework } from '@framework/core';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import plainExpress from 'express';
import express, { errorHandler, notFound, rest, type Application } from '../src/index.ts';

let warning: jest.SpiedFunction<typeof process.emitWarning>;
beforeEach(() => {
  warning = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});
afterEach(() => {
  warning.mockRestore();
});

function made(...steps: ((app: Application) => unknown)[]): Application {
  const app = express(framework()) as unknown as Application;
  for (const step of steps) step(app);
  return app;
}
const services = (app: Application): unknown => app.configure(rest()).use('notes', { find: async () => [] });
const own = (_error: unknown, _req: unknown, res: http.ServerResponse, _next: unknown): void => void res.end();
const passing = (_req: unknown, _res: unknown, next: () => void): void => next();
const nothing = (): void => undefined;

/** @returns the codes of the warnings that an application causes from its start until the turn behind it: it looks in one of its own */
async function codesOf(app: Application, behind: (app: Application) => unknown = nothing): Promise<unknown[]> {
  await app.listen(0, '127.0.0.1');
  behind(app);
  await turn();
  await app.close();
  return warning.mock.calls.map(([, options]) => (options as { code: string }).code);
}

describe('an application that listens', () => {
  it('is warned of once when nothing takes the errors of its services', async () => {
    const app = made(services, (made) => made.use(notFound()));
    expect(await codesOf(app)).toEqual(['NO_ERROR_HANDLER']);
    expect(String(warning.mock.calls[0]?.[0])).toContain('Add app.use(errorHandler()) behind all services and middleware');
    expect(await codesOf(app)).toEqual(['NO_ERROR_HANDLER']);
  });

  it('is warned of when its error handler stands in front of its services', async () => {
    const app = made((made) => made.use(errorHandler()), services);
    expect(await codesOf(app)).toEqual(['NO_ERROR_HANDLER']);
  });

  it.each<[string, () => Application, (app: Application) => unknown]>([
    ['has errorHandler()', () => made(services, (app) => app.use(notFound()).use(errorHandler())), nothing],
    ['has middleware for errors of its own', () => made(services, (app) => app.use(own as never)), nothing],
    ['has some at a path, among others', () => made(services, (app) => app.use('/notes', passing as never, own as never)), nothing],
    [
      'registers services behind its error handler',
      () =>
        made((app) =>
          app
            .configure(rest())
            .use(errorHandler())
            .use('notes', { find: async () => [] }),
        ),
      nothing,
    ],
    ['gets its error handler at once behind its start', () => made(services), (app) => app.use(errorHandler())],
    ['has no services', () => made((app) => app.configure(rest()).get('/', (_req, res) => void res.end())), nothing],
    ['answers for no services', () => made((app) => app.use('notes', { find: async () => [] })), nothing],
    ['has no layer at all', () => made(), nothing],
  ])('is not warned of when it %s', async (_what, make, behind) => {
    expect(await codesOf(make(), behind)).toEqual([]);
  });
});

describe('an application that others call', () => {
  const setUp = async (app: Application, server: http.Server): Promise<unknown[]> => {
    await app.setup(server);
    await turn();
    return warning.mock.calls;
  };

  it('is warned of where a server that was made for it calls it', async () => {
    const app = made(services);
    expect(await setUp(app, http.createServer(app))).toMatchObject([[expect.anything(), { code: 'NO_ERROR_HANDLER' }]]);
  });

  it('is not warned of where its errors may go elsewhere', async () => {
    const [called, mounted, host] = [made(services), made(services), made(services)];
    expect(
      await setUp(
        called,
        http.createServer((req, res) => called(req, res)),
      ),
    ).toEqual([]);
    const outer = plainExpress().use('/api', mounted as never);
    expect(await setUp(mounted, http.createServer(outer))).toEqual([]);
    await host.setup();
    expect(warning.mock.calls).toEqual([]);
  });
});
