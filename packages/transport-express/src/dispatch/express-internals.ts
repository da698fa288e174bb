import type { IncomingMessage } from 'node:http';
import type { Request } from '../middleware-types.ts';

/** What Express calls to go on, with an error or a command (`route`, `router`). */
export type Next = (error?: unknown) => void;

/** A request with the members that Express's router keeps on it. */
export type RoutedRequest = IncomingMessage &
  Pick<Request, 'baseUrl' | 'originalUrl' | 'url'> & { next?: unknown; params?: unknown; route?: unknown };

/** What a layer found in a path. */
export interface Found {
  /** Values of the placeholders. */
  readonly params?: unknown;
  /** The part of the path that the layer took; empty for a layer at `/`. */
  readonly path?: string;
}

/** One entry of Express's stack. Express 5 and 4 name the methods differently; before router 2.3 what was found stands on the layer. */
export interface Layer extends Found {
  readonly handle: object;
  /** Set for routes, such as those of `app.get(path, …)`. */
  readonly route?: Route;
  /** @throws for bad percent-encoding */
  match(path: string): boolean | Found;
  readonly handleRequest?: (req: object, res: object, next: Next) => void;
  readonly handleError?: (error: unknown, req: object, res: object, next: Next) => void;
  readonly handle_request?: (req: object, res: object, next: Next) => void;
  readonly handle_error?: (error: unknown, req: object, res: object, next: Next) => void;
}

/** A route of Express. */
export interface Route {
  _handlesMethod?(method: string | undefined): boolean;
  _handles_method?(method: string | undefined): boolean;
}

/** A router of Express. */
export interface StackRouter {
  readonly stack: readonly Layer[];
  /** Handlers of `app.param`, by name. */
  readonly params: object;
  readonly mergeParams?: boolean;
  readonly handle: (req: object, res: object, done: Next) => void;
  /** Express 4. */
  readonly process_params?: (...args: unknown[]) => void;
}

/** The members of an Express application that the fast way works with; no version documents them, all have had them for years. */
export interface ExpressInternals {
  readonly request: object;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Express 4 makes its router with the first layer; Express 5 has `router`. */
  readonly _router?: StackRouter;
  readonly router?: StackRouter;
  readonly handle: (req: object, res: object, done?: Next) => void;
}

/** Tells Express 4 from 5. */
export function isExpress4(app: object): boolean {
  return 'lazyrouter' in app;
}

/**
 * The router of an application; `undefined` while an application of Express 4 has no layer.
 *
 * @param is4 whether it is of Express 4, for who knows
 */
export function routerOf(app: ExpressInternals, is4: boolean = isExpress4(app)): StackRouter | undefined {
  // Express 4 throws when its `router` is read.
  return is4 ? app._router : app.router;
}

/** Lets a layer handle a request, by its own method, which others may have wrapped. */
export function callLayer(layer: Layer, req: object, res: object, next: Next): void {
  if (layer.handleRequest) layer.handleRequest(req, res, next);
  else layer.handle_request?.(req, res, next);
}

/** Lets a layer handle an error. */
export function callErrorLayer(layer: Layer, error: unknown, req: object, res: object, next: Next): void {
  if (layer.handleError) layer.handleError(error, req, res, next);
  else layer.handle_error?.(error, req, res, next);
}

/** @returns whether a route takes a request; one without handlers for HEAD leaves it to those for GET, or to nobody */
export function routeTakes(route: Route, method: string | undefined): boolean {
  const handles = route._handlesMethod ? route._handlesMethod(method) : route._handles_method?.(method);
  return handles === true || method === 'HEAD';
}
