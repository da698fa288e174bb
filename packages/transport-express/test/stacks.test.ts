import { createRequire } from 'node:module';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { framework, type Params } from '@framework/core';
import { Random } from '@framework-internal/testing';
import { expect, it } from '@jest/globals';
import plainExpress, { type Application as ExpressApplication, type NextFunction, type Request, type Response } from 'express';
import express, { errorHandler, json, parseQueryString, rest, type Application } from '../src/index.ts';
import { createApplicationServer } from '../src/application/application-server.ts';
import { FAST_DISPATCH } from '../src/dispatch/fast-dispatch.ts';
import { send, type Answer } from './harness.ts';
import { messageOf } from './stacks/actions.ts';
import { buildStack, REQUEST_PATHS, type StackParts } from './stacks/build-stack.ts';
import { Happenings } from './stacks/happenings.ts';
import { patchOf, type Moment, type Patch } from './stacks/patches.ts';
import { snapshot } from './stacks/snapshot.ts';

/** Stacks of one run; the long form is a command of its own (CONTRIBUTING.md). */
const STACKS = Number(process.env.STACKS ?? 150);
const FIRST_SEED = Number(process.env.STACKS_SEED ?? 20_271_221);
const REQUESTS = 4;

const { version } = createRequire(import.meta.url)(`express${process.env.EXPRESS_VERSION ?? ''}/package.json`) as { version: string };
const MAJOR = Number(version.split('.', 1)[0]);

/** What each stack must show somewhere in a run; on Express 4 nothing is rejected and more is wrapped. */
const FEATURES = [
  'layers with a path',
  'paths with a state',
  'changed url',
  'changed method',
  'changed base',
  'next twice',
  'next twice in an error handler',
  'error after next',
  'route after next',
  'router after next',
  'throw after next',
  ...(MAJOR === 5 ? ['reject after next'] : []),
  'late next',
  'late error',
  'late router',
  'error at the end',
  'req.next later',
  'no answer',
  'on-headers',
  'on-finished',
  'listeners',
  'patched writeHead',
  'patched write',
  'patched end',
  'patched emit',
  'patched json',
  'patched send',
  'patched application',
  'patched router',
  'patched layer',
  'patched route',
];

/** An application that listens, with what its layers saw. */
interface Side {
  readonly url: string;
  readonly parts: StackParts;
  readonly log: unknown[];
  readonly patch: Patch | undefined;
  /** Resolves when all connections are closed and nothing more is to come. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Builds the server of one side, with what the seed wraps of Express. */
async function side(seed: number, build: (parts: StackParts) => http.Server): Promise<Side> {
  const log: unknown[] = [];
  const parts: StackParts = {
    express: plainExpress as unknown as StackParts['express'],
    version: MAJOR,
    leaves: new Random(seed + 6).oneIn(2),
    shape: [],
    happenings: new Happenings(),
    log: (entry) => {
      // As it is now: handlers change what they were shown.
      log.push(JSON.parse(JSON.stringify(entry, (key, value: unknown) => (key === 'x-correlation-id' ? '(id)' : value))));
    },
  };
  const patch = patchOf(new Random(seed + 5), parts);
  applyAt('before', patch);
  const server = build(parts);
  applyAt('built', patch);
  const open = new Set<object>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    parts,
    log,
    patch,
    async idle() {
      while (open.size > 0) await new Promise((resolve) => setImmediate(resolve));
      await parts.happenings.idle();
    },
    async stop() {
      patch?.restore();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function applyAt(moment: Moment, patch: Patch | undefined): void {
  if (patch?.moment === moment) patch.apply();
}

/**
 * What comes behind the application. Express's last handler waits for the body before it answers, and when something else has answered
 * meanwhile, as layers that go on twice do, it throws outside of every layer and ends the process, on all sides. This one does not wait.
 */
function theEnd({ log }: StackParts, req: http.IncomingMessage, res: http.ServerResponse, error: unknown): void {
  log(['end', messageOf(error), res.headersSent]);
  if (res.headersSent) req.socket.destroy();
  else res.writeHead(error ? 500 : 404).end('end');
}

/** The server of an application that is left at times: it says what comes behind. */
function serverWithEnd(app: ExpressApplication, parts: StackParts): http.Server {
  return http.createServer((req, res) => {
    app(req as Request, res as Response, (error: unknown) => {
      theEnd(parts, req, res, error);
    });
  });
}

/** The server of an application that nothing leaves, because its last layers answer: it can be any server. */
function serverOfItsOwn(app: ExpressApplication, parts: StackParts, create: () => http.Server): http.Server {
  app.use((req, res) => {
    theEnd(parts, req, res, undefined);
  });
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    theEnd(parts, req, res, error);
  });
  return create();
}

const serverOf = (app: ExpressApplication, parts: StackParts, create = (): http.Server => http.createServer(app)): http.Server =>
  parts.leaves ? serverWithEnd(app, parts) : serverOfItsOwn(app, parts, create);

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
function mounted(app: ExpressApplication, seed: number, parts: StackParts): ExpressApplication | undefined {
  const random = new Random(seed + 4);
  if (!random.oneIn(3)) return undefined;
  const outer = plainExpress().set('env', 'test');
  outer.use(random.pick(['/', '/a', '/:tenant']), app);
  outer.use((req, res, next) => {
    parts.log(['outer', snapshot(req, res)]);
    next();
  });
  return outer;
}

/** Plain Express, without anything of this package. */
const plain = (seed: number): Promise<Side> =>
  side(seed, (parts) => {
    const app = plainExpress();
    settle(app, seed);
    buildStack(app, seed, parts);
    return serverOf(mounted(app, seed, parts) ?? app, parts);
  });

/** An application of this package, on a server of its own or on one that it did not make. */
const ours = (seed: number, own: boolean): Promise<Side> =>
  side(seed, (parts) => {
    const app = express(framework()) as unknown as ExpressApplication;
    settle(app, seed);
    app.set(FAST_DISPATCH, true);
    buildStack(app, seed, parts);
    const outer = mounted(app, seed, parts);
    if (!own || outer) return serverOf(outer ?? app, parts);
    return serverOf(app, parts, () => createApplicationServer(app as unknown as Application));
  });

/** With services in the stack, on the fast way or on Express's own. */
const withServices = (seed: number, fast: boolean): Promise<Side> =>
  side(seed, (parts) => {
    const app = express(framework()) as Application;
    settle(app as unknown as ExpressApplication, seed);
    app.set(FAST_DISPATCH, fast);
    const random = new Random(seed + 2);
    if (random.oneIn(2)) app.use(json());
    const restFirst = random.oneIn(2);
    if (restFirst) app.configure(rest());
    const noted = (name: string, data?: unknown) => (params: Params) => {
      const { headers: _headers, ...shown } = params;
      parts.log(['service', name, data, shown]);
      parts.happenings.note('service');
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
      parts.log(name);
      next();
    };
    app.use('items', service);
    app.use('a', layer('before'), { ...service }, layer('after'));
    buildStack(app as unknown as ExpressApplication, seed, parts);
    if (!restFirst) app.configure(rest());
    app.use(errorHandler({ logger: false }));
    return serverOf(app as unknown as ExpressApplication, parts, () => createApplicationServer(app));
  });

interface Seen {
  /** `cut` when the connection was closed before an answer was complete, as Express does after an error that comes too late. */
  readonly answer: { readonly status: number; readonly headers: Record<string, unknown>; readonly text: string } | 'cut';
  readonly log: readonly unknown[];
}

/** The requests are those of the seed, so that all sides get the same. */
async function observe(side: Side, seed: number): Promise<Seen[]> {
  const random = new Random(seed + 3);
  const seen: Seen[] = [];
  for (let index = 0; index < REQUESTS; index++) {
    if (index === 2) applyAt('running', side.patch);
    const method = random.pick(['GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'DELETE']);
    const path = random.pick(REQUEST_PATHS);
    const body = method === 'POST' ? random.pick(['{"a":1}', '{"a":', '[]']) : undefined;
    const answer = await send(side.url, path, {
      method,
      headers: {
        host: 'one.two.example.com:8080',
        accept: random.pick(['application/json', 'text/html', '*/*']),
        // Pages of errors show it, and have a tag that is made of all that they show.
        'x-request-id': `${seed}-${index}`,
        ...(random.oneIn(2) ? { 'x-forwarded-for': '10.1.2.3, 10.4.5.6', 'x-forwarded-proto': 'https' } : {}),
        ...(random.oneIn(4) ? { 'x-requested-with': 'XMLHttpRequest' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    }).catch(() => undefined);
    await side.idle();
    seen.push({
      answer: answer ? { status: answer.status, headers: headersOf(answer), text: textOf(answer) } : 'cut',
      log: side.log.splice(0),
    });
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

/** How varied a run was. */
interface Variety {
  layers: number;
  readonly shapes: Set<string>;
  readonly counts: Map<string, number>;
}

async function compareAll(first: (seed: number) => Promise<Side>, ...others: ((seed: number) => Promise<Side>)[]): Promise<Variety> {
  const variety: Variety = { layers: 0, shapes: new Set(), counts: new Map() };
  for (let index = 0; index < STACKS; index++) {
    const seed = FIRST_SEED + index * 101;
    const model = await first(seed);
    const expected = await observe(model, seed);
    for (const other of others) {
      const got = await observe(await other(seed), seed);
      try {
        expect(got).toEqual(expected);
      } catch (error) {
        throw new Error(`The stack of seed ${seed} differs (STACKS=1 STACKS_SEED=${seed}): ${String(error)}`, { cause: error });
      }
    }
    for (const { log } of expected) variety.layers += log.length;
    const { shape, happenings } = model.parts;
    variety.shapes.add(shape.join(' '));
    if (model.patch) happenings.note(model.patch.feature);
    for (const [feature, count] of happenings.counts) variety.counts.set(feature, (variety.counts.get(feature) ?? 0) + count);
  }
  const counts = [...variety.counts].map(([feature, count]) => `${feature} ${count}`).join(', ');
  console.log(
    `Express ${version}: ${STACKS} stacks from seed ${FIRST_SEED}, ${variety.shapes.size} of them distinct, ${REQUESTS} requests each, ` +
      `${variety.layers} calls of layers compared. Times each of these occurred: ${counts}`,
  );
  return variety;
}

/** One stack alone, looked at by its seed, need not be varied. */
function expectVaried({ shapes, counts, layers }: Variety, features: readonly string[]): void {
  expect(layers).toBeGreaterThan(0);
  if (STACKS < 150) return;
  expect(layers).toBeGreaterThan(STACKS);
  expect(shapes.size).toBeGreaterThan(STACKS * 0.9);
  expect(features.filter((feature) => !counts.has(feature))).toEqual([]);
}

const LIMIT = 60_000 + STACKS * 300;

it(
  'the fast way shows and answers the same as plain Express, on servers of its own and on others',
  async () => {
    const variety = await compareAll(
      plain,
      (seed) => ours(seed, true),
      (seed) => ours(seed, false),
    );
    expectVaried(variety, FEATURES);
  },
  LIMIT,
);

it(
  'services are reached and answer the same on the fast way and on that of Express',
  async () => {
    const variety = await compareAll(
      (seed) => withServices(seed, false),
      (seed) => withServices(seed, true),
    );
    expectVaried(variety, [...FEATURES, 'service']);
  },
  LIMIT,
);
