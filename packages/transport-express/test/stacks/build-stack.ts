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
import { snapshot } from './snapshot.ts';

/** What an application is built with. */
export interface StackParts {
  /** The installed Express. */
  readonly express: (() => ExpressApplication) & { Router(options?: object): Router };
  /** Major version of it. */
  readonly version: number;
  /** Told of each call of a layer, in order. */
  readonly log: (entry: unknown) => void;
}

type Target = Pick<Router, 'use' | 'get' | 'post' | 'all' | 'route' | 'param'>;
type Names = Generator<string, never>;

const PATHS = ['/', '/a', '/a/b', '/A', '/items', '/items/:id', '/r', '/:first', '/a.b'] as const;
const MOUNTS = ['/', '/a', '/r', '/sub', '/items', '/:tenant'] as const;

/** Texts that requests ask for. */
export const REQUEST_PATHS = [
  '/',
  '/a',
  '/a/',
  '/A/B',
  '/a/b?x=1&y[z]=2',
  '/a/b/c',
  '/a.b',
  '/items',
  '/items/1',
  '/items/%zz',
  '/items/a%20b?$limit=1',
  '/r/items/7?',
  '/sub/a/b',
  '//a//b',
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
  fill(app as unknown as Target, random, parts, names, 0);
  if (!random.oneIn(4)) app.use(errorHandler(random, parts, `last ${names.next().value}`));
}

function* nameGenerator(): Names {
  for (let index = 0; ; index++) yield `#${index}`;
}

function fill(target: Target, random: Random, parts: StackParts, names: Names, depth: number): void {
  const count = 1 + random.below(depth === 0 ? 9 : 4);
  for (let index = 0; index < count; index++) addPart(target, random, parts, names, depth);
}

function addPart(target: Target, random: Random, parts: StackParts, names: Names, depth: number): void {
  const name = names.next().value;
  const handlers = (): RequestHandler[] => Array.from({ length: 1 + random.below(2) }, (_, at) => handler(random, parts, `${name}.${at}`));
  switch (random.below(depth < 2 ? 12 : 9)) {
    case 0:
    case 1:
    case 2:
    case 3:
      target.use(...handlers());
      break;
    case 4:
      target.use(pathOf(random), ...handlers());
      break;
    case 5:
      target.use(errorHandler(random, parts, name));
      break;
    case 6:
      target[random.pick(['get', 'post', 'all'] as const)](random.pick(PATHS), ...handlers());
      break;
    case 7:
      target
        .route(random.pick(PATHS))
        .get(...handlers())
        .post(...handlers());
      break;
    case 8:
      if (random.oneIn(2)) target.use(random.pick(MOUNTS), errorHandler(random, parts, name) as unknown as RequestHandler);
      else target.param(random.pick(['id', 'first', 'tenant']), paramHandler(parts, name, random.oneIn(6)));
      break;
    case 9:
    case 10: {
      const router = parts.express.Router({ mergeParams: random.oneIn(2), caseSensitive: random.oneIn(2), strict: random.oneIn(3) });
      fill(router, random, parts, names, depth + 1);
      if (random.oneIn(2)) target.use(router);
      else target.use(random.pick(MOUNTS), router);
      break;
    }
    default: {
      const inner = parts.express();
      inner.set('env', 'test');
      if (random.oneIn(2)) inner.disable('x-powered-by');
      if (random.oneIn(3)) inner.enable('case sensitive routing');
      fill(inner as unknown as Target, random, parts, names, depth + 1);
      if (random.oneIn(2)) target.use(inner);
      else target.use(random.pick(MOUNTS), inner);
    }
  }
}

function pathOf(random: Random): string | RegExp | (string | RegExp)[] {
  if (random.oneIn(5)) return /^\/a/;
  if (random.oneIn(5)) return ['/a', '/items'];
  return random.pick(PATHS);
}

/** Steps after which a handler ends with an answer, or goes on. */
type Action = (req: Request, res: Response, next: NextFunction) => unknown;

const later = (run: () => void): void => {
  setImmediate(run);
};

function handler(random: Random, { log, version }: StackParts, name: string): RequestHandler {
  const act = action(random, name, version);
  return (req, res, next) => {
    log([name, snapshot(req, res)]);
    return act(req, res, next) as Promise<void>;
  };
}

function action(random: Random, name: string, version: number): Action {
  const on = random.pick<Action>([
    (_req, _res, next) => {
      next();
    },
    (_req, _res, next) => {
      later(next);
    },
    (_req, _res, next) => Promise.resolve().then(next),
  ]);
  const change: Action | undefined = random.pick<Action | undefined>([
    undefined,
    undefined,
    undefined,
    (_req, res) => res.setHeader('X-Set', name),
    (_req, res) => (res.locals[name] = true),
    (req) => (req.params.added = name),
    (req) => (req.url = random.oneIn(2) ? '/a/b?rewritten=1' : '/items/9'),
    (_req, res) => res.vary(name.replace('#', 'X-')),
    (_req, res) => res.status(203),
    (req) => (req.method = 'GET'),
    (_req, res) => {
      res.removeHeader('X-Powered-By');
    },
    (req) => (req.body = { by: name }),
  ]);
  if (random.oneIn(7)) return ending(random, name);
  if (random.oneIn(7)) return failing(random, name, version);
  return (req, res, next) => {
    change?.(req, res, next);
    return on(req, res, next);
  };
}

function ending(random: Random, name: string): Action {
  return random.pick<Action>([
    (_req, res) => res.json({ by: name }),
    (_req, res) => res.send(`<p>${name}</p>`),
    (_req, res) => {
      res.end(name);
    },
    (_req, res) => res.sendStatus(202),
    (_req, res) => {
      res.redirect('/a');
    },
    (_req, res) => {
      later(() => res.status(201).json([name]));
    },
    (req, res) => res.format({ json: () => res.json(req.query), html: () => res.send('page') }),
  ]);
}

/** An error whose stack does not depend on the way that led to it. */
function failure(name: string, status?: number): Error {
  const error = new Error(`failed by ${name}`);
  error.stack = `stack of ${name}`;
  return status === undefined ? error : Object.assign(error, { status, headers: { 'X-Error': name } });
}

function failing(random: Random, name: string, version: number): Action {
  const list: Action[] = [
    () => {
      throw failure(name);
    },
    (_req, _res, next) => {
      next(failure(name, 418));
    },
    (_req, _res, next) => {
      later(() => {
        next(failure(name));
      });
    },
    (_req, _res, next) => {
      next('route');
    },
    (_req, _res, next) => {
      next('router');
    },
    (_req, _res, next) => {
      next('text as an error');
    },
    () => {
      throw 'thrown text';
    },
  ];
  // Express 4 leaves rejections to the process.
  if (version === 5)
    list.push(
      () => Promise.reject(failure(name)),
      () => Promise.reject(undefined as unknown as Error),
    );
  return random.pick(list);
}

function errorHandler(random: Random, { log }: StackParts, name: string): ErrorRequestHandler {
  const act = random.pick<(error: unknown, res: Response, next: NextFunction) => unknown>([
    (error, _res, next) => {
      next(error);
    },
    (_error, _res, next) => {
      next();
    },
    (error, res) => res.status(500).json({ caught: messageOf(error), by: name }),
    (_error, _res, next) => {
      next(failure(name));
    },
    () => {
      throw failure(name);
    },
    (error, res) => {
      later(() => res.status(400).send(messageOf(error)));
    },
  ]);
  // Express knows error handlers by their four parameters.
  return (error: unknown, req: Request, res: Response, next: NextFunction) => {
    log([name, messageOf(error), snapshot(req, res)]);
    return act(error, res, next);
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function paramHandler({ log }: StackParts, name: string, fails: boolean) {
  return (req: Request, res: Response, next: NextFunction, value: unknown, key: string): void => {
    log([name, key, value, snapshot(req, res)]);
    next(fails ? failure(name) : undefined);
  };
}
