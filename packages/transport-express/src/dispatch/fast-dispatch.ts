import { tracingChannel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { enterApplication } from '../application/nesting.ts';
import { watchUnmapped } from '../application/unmapped.ts';
import { isExpress4, routerOf, type ExpressInternals, type RoutedRequest, type StackRouter } from './express-internals.ts';
import { isExpressOwn, rulesOf } from './known-functions.ts';
import { waitsInLine } from './line.ts';
import { setUnseen } from './unseen.ts';
import { Walk } from './walk.ts';

/** Setting that turns the fast way off: `app.disable('fast dispatch')`. */
export const FAST_DISPATCH = 'fast dispatch';

/** Express tells tools that trace of each layer; they get it from Express itself. */
const tracing = tracingChannel('express.router.request');

const BEGINS_WITH_SLASH = /^\//;

/** What asks Express's router to write down what it does. */
const DEBUGGED = /(?:^|[\s,])(?:\*|router|express)/.test(process.env.DEBUG ?? '');

/**
 * Marks requests as calls over REST, and gives the application's router a `handle` of its own that is faster: a {@link Walk} through
 * the same layers (decisions 0009). What they see and what the client gets is the same. Everything before and behind the router is
 * Express's.
 *
 * @param app an Express application, 4.18+ or 5
 */
export function addFastDispatch(app: object): void {
  const internals = app as { -readonly [M in keyof ExpressInternals]: ExpressInternals[M] };
  const settings = internals.settings as Record<string, unknown>;
  settings[FAST_DISPATCH] ??= true;
  const express = internals.handle;
  const untouched = isExpressOwn(express);
  const is4 = isExpress4(app);
  let known: StackRouter | undefined;

  const dispatch: ExpressInternals['handle'] = (req, res, done) => {
    fromRest(req);
    const left = enterApplication(app, req, done);
    watchUnmapped(app, req as IncomingMessage, res as ServerResponse);
    const router = routerOf(internals, is4);
    if (router !== known) {
      known = router;
      // One that brings a `handle` is somebody else's.
      if (router && !Object.hasOwn(router, 'handle')) addWalk(router, settings);
    }
    setUnseen(res, untouched && done === undefined);
    express.call(internals, req, res, left);
  };

  internals.handle = function handle(req, res, done) {
    // Nearly every answer has its connection already.
    const waits =
      (res as ServerResponse).socket === null &&
      waitsInLine(req as IncomingMessage, res as ServerResponse, () => {
        dispatch(req, res, done);
      });
    if (!waits) dispatch(req, res, done);
  };
}

function addWalk(router: StackRouter, settings: Readonly<Record<string, unknown>>): void {
  const walk: StackRouter['handle'] = function handle(req, res, done) {
    // Looked up each time: tools wrap what all routers inherit, also while the application runs.
    const inherited = Object.getPrototypeOf(router) as StackRouter;
    const rules = settings[FAST_DISPATCH] === false || !isPlain(req as RoutedRequest, router) ? undefined : rulesOf(inherited);
    if (rules === undefined) {
      setUnseen(res, false);
      inherited.handle.call(router, req, res, done);
    } else new Walk(rules, router, req as RoutedRequest, res, done).next();
  };
  Object.defineProperty(router, 'handle', { value: walk, writable: true, configurable: true });
}

/** @returns whether a request needs nothing that {@link Walk} leaves to Express */
function isPlain(req: RoutedRequest, router: StackRouter): boolean {
  // An automatic answer to OPTIONS lists the methods of all routes, matching or not. A URL that does not begin with a slash has a host.
  if (req.method === 'OPTIONS' || !BEGINS_WITH_SLASH.test(req.url)) return false;
  if (router.mergeParams || DEBUGGED || tracing.hasSubscribers) return false;
  for (const _name in router.params) return false;
  return true;
}

/** Services are told where a call comes from; what middleware of an outer application has set stays. */
function fromRest(req: { framework?: object }): void {
  req.framework = req.framework === undefined ? { provider: 'rest' } : Object.assign({}, req.framework, { provider: 'rest' });
}
