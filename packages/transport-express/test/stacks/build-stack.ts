import type {
  Application as ExpressApplication,
  ErrorRequestHandler,
  NextFunction,
  Request,
  RequestHandler,
  Response,
  Router,
} from 'express';
import { Random } from '@framework-internal/testing';
import { errorAction, failure, handlerAction, messageOf } from './actions.ts';
import type { Happenings } from './happenings.ts';
import { snapshot } from './snapshot.ts';
import { watcher } from './watchers.ts';

/** What an application is built with. */
export interface StackParts {
  /** The installed Express. */
  readonly express: (() => ExpressApplication) & { Router(options?: object): Router };
  /** Major version of it. */
  readonly version: number;
  /** Whether layers leave routers, and with them the application, by `next('router')`. */
  readonly leaves: boolean;
  /** Told of each call of a layer, in order. */
  readonly log: (entry: unknown) => void;
  /** Told of the parts that the stack is made of. */
  readonly shape: string[];
  readonly happenings: Happenings;
}

type Target = Pick<Router, 'use' | 'get' | 'post' | 'all' | 'route' | 'param'>;
type Names = Generator<string, never>;

const PATHS = ['/', '/a', '/a/b', '/A', '/items', '/items/:id', '/r', '/:first', '/a.b'] as const;
const MOUNTS = ['/', '/a', '/r', '/sub', '/items', '/:tenant', '/a/'] as const;

/** Texts that requests ask for. */
export const REQUEST_PATHS = [
  '/',
  '/a',
  '/a/',
  '/A/B',
  '/a/b?x=1&y[z]=2',
  '/a/b/c',
  '/a?x=1',
  '/a.b',
  '/items',
  '/items/1',
  '/items/%zz',
  '/%zz',
  '/%zz/b',
  '/items/a%20b?$limit=1',
  '/r/items/7?',
  '/sub/a/b',
  '//a//b',
  '/a//b',
  '/r?next=/a',
  'http://elsewhere.example/a/b?q=1',
  '/a?u=http://x/?y',
  '/none',
  '/%C3%A9',
] as const;

/**
 * Builds the same stack for the same seed: middleware, layers with paths, routes, routers, parameters, error handlers and
 * sub-applications in random order.
 */
export function buildStack(app: ExpressApplication, seed: number, parts: StackParts): void {
  const random = new Random(seed);
  const names = nameGenerator();
  // Not in all: handlers of parameters leave the whole request to Express.
  const withParameters = random.oneIn(3);
  if (withParameters) for (const key of ['id', 'first', 'tenant']) app.param(key, paramHandler(parts, `param ${key}`, random.oneIn(6)));
  fill(app as unknown as Target, random, parts, names, withParameters ? 0 : -1);
  if (!random.oneIn(4)) app.use(errorHandler(random, parts, `last ${names.next().value}`));
}

function* nameGenerator(): Names {
  for (let index = 0; ; index++) yield `#${index}`;
}

/** @param depth of routers within each other; -1 for the application itself when it has no handlers of parameters */
function fill(target: Target, random: Random, parts: StackParts, names: Names, depth: number): void {
  const count = 1 + random.below(depth <= 0 ? 9 : 4);
  for (let index = 0; index < count; index++) addPart(target, random, parts, names, depth);
}

function addPart(target: Target, random: Random, parts: StackParts, names: Names, depth: number): void {
  const name = names.next().value;
  const kind = random.below(depth < 2 ? 14 : 11);
  parts.shape.push(`${depth} ${kind}`);
  const handlers = (): RequestHandler[] => Array.from({ length: 1 + random.below(2) }, (_, at) => handler(random, parts, `${name}.${at}`));
  switch (kind) {
    case 0:
    case 1:
    case 2:
      target.use(...handlers());
      break;
    case 3:
    case 4:
      parts.happenings.note('layers with a path');
      target.use(pathOf(random, parts), ...handlers());
      break;
    case 5:
      target.use(errorHandler(random, parts, name));
      break;
    case 6:
      target[random.pick(['get', 'post', 'all'] as const)](pathOf(random, parts), ...handlers());
      break;
    case 7:
      target
        .route(random.pick(PATHS))
        .get(...handlers())
        .post(...handlers());
      break;
    case 8:
      if (depth < 0 || random.oneIn(2)) target.use(random.pick(MOUNTS), errorHandler(random, parts, name) as unknown as RequestHandler);
      else target.param(random.pick(['id', 'first', 'tenant']), paramHandler(parts, name, random.oneIn(6)));
      break;
    case 9:
      target.use(watcher(random, parts, name));
      break;
    case 10:
      target.use(random.pick(MOUNTS), watcher(random, parts, name));
      break;
    case 11:
    case 12: {
      const router = parts.express.Router({ mergeParams: random.oneIn(2), caseSensitive: random.oneIn(2), strict: random.oneIn(3) });
      fill(router, random, parts, names, Math.max(depth, 0) + 1);
      if (random.oneIn(2)) target.use(router);
      else target.use(random.pick(MOUNTS), router);
      break;
    }
    default: {
      const inner = parts.express();
      inner.set('env', 'test');
      if (random.oneIn(2)) inner.disable('x-powered-by');
      if (random.oneIn(3)) inner.enable('case sensitive routing');
      fill(inner as unknown as Target, random, parts, names, Math.max(depth, 0) + 1);
      if (random.oneIn(2)) target.use(inner);
      else target.use(random.pick(MOUNTS), inner);
    }
  }
}

function pathOf(random: Random, { happenings, shape }: StackParts): string | RegExp | (string | RegExp)[] {
  if (random.oneIn(5)) return /^\/a/;
  if (random.oneIn(5)) {
    happenings.note('paths with a state');
    // With a state of its own in each application: it goes on where it was.
    return random.pick([/^\/a/g, /^\/items/y, /\/[ab]/g]);
  }
  if (random.oneIn(5)) return ['/a', '/items'];
  const path = random.pick(PATHS);
  shape.push(path);
  return path;
}

function handler(random: Random, parts: StackParts, name: string): RequestHandler {
  const act = handlerAction(random, parts, name);
  return (req, res, next) => {
    parts.log([name, snapshot(req, res)]);
    return act(req, res, next) as Promise<void>;
  };
}

function errorHandler(random: Random, parts: StackParts, name: string): ErrorRequestHandler {
  const act = errorAction(random, parts, name);
  // Express knows error handlers by their four parameters.
  return (error: unknown, req: Request, res: Response, next: NextFunction) => {
    parts.log([name, messageOf(error), snapshot(req, res)]);
    return act(error, res, next);
  };
}

function paramHandler({ log }: StackParts, name: string, fails: boolean) {
  return (req: Request, res: Response, next: NextFunction, value: unknown, key: string): void => {
    log([name, key, value, snapshot(req, res)]);
    next(fails ? failure(name) : undefined);
  };
}
