import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from '../middleware-types.ts';

/** What Express calls to go on, with an error or a command (`route`, `router`). */
export type Next = (error?: unknown) => void;

/** A request with the members that Express's router keeps on it. */
export type RoutedRequest = IncomingMessage &
  Pick<Request, 'baseUrl' | 'originalUrl' | 'url'> & { res?: unknown; next?: unknown; params?: unknown };

/** A response with the members that Express's application keeps on it. */
export type RoutedResponse = ServerResponse & { locals?: unknown };

/** One entry of Express's stack; 5 and 4 name the methods differently. */
export interface Layer {
  readonly handle: object;
  /** Set for routes, such as those of `app.get(path, …)`. */
  readonly route?: unknown;
  /** Express 5: stands at `/` and takes every path. */
  readonly slash?: boolean;
  /** Express 4 keeps the same here. */
  readonly regexp?: { readonly fast_slash?: boolean };
  /** @throws for bad percent-encoding */
  match(path: string): unknown;
  handleRequest?(req: object, res: object, next: Next): void;
  handleError?(error: unknown, req: object, res: object, next: Next): void;
  handle_request?(req: object, res: object, next: Next): void;
  handle_error?(error: unknown, req: object, res: object, next: Next): void;
}

/** A router of Express. */
export interface StackRouter {
  readonly stack: Layer[];
  use(handler: (req: object, res: object, next: Next) => void): void;
  handle(req: object, res: object, done: Next): void;
}

/** The members of an Express application that {@link Walk} works with; neither version documents them, both have had them for years. */
export interface ExpressInternals {
  readonly request: object;
  readonly response: object;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Express 4 makes its router with the first layer; Express 5 has `router`. */
  readonly _router?: StackRouter;
  readonly router: StackRouter;
  enabled(setting: string): boolean;
  handle(req: object, res: object, done?: Next): void;
  readonly lazyrouter?: unknown;
}

/** Express 5 and 4, as far as they differ. */
export interface ExpressVersion {
  router(app: ExpressInternals): StackRouter | undefined;
  /** Does what the application does before its router. */
  prepare(app: ExpressInternals, req: RoutedRequest, res: RoutedResponse): void;
  takesAll(layer: Layer): boolean;
  handleRequest(layer: Layer, req: object, res: object, next: Next): void;
  handleError(layer: Layer, error: unknown, req: object, res: object, next: Next): void;
}

const express5: ExpressVersion = {
  router: (app) => app.router,
  prepare(app, req, res) {
    if (app.enabled('x-powered-by')) res.setHeader('X-Powered-By', 'Express');
    req.res = res;
    (res as { req: unknown }).req = req;
    if (Object.getPrototypeOf(req) !== app.request) Object.setPrototypeOf(req, app.request);
    if (Object.getPrototypeOf(res) !== app.response) Object.setPrototypeOf(res, app.response);
    if (!res.locals) res.locals = Object.create(null) as object;
  },
  takesAll: (layer) => layer.slash === true,
  handleRequest: (layer, req, res, next) => layer.handleRequest?.(req, res, next),
  handleError: (layer, error, req, res, next) => layer.handleError?.(error, req, res, next),
};

/** Its first two layers prepare the request. */
const express4: ExpressVersion = {
  router: (app) => app._router,
  prepare: () => undefined,
  takesAll: (layer) => layer.regexp?.fast_slash === true,
  handleRequest: (layer, req, res, next) => layer.handle_request?.(req, res, next),
  handleError: (layer, error, req, res, next) => layer.handle_error?.(error, req, res, next),
};

/** @returns how the application's version of Express works */
export function expressVersion(app: ExpressInternals): ExpressVersion {
  return typeof app.lazyrouter === 'function' ? express4 : express5;
}
