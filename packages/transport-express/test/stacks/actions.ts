import type { NextFunction, Request, Response } from 'express';
import type { Random } from '@framework-internal/testing';
import type { StackParts } from './build-stack.ts';

/** Steps after which a handler ends with an answer, or goes on. */
export type Action = (req: Request, res: Response, next: NextFunction) => unknown;

/** Turns of the event loop: what is late comes when the rest of a stack has long been through, or has answered. */
const LATE = 150;
/** A layer that never answers gives up, so that each request ends. */
const NEVER = 500;

/** @returns what a middleware or a handler of a route does, the same for all sides */
export function handlerAction(random: Random, parts: StackParts, name: string): Action {
  const kind = random.below(49);
  parts.shape.push(String(Math.floor(kind / 7)));
  if (kind < 7) return ending(random, parts, name);
  if (kind < 14) return failing(random, parts, name);
  if (random.oneIn(4)) return insisting(random, parts, name);
  const change = changing(random, parts, name);
  const on = goingOn(random, parts, name);
  return (req, res, next) => {
    change?.(req, res, next);
    return on(req, res, next);
  };
}

/** @returns what an error handler does */
export function errorAction(
  random: Random,
  parts: StackParts,
  name: string,
): (error: unknown, res: Response, next: NextFunction) => unknown {
  return random.pick<(error: unknown, res: Response, next: NextFunction) => unknown>([
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
      later(parts, name, 1, () => res.status(400).send(messageOf(error)));
    },
    (error, _res, next) => {
      parts.happenings.note('next twice in an error handler');
      next();
      next(error);
    },
  ]);
}

/** An error whose stack does not depend on the way that led to it. */
export function failure(name: string, status?: number): Error {
  const error = new Error(`failed by ${name}`);
  error.stack = `stack of ${name}`;
  return status === undefined ? error : Object.assign(error, { status, headers: { 'X-Error': name } });
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as { code?: string }).code ?? error.message;
}

/** What is thrown outside of a layer would end the process, on all sides. */
function later({ happenings, log }: StackParts, name: string, turns: number, run: () => void): void {
  happenings.after(turns, run, (error) => {
    log([name, 'thrown later', messageOf(error)]);
  });
}

/** Node reports what is written behind the end by an event that nobody here listens for. */
function raw(res: Response, write: () => void): void {
  if (res.writableEnded) throw new Error('written behind the end');
  write();
}

function goingOn(random: Random, parts: StackParts, name: string): Action {
  return random.pick<Action>([
    (_req, _res, next) => {
      next();
    },
    (_req, _res, next) => {
      later(parts, name, 1, next);
    },
    (_req, _res, next) => Promise.resolve().then(next),
  ]);
}

function changing(random: Random, { happenings, leaves }: StackParts, name: string): Action | undefined {
  // Without a path nobody but the one behind the application is asked.
  const [none, onlyQuery] = leaves ? ['', '?q=1'] : ['/', '/?q=1'];
  const url = random.pick(['/a/b?rewritten=1', '/items/9', '/', none, onlyQuery, 'a/b', '//a', 'http://other.example/a?x=1', '/%zz']);
  const method = random.pick(['GET', 'OPTIONS', 'POST', 'HEAD', 'PURGE']);
  const noted =
    (feature: string, change: Action): Action =>
    (req, res, next) => {
      happenings.note(feature);
      change(req, res, next);
    };
  return random.pick<Action | undefined>([
    undefined,
    undefined,
    undefined,
    undefined,
    (_req, res) => res.headersSent || res.setHeader('X-Set', name),
    (_req, res) => (res.locals[name] = true),
    (req) => (req.params = { ...req.params, added: name }),
    noted('changed url', (req) => (req.url = url)),
    noted('changed url', (req) => (req.url = url)),
    (_req, res) => res.headersSent || res.vary(name.replace('#', 'X-')),
    (_req, res) => res.status(203),
    noted('changed method', (req) => (req.method = method)),
    noted('changed method', (req) => (req.method = method)),
    noted('changed base', (req) => (req.baseUrl = '/set')),
    noted('changed base', (req) => (req.originalUrl = '/original?set=1')),
    (req) => (req.next = undefined),
    (_req, res) => {
      if (!res.headersSent) res.removeHeader('X-Powered-By');
    },
    (req) => (req.body = { by: name }),
  ]);
}

function ending(random: Random, parts: StackParts, name: string): Action {
  const { happenings } = parts;
  return random.pick<Action>([
    (_req, res) => res.json({ by: name }),
    (_req, res) => res.send(`<p>${name}</p>`),
    (_req, res) => {
      raw(res, () => res.end(name));
    },
    (_req, res) => res.sendStatus(202),
    (_req, res) => {
      res.redirect('/a');
    },
    (_req, res) => {
      later(parts, name, 1, () => res.status(201).json([name]));
    },
    (req, res) => res.format({ json: () => res.json(req.query), html: () => res.send('page') }),
    (_req, res) => {
      happenings.note('no answer');
      later(parts, name, NEVER, () => res.headersSent || res.status(504).end(name));
    },
    (_req, res) => {
      raw(res, () => res.write(name));
      later(parts, name, 1, () => {
        raw(res, () => res.end('.'));
      });
    },
  ]);
}

function failing(random: Random, parts: StackParts, name: string): Action {
  const list: Action[] = [
    () => {
      throw failure(name);
    },
    (_req, _res, next) => {
      next(failure(name, 418));
    },
    (_req, _res, next) => {
      later(parts, name, 1, () => {
        next(failure(name));
      });
    },
    (_req, _res, next) => {
      next('route');
    },
    (_req, _res, next) => {
      next(parts.leaves ? 'router' : 'route');
    },
    (_req, _res, next) => {
      next('text as an error');
    },
    () => {
      throw 'thrown text';
    },
  ];
  // Express 4 leaves rejections to the process.
  if (parts.version === 5)
    list.push(
      () => Promise.reject(failure(name)),
      () => Promise.reject(undefined as unknown as Error),
    );
  return random.pick(list);
}

/** Goes on, and then once more. */
function insisting(random: Random, parts: StackParts, name: string): Action {
  const { happenings } = parts;
  const again: readonly [string, Action][] = [
    ['next twice', (_req, _res, next) => (next(), next())],
    ['error after next', (_req, _res, next) => (next(), next(failure(name)))],
    ['route after next', (_req, _res, next) => (next(), next('route'))],
    ['router after next', (_req, _res, next) => (next(), next(parts.leaves ? 'router' : 'route'))],
    [
      'throw after next',
      (_req, _res, next) => {
        next();
        throw failure(name);
      },
    ],
    [
      'late next',
      (_req, _res, next) => {
        later(parts, name, LATE, next);
        next();
      },
    ],
    [
      'late error',
      (_req, res, next) => {
        later(parts, name, LATE, () => {
          if (!res.headersSent) next(failure(name, 503));
        });
        next();
      },
    ],
    [
      'late router',
      (_req, _res, next) => {
        later(parts, name, LATE, () => {
          next(parts.leaves ? 'router' : 'route');
        });
        next();
      },
    ],
    [
      'error at the end',
      (_req, res, next) => {
        res.once('close', () => {
          next(failure(name));
        });
        next();
      },
    ],
    [
      'req.next later',
      (req, _res, next) => {
        later(parts, name, LATE, () => {
          req.next?.(failure(name));
        });
        next();
      },
    ],
    ...(parts.version === 5
      ? ([
          [
            'reject after next',
            async (_req, _res, next) => {
              next();
              await Promise.resolve();
              throw failure(name);
            },
          ],
        ] satisfies [string, Action][])
      : []),
  ];
  const [feature, act] = random.pick(again);
  parts.shape.push(feature);
  return (req, res, next) => {
    happenings.note(feature);
    return act(req, res, next);
  };
}
