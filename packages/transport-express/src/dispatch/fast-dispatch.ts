import { tracingChannel } from 'node:diagnostics_channel';
import {
  expressVersion,
  type ExpressInternals,
  type Next,
  type RoutedRequest,
  type RoutedResponse,
  type StackRouter,
} from './express-internals.ts';
import { Walk } from './walk.ts';

/** Setting that turns the fast way off: `app.disable('fast dispatch')`. */
export const FAST_DISPATCH = 'fast dispatch';

/**
 * Gives an application a `handle` of its own. It marks requests as calls over REST, and is faster: layers without a path, as most
 * stand in front of services, are called without Express's router (decisions 0009). What they see and what the client gets is the same.
 *
 * @param app an Express application, 4.18+ or 5
 */
export function addFastDispatch(app: object): void {
  const internals = app as { -readonly [M in keyof ExpressInternals]: ExpressInternals[M] };
  const settings = internals.settings as Record<string, unknown>;
  settings[FAST_DISPATCH] ??= true;
  const version = expressVersion(internals);
  const express = internals.handle;
  const finalHandler = finalHandlerOf(internals, express);
  // Express tells tools that trace of each layer; they get it from Express itself.
  const tracing = tracingChannel('express.router.request');

  internals.handle = function handle(req, res, done) {
    fromRest(req);
    const router = version.router(internals);
    // An automatic answer to OPTIONS lists the methods of all routes, matching or not.
    if (!router || settings[FAST_DISPATCH] === false || (req as RoutedRequest).method === 'OPTIONS' || tracing.hasSubscribers) {
      express.call(internals, req, res, done);
      return;
    }
    walk(req as RoutedRequest, res as RoutedResponse, router, done);
  };

  function walk(req: RoutedRequest, res: RoutedResponse, router: StackRouter, done: Next | undefined): void {
    version.prepare(internals, req, res);
    const { next, params } = req;
    const baseUrl: string | undefined = req.baseUrl;
    const way = new Walk(version, router, req, res, done === undefined, (error) => {
      req.baseUrl = baseUrl;
      req.next = next;
      req.params = params;
      if (done) done(error);
      else finalHandler(req, res)(error);
    });
    req.next = way.next;
    req.baseUrl = baseUrl || '';
    req.originalUrl = req.originalUrl || req.url;
    way.next();
  }
}

/** Services are told where a call comes from; what middleware of an outer application has set stays. */
function fromRest(req: { framework?: object }): void {
  req.framework = req.framework === undefined ? { provider: 'rest' } : Object.assign({}, req.framework, { provider: 'rest' });
}

/** @returns a function that gives Express's own last handler for a request, which answers 404 and errors */
function finalHandlerOf(app: ExpressInternals, express: ExpressInternals['handle']): (req: object, res: object) => Next {
  let caught: Next = () => undefined;
  const router = {
    handle(_req: object, _res: object, done: Next): void {
      caught = done;
    },
  };
  const standIn = Object.create(app, {
    router: { value: router },
    _router: { value: router },
    // Middleware may have taken the header out again.
    enabled: { value: () => false },
  }) as ExpressInternals;
  return (req, res) => {
    express.call(standIn, req, res);
    return caught;
  };
}
