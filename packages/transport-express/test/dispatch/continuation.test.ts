import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import timeout from 'connect-timeout';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import plainExpress from 'express';
import express, { rest, type Application } from '../../src/index.ts';
import { echo, listen, send, type Running } from '../harness.ts';

/** Answers with what it was given, and says that it did. */
const answer: ErrorRequestHandler = (error: Error, _req, res, _next) => {
  res.status(500).json({ handled: error.message });
};

async function withApplication(build: (app: Application) => void, use: (running: Running) => Promise<void>): Promise<void> {
  const app = express(framework()) as Application;
  build(app);
  const running = await listen(app);
  try {
    await use(running);
  } finally {
    await running.stop();
  }
}

describe('one continuation', () => {
  it('brings a timeout to the error handler of the application, behind a route and a layer with a path', async () => {
    await withApplication(
      (app) => {
        app.use(timeout(20) as RequestHandler);
        app.get('/route', () => undefined);
        app.use('/layer', () => undefined);
        app.configure(rest());
        app.use(answer);
      },
      async ({ url }) => {
        for (const path of ['/route', '/layer/a']) {
          const { status, body } = await send(url, path);
          expect([status, body]).toEqual([500, { handled: 'Response timeout' }]);
        }
      },
    );
  });

  it('brings what is thrown after `next` to the error handler, once the handler of the route is through', async () => {
    await withApplication(
      (app) => {
        app.use((_req, _res, next) => {
          next();
          throw new Error('thrown late');
        });
        app.get('/route', () => undefined);
        app.use(answer);
      },
      async ({ url }) => {
        expect((await send(url, '/route')).body).toEqual({ handled: 'thrown late' });
      },
    );
  });

  it('keeps services behind a layer with a path on the fast way', async () => {
    const stacks: string[] = [];
    const note: RequestHandler = (_req, _res, next) => {
      stacks.push(String(new Error('where').stack));
      next();
    };
    await withApplication(
      (app) => {
        app.use('/api', note);
        app.configure(rest());
        app.use('api/echo', echo);
      },
      async ({ url }) => {
        expect((await send(url, '/api/echo/1')).body).toMatchObject({ id: '1', method: 'get' });
        const fast = process.env.DISPATCH !== 'express';
        expect(stacks.map((stack) => stack.includes('walk.ts'))).toEqual([fast]);
      },
    );
  });
});

describe('functions of Express that somebody wraps', () => {
  it.each(['before the application is made', 'while it runs'])('are called: %s', async (moment) => {
    const { Router, application } = plainExpress as unknown as {
      Router: { prototype?: { handle?: unknown } } & Record<'handle', unknown>;
      application: Record<'handle', unknown>;
    };
    const routers = (typeof Router.prototype?.handle === 'function' ? Router.prototype : Router) as Record<'handle', unknown>;
    const calls: string[] = [];
    const wrap = (target: Record<'handle', unknown>, name: string): (() => void) => {
      const { handle } = target;
      target.handle = function (this: unknown, ...args: unknown[]): unknown {
        calls.push(name);
        return Reflect.apply(handle as () => unknown, this, args);
      };
      return () => (target.handle = handle);
    };
    const restore: (() => void)[] = [];
    const apply = (): void => {
      restore.push(wrap(routers, 'router'), wrap(application, 'application'));
    };
    try {
      if (moment.startsWith('before')) apply();
      await withApplication(
        (app) => {
          app.configure(rest());
          app.use('echo', echo);
        },
        async ({ url }) => {
          if (moment.startsWith('while')) apply();
          expect((await send(url, '/echo/1')).status).toBe(200);
        },
      );
    } finally {
      for (const undo of restore) undo();
    }
    // Express copies `application.handle` when it makes an application.
    expect(calls).toEqual(moment.startsWith('before') ? ['application', 'router'] : ['router']);
  });
});
