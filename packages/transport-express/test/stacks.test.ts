import { createRequire } from 'node:module';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { framework, type Params } from '@framework/core';
import { Random } from '@framework-internal/testing';
import { expect, it } from '@jest/globals';
import plainExpress, { type Application as ExpressApplication } from 'express';
import express, { errorHandler, json, parseQueryString, rest, type Application } from '../src/index.ts';
import { createApplicationServer } from '../src/application/application-server.ts';
import { FAST_DISPATCH } from '../src/dispatch/fast-dispatch.ts';
import { send, type Answer } from './harness.ts';
import { buildStack, REQUEST_PATHS, type StackParts } from './stacks/build-stack.ts';
import { snapshot } from './stacks/snapshot.ts';

/** Stacks of one run; the long form is a command of its own (CONTRIBUTING.md). */
const STACKS = Number(process.env.STACKS ?? 300);
const FIRST_SEED = Number(process.env.STACKS_SEED ?? 20_261_121);
const REQUESTS = 4;

const { version } = createRequire(import.meta.url)(
  process.env.EXPRESS_VERSION === '4' ? 'express4/package.json' : 'express/package.json',
) as {
  version: string;
};
const MAJOR = Number(version.split('.', 1)[0]);

interface Side {
  readonly url: string;
  readonly log: unknown[];
  stop(): Promise<void>;
}

async function listenOn(server: http.Server, log: unknown[]): Promise<Side> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** Settings that the stack may depend on, the same for all sides. */
function settle(app: ExpressApplication, seed: number): void {
  const random = new Random(seed + 1);
  app.set('env', 'test');
  app.set('query parser', parseQueryString);
  app.set('x-powered-by', random.oneIn(2));
  app.set('case sensitive routing', random.oneIn(3));
  app.set('strict routing', random.oneIn(3));
  app.set('trust proxy', random.oneIn(2));
  if (random.oneIn(3)) app.set('etag', false);
}

/** One in three applications is mounted in a plain one, which has a layer behind it. */
function mounted(app: ExpressApplication, seed: number, log: unknown[]): ExpressApplication | undefined {
  const random = new Random(seed + 4);
  if (!random.oneIn(3)) return undefined;
  const outer = plainExpress().set('env', 'test');
  outer.use(random.pick(['/', '/a', '/:tenant']), app);
  outer.use((req, res, next) => {
    log.push(JSON.parse(JSON.stringify(['outer', snapshot(req, res)])));
    next();
  });
  return outer;
}

const partsFor = (log: unknown[]): StackParts => ({
  express: plainExpress as unknown as StackParts['express'],
  version: MAJOR,
  log: (entry) => {
    // As it is now: handlers change what they were shown.
    log.push(JSON.parse(JSON.stringify(entry)));
  },
});

/** Plain Express, without anything of this package. */
async function plain(seed: number): Promise<Side> {
  const log: unknown[] = [];
  const app = plainExpress();
  settle(app, seed);
  buildStack(app, seed, partsFor(log));
  return listenOn(http.createServer(mounted(app, seed, log) ?? app), log);
}

/** An application of this package, on a server of its own or on one that it did not make. */
async function ours(seed: number, own: boolean): Promise<Side> {
  const log: unknown[] = [];
  const app = express(framework()) as unknown as ExpressApplication;
  settle(app, seed);
  app.set(FAST_DISPATCH, true);
  buildStack(app, seed, partsFor(log));
  const outer = mounted(app, seed, log);
  return listenOn(own && !outer ? createApplicationServer(app as unknown as Application) : http.createServer(outer ?? app), log);
}

/** With services in the stack, on the fast way or on Express's own. */
async function withServices(seed: number, fast: boolean): Promise<Side> {
  const log: unknown[] = [];
  const app = express(framework()) as Application;
  settle(app as unknown as ExpressApplication, seed);
  app.set(FAST_DISPATCH, fast);
  const random = new Random(seed + 2);
  if (random.oneIn(2)) app.use(json());
  const restFirst = random.oneIn(2);
  if (restFirst) app.configure(rest());
  const noted = (name: string, data?: unknown) => (params: Params) => {
    const { headers: _headers, ...shown } = params;
    log.push(['service', name, data, shown]);
    return { name, data, query: params.query };
  };
  const service = {
    find: async (params: Params) => noted('find')(params),
    get: async (id: unknown, params: Params) => {
      if (id === '9') throw Object.assign(new Error('no such record'), { code: 404, name: 'NotFound', className: 'not-found' });
      return noted('get', id)(params);
    },
    create: async (data: unknown, params: Params) => noted('create', data)(params),
  };
  const layer = (name: string) => (_req: unknown, _res: unknown, next: () => void) => {
    log.push(name);
    next();
  };
  app.use('items', service);
  app.use('a', layer('before'), { ...service }, layer('after'));
  buildStack(app as unknown as ExpressApplication, seed, partsFor(log));
  if (!restFirst) app.configure(rest());
  app.use(errorHandler({ logger: false }));
  return listenOn(createApplicationServer(app), log);
}

interface Seen {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  readonly log: readonly unknown[];
}

/** The requests are those of the seed, so that all sides get the same. */
async function observe(side: Side, seed: number): Promise<Seen[]> {
  const random = new Random(seed + 3);
  const seen: Seen[] = [];
  for (let index = 0; index < REQUESTS; index++) {
    const method = random.pick(['GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'DELETE']);
    const path = random.pick(REQUEST_PATHS);
    const body = method === 'POST' ? random.pick(['{"a":1}', '{"a":', '[]']) : undefined;
    const answer = await send(side.url, path, {
      method,
      headers: {
        host: 'one.two.example.com:8080',
        accept: random.pick(['application/json', 'text/html', '*/*']),
        ...(random.oneIn(2) ? { 'x-forwarded-for': '10.1.2.3, 10.4.5.6', 'x-forwarded-proto': 'https' } : {}),
        ...(random.oneIn(4) ? { 'x-requested-with': 'XMLHttpRequest' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    seen.push({ status: answer.status, headers: headersOf(answer), text: textOf(answer), log: side.log.splice(0) });
  }
  await side.stop();
  return seen;
}

function headersOf({ headers }: Answer): Record<string, unknown> {
  const { date: _date, 'x-correlation-id': _id, ...rest } = headers;
  // The pages of Express's last handler have call stacks in them.
  if (/default-src 'none'/.test(String(rest['content-security-policy']))) delete rest['content-length'];
  return rest;
}

function textOf({ text, headers }: Answer): string {
  const id = String(headers['x-correlation-id']);
  return text.replaceAll(id, '(id)').replace(/<br> &nbsp; &nbsp;at .*<\/pre>/s, '</pre>');
}

async function compareAll(first: (seed: number) => Promise<Side>, ...others: ((seed: number) => Promise<Side>)[]): Promise<number> {
  let layers = 0;
  for (let index = 0; index < STACKS; index++) {
    const seed = FIRST_SEED + index * 101;
    const expected = await observe(await first(seed), seed);
    for (const other of others) {
      const got = await observe(await other(seed), seed);
      try {
        expect(got).toEqual(expected);
      } catch (error) {
        throw new Error(`The stack of seed ${seed} differs (STACKS=1 STACKS_SEED=${seed}): ${String(error)}`, { cause: error });
      }
    }
    for (const { log } of expected) layers += log.length;
  }
  console.log(
    `Express ${version}: ${STACKS} stacks from seed ${FIRST_SEED}, ${STACKS * REQUESTS} requests each, ${layers} calls of layers compared`,
  );
  return layers;
}

const LIMIT = 20_000 + STACKS * 200;

it(
  'the fast way shows and answers the same as plain Express, on servers of its own and on others',
  async () => {
    expect(
      await compareAll(
        plain,
        (seed) => ours(seed, true),
        (seed) => ours(seed, false),
      ),
    ).toBeGreaterThan(STACKS);
  },
  LIMIT,
);

it(
  'services are reached and answer the same on the fast way and on that of Express',
  async () => {
    expect(
      await compareAll(
        (seed) => withServices(seed, false),
        (seed) => withServices(seed, true),
      ),
    ).toBeGreaterThan(STACKS);
  },
  LIMIT,
);
