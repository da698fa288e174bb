import { describe, expect, it } from '@jest/globals';
import { framework, type HookContext } from '@framework/core';
import { Forbidden } from '@framework/errors';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import originalExpress from 'express';
import express, { errorHandler, rest, type Application } from '../src/index.ts';
import { listen, send } from './harness.ts';

const hello = () => ({
  async get(id: string): Promise<{ id: string }> {
    return { id };
  },
});

/** An application with REST and one service. */
function makeInner(): Application {
  const inner = express(framework()) as Application;
  inner.configure(rest());
  inner.use('hello', hello());
  return inner;
}

function makeOuter(seen: string[]): Application {
  const outer = express(framework()) as Application;
  outer.configure(rest());
  outer.use('hello', hello());
  outer.hooks({
    before: {
      all: [
        (context: HookContext) => {
          seen.push(`${context.path} ${String(context.app === outer)}`);
          throw new Forbidden('guarded');
        },
      ],
    },
  });
  return outer;
}

async function listenPlain(plain: ReturnType<typeof originalExpress>): Promise<{ url: string; stop(): Promise<unknown> }> {
  const server = plain.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${String(port)}`, stop: () => new Promise((resolve) => server.close(resolve)) };
}

const mounts: [string, (outer: Application, inner: Application) => unknown][] = [
  ['app.use with a path', (outer, inner) => outer.use('/api', inner as never)],
  ['a router', (outer, inner) => outer.use('/api', originalExpress.Router().use('/', inner as never) as never)],
  ['a plain Express application', (outer, inner) => outer.use('/api', originalExpress().use('/', inner as never) as never)],
  [
    'a middleware that calls it',
    (outer, inner) =>
      outer.use('/api', ((req: never, res: never, next: never) => {
        inner(req, res, next);
      }) as never),
  ],
];

describe('the hooks of an outer application', () => {
  it.each(mounts)('guard the services of one that is mounted by %s', async (_title, mount) => {
    const seen: string[] = [];
    const [outer, inner] = [makeOuter(seen), makeInner()];
    mount(outer, inner);
    outer.use(errorHandler({ logger: false }));
    const { url, stop } = await listen(outer);
    expect((await send(url, '/hello/1')).status).toBe(403);
    expect((await send(url, '/api/hello/1')).status).toBe(403);
    expect((await send(url, '/api/hello/1')).status).toBe(403);
    expect(seen).toEqual(['hello true', 'api/hello true', 'api/hello true']);
    await stop();
  });

  it.each([
    ['/api', '/API/hello/1', 'api/hello'],
    ['/:tenant/v1', '/acme/V1/hello/1', ':tenant/v1/hello'],
  ])(
    'see a middleware at %s that calls the inner one by that path, however the first request to %s is spelled',
    async (mount, first, path) => {
      const seen: string[] = [];
      const [outer, inner] = [makeOuter(seen), makeInner()];
      outer.use(mount, Router().use((req, res, next) => inner(req, res, next)) as never);
      outer.use(errorHandler({ logger: false }));
      const { url, stop } = await listen(outer);
      await send(url, first);
      await send(url, first.toLowerCase());
      await stop();
      expect(seen).toEqual([`${path} true`, `${path} true`]);
      expect(Object.keys(outer.services)).toEqual(['hello', path]);
    },
  );

  it('see a middleware that calls the inner one by its path in the outer one, wherever that is mounted', async () => {
    const seen: string[] = [];
    const [outer, inner] = [makeOuter(seen), makeInner()];
    outer.use('/api', ((req: never, res: never, next: never) => inner(req, res, next)) as never);
    outer.use(errorHandler({ logger: false }));
    const { url, stop } = await listenPlain(originalExpress().use('/x', outer as never));
    expect((await send(url, '/x/api/hello/1')).status).toBe(403);
    await stop();
    expect(seen).toEqual(['api/hello true']);
  });

  it("stay away from the outer application's later services, and from applications beside it", async () => {
    const seen: string[] = [];
    const [outer, first, second] = [express(framework()) as Application, makeInner(), makeInner()];
    first.hooks({ before: { all: [() => void seen.push('first')] } });
    outer.use('/none', first as never);
    outer.use('/none', second as never);
    outer.use(errorHandler({ logger: false }));
    const { url, stop } = await listen(outer);
    await first.unuse('hello');
    expect((await send(url, '/none/hello/1')).status).toBe(200);
    expect(seen).toEqual([]);
    await stop();
  });

  it('stay away from an application beside it in a plain Express application', async () => {
    const seen: string[] = [];
    const [first, second] = [makeOuter(seen), makeInner()];
    const plain = originalExpress()
      .use('/a', first as never)
      .use(first as never)
      .use('/b', second as never);
    const { url, stop } = await listenPlain(plain);
    expect((await send(url, '/b/hello/1')).status).toBe(200);
    expect([seen, Object.keys(first.services)]).toEqual([[], ['hello']]);
    await stop();
  });

  it('set up the services of the mounted application once, whoever asks first', async () => {
    const log: string[] = [];
    const inner = makeInner();
    inner.use('counted', { ...hello(), setup: () => void log.push('setup'), teardown: () => void log.push('teardown') });
    const outer = express(framework()) as Application;
    outer.use('/api', inner as never);
    const { url, stop } = await listen(outer);
    await inner.setup();
    expect((await send(url, '/api/counted/1')).status).toBe(200);
    await stop();
    expect(log).toEqual(['setup', 'teardown']);
  });
});

const Router = originalExpress.Router;
const PLACES: [string, (outer: Application, inner: Application) => unknown, ...string[]][] = [
  ['a router', (outer, inner) => outer.use('/api', Router().use('/v1', inner as never) as never), 'api/v1/hello'],
  ['a router at the root', (outer, inner) => outer.use(Router().use(inner as never) as never), 'hello'],
  [
    'a router in a router',
    (outer, inner) => outer.use('/a', Router().use('/b', Router().use('/c', inner as never)) as never),
    'a/b/c/hello',
  ],
  ['a router that gets it later', (outer, inner) => later(outer, (router) => router.use('/v1', inner as never)), 'api/v1/hello'],
  [
    'a router with a placeholder',
    (outer, inner) => outer.use('/:tenant', Router().use('/v1', inner as never) as never),
    ':tenant/v1/hello',
  ],
  [
    'a router with several paths',
    (outer, inner) => outer.use('/api', Router().use(['/v1', '/v2'], inner as never) as never),
    'api/v1/hello',
    'api/v2/hello',
  ],
  ['a route', (outer, inner) => outer.use('/api', Router().all('/hello/1', inner as never) as never), 'api/hello'],
  [
    'a plain Express application',
    (outer, inner) => outer.use('/api', originalExpress().use('/v1', inner as never) as never),
    'api/v1/hello',
  ],
  [
    'a plain Express application that is mounted before',
    (outer, inner) => {
      const plain = originalExpress();
      outer.use('/api', plain as never);
      plain.use('/v1', inner as never);
    },
    'api/v1/hello',
  ],
  [
    'plain Express applications in each other',
    (outer, inner) => outer.use('/a', originalExpress().use('/b', originalExpress().use('/c', inner as never)) as never),
    'a/b/c/hello',
  ],
  [
    'a router of a plain Express application',
    (outer, inner) => outer.use('/a', originalExpress().use('/b', Router().use('/c', inner as never)) as never),
    'a/b/c/hello',
  ],
  [
    'a router of another application',
    (outer, inner) => {
      const between = express(framework()) as Application;
      between.use('/b', Router().use('/c', inner as never) as never);
      outer.use('/a', between as never);
    },
    'a/b/c/hello',
  ],
];

function later(outer: Application, add: (router: ReturnType<typeof Router>) => unknown): void {
  const router = Router();
  outer.use('/api', router as never);
  add(router);
}

describe('an application that is reached by', () => {
  it.each(PLACES)('%s has its services in the outer one once that is set up', async (_title, mount, ...paths) => {
    const [outer, inner] = [express(framework()) as Application, makeInner()];
    mount(outer, inner);
    await outer.setup();
    expect(Object.keys(outer.services)).toEqual(paths);
  });

  it('a router that leads back to the outer one is left alone', async () => {
    const [outer, inner] = [express(framework()) as Application, makeInner()];
    const router = Router().use('/v1', inner as never);
    router.use('/again', router);
    outer.use('/api', router as never);
    await outer.setup();
    expect(Object.keys(outer.services)).toEqual(['api/v1/hello']);
  });

  it('a pattern can be mounted, and is told by it', async () => {
    const [outer, inner] = [express(framework()) as Application, makeInner()];
    outer.use(/^\/api/ as never, inner as never);
    await outer.setup();
    expect(Object.keys(outer.services)).toEqual(['^\\/api/hello']);
  });
});

describe('an application that is taken out again', () => {
  it('is not reached any more, and can be mounted again', async () => {
    const seen: string[] = [];
    const [outer, inner, other] = [makeOuter(seen), makeInner(), makeInner()];
    outer.use('/api', inner as never);
    outer.use('/other', other as never);
    outer.use(((_req: unknown, res: { status(code: number): { end(): void } }) => res.status(404).end()) as never);
    outer.use(errorHandler({ logger: false }));
    const { url, stop } = await listen(outer);
    const statuses = async (): Promise<number[]> =>
      Promise.all(['/api/hello/1', '/other/hello/1'].map(async (path) => (await send(url, path)).status));
    expect(await statuses()).toEqual([403, 403]);
    expect(await outer.unuse('api')).toBe(inner);
    expect(await statuses()).toEqual([404, 403]);
    expect(await outer.unuse('api')).toBeUndefined();
    expect(await outer.unuse('/other/')).toBe(other);
    expect(await statuses()).toEqual([404, 404]);
    await stop();
    const again = makeOuter(seen);
    again.use('/api', inner as never);
    again.use(errorHandler({ logger: false }));
    const second = await listen(again);
    expect((await send(second.url, '/api/hello/1')).status).toBe(403);
    await second.stop();
  });

  it('is left to whoever hands requests to it, which is said', async () => {
    const [outer, inner] = [express(framework()) as Application, makeInner()];
    outer.use('/api', originalExpress.Router().use('/', inner as never) as never);
    outer.use(errorHandler({ logger: false }));
    const { url, stop } = await listen(outer);
    expect((await send(url, '/api/hello/1')).status).toBe(200);
    await expect(outer.unuse('api')).rejects.toThrow("'api' leads to its application through a router or a middleware");
    await stop();
  });

  it('keeps its guards where one of its services is to be taken out of the outer one alone', async () => {
    const seen: string[] = [];
    const [outer, inner] = [makeOuter(seen), makeInner()];
    outer.use('/api', inner as never);
    outer.use(errorHandler({ logger: false }));
    const { url, stop } = await listen(outer);
    await expect(outer.unuse('api/hello')).rejects.toThrow("'api/hello' is a service of an application that requests are handed on to");
    expect((await send(url, '/api/hello/1')).status).toBe(403);
    await inner.unuse('hello');
    expect(Object.keys(outer.services)).toEqual(['hello']);
    await stop();
  });

  it('leaves a service alone that has its path', async () => {
    const [outer, inner] = [express(framework()) as Application, makeInner()];
    outer.configure(rest());
    outer.use('api', hello());
    outer.use('/api', inner as never);
    outer.use(errorHandler({ logger: false }));
    const { url, stop } = await listen(outer);
    await outer.unuse('api');
    expect((await send(url, '/api/hello/1')).status).toBe(200);
    await stop();
    await expect(outer.unuse(5 as never)).rejects.toThrow();
  });
});
