import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { framework } from '@framework/core';
import type { RequestHandler } from 'express';
import plainExpress from 'express';
import { afterEach, describe, expect, it } from '@jest/globals';
import express, { authenticate, errorHandler, rest, type Application, type RestOptions } from '../src/index.ts';
import { echo, listen, send, type Running } from './harness.ts';

/** Middleware as it was written for the incumbent. */
type FeathersMiddleware = (req: any, res: any, next: () => void) => void;

const sets: FeathersMiddleware = (req, _res, next) => {
  req.feathers = { ...req.feathers, tenant: 'blue' };
  next();
};

const changes: FeathersMiddleware = (req, _res, next) => {
  req.feathers.color = 'red';
  next();
};

const shows: FeathersMiddleware = (req, res) => {
  res.json({ same: req.feathers === req.framework, feathers: req.feathers });
};

const running: Running[] = [];

async function start(options: RestOptions | undefined, build: (app: Application) => void): Promise<string> {
  const app = express(framework()) as Application;
  build(app);
  app.configure(rest(options));
  app.use('echo', sets as RequestHandler, changes as RequestHandler, echo);
  app.use('plain', echo);
  app.get('/shown', shows);
  app.use(errorHandler({ logger: false }));
  const started = await listen(app);
  running.push(started);
  return started.url;
}

afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
});

describe("rest({ compatibility: 'feathers' })", () => {
  const on: RestOptions = { compatibility: 'feathers' };

  it.each([true, false])('makes req.feathers and req.framework one object, with fast dispatch %s', async (fast) => {
    const url = await start(on, (app) => {
      app.set('fast dispatch', fast);
      app.use(sets, changes);
    });
    const tenant = { provider: 'rest', tenant: 'blue', color: 'red' };
    expect((await send(url, '/plain')).body).toMatchObject({ method: 'find', ...tenant });
    expect((await send(url, '/shown')).body).toEqual({ same: true, feathers: tenant });
  });

  it('shows the one what is set by the other, in both directions', async () => {
    const seen: unknown[] = [];
    const url = await start(on, (app) => {
      app.use((req: any, _res, next) => {
        seen.push(req.feathers);
        req.framework = { one: 1 };
        seen.push(req.feathers);
        req.feathers = { two: 2 };
        seen.push(req.framework);
        req.feathers = undefined;
        seen.push(req.framework);
        next();
      });
    });
    expect((await send(url, '/shown')).body).toEqual({ same: true });
    expect(seen).toEqual([{ provider: 'rest' }, { one: 1 }, { two: 2 }, undefined]);
  });

  it("reaches the service's own middleware", async () => {
    const url = await start(on, () => undefined);
    expect((await send(url, '/echo/1')).body).toMatchObject({ id: '1', tenant: 'blue', color: 'red' });
  });

  it('gives the user of a protected handler', async () => {
    const url = await start(on, (app) => {
      app.set('authentication', {
        secret: 'a secret of more than thirty-two bytes, for tests',
        entity: null,
        authStrategies: ['jwt'],
      });
      const service = new AuthenticationService(app as never);
      service.register('jwt', new JWTStrategy());
      app.use('authentication', service);
      app.get('/token', (_req, res, next) => {
        service.createAccessToken({ role: 'reader' }).then((token) => res.send(token), next);
      });
      app.get('/protected', authenticate('jwt'), shows);
    });
    const { text } = await send(url, '/token');
    const { body } = await send(url, '/protected', { headers: { authorization: `Bearer ${text}` } });
    expect(body).toMatchObject({ same: true, feathers: { authenticated: true, authentication: { payload: { role: 'reader' } } } });
  });

  it('holds in applications that are mounted, and takes over what a plain outer application has set', async () => {
    const inner = express(framework()) as Application;
    inner.configure(rest(on));
    inner.use('echo', echo);
    const outer = express(framework()) as Application;
    outer.configure(rest(on));
    outer.use(sets);
    outer.use('/inside', inner as never);
    const started = await listen(outer);
    running.push(started);
    expect((await send(started.url, '/inside/echo')).body).toMatchObject({ tenant: 'blue', provider: 'rest' });

    const alone = express(framework()) as Application;
    alone.configure(rest(on));
    alone.use('echo', echo);
    const plain = plainExpress();
    plain.use((req: any, _res, next) => {
      req.feathers = { tenant: 'plain', provider: 'made up' };
      next();
    });
    plain.use('/inside', alone as never);
    const server = plain.listen(0);
    const { port } = server.address() as { port: number };
    expect((await send(`http://127.0.0.1:${String(port)}`, '/inside/echo')).body).toMatchObject({ tenant: 'plain', provider: 'rest' });
    await new Promise((resolve) => server.close(resolve));
  });

  it('is off by default', async () => {
    const url = await start(undefined, (app) => {
      app.use((req: any, _res, next) => {
        if ('feathers' in req) throw new Error('It is there');
        req.feathers = { tenant: 'blue' };
        next();
      });
    });
    expect((await send(url, '/plain')).body).not.toHaveProperty('tenant');
  });

  it('is refused when its value is unknown', () => {
    const app = express(framework()) as Application;
    for (const compatibility of ['fethers', '', '__proto__', 'toString', true, null]) {
      expect(() => app.configure(rest({ compatibility } as never))).toThrow("Unknown 'compatibility' of rest()");
    }
  });
});
