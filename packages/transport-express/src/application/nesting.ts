import { isApplication, isNested, nestApplication, stripSlashes, urlPath, type Application as CoreApplication } from '@framework/core';
import { routerOf, type ExpressInternals, type Layer } from '../dispatch/express-internals.ts';
import { pathOfBase, pathTexts, rememberMounts } from './reached.ts';

/** The application of ours that has a request now. */
const CURRENT: unique symbol = Symbol('framework.application');

/** What of a request's URL was taken on the way to that application; nothing is noted for an empty text. */
const BASE: unique symbol = Symbol('framework.base');

/** A request, and the application whose services it may reach. */
interface Handled {
  [CURRENT]?: object | undefined;
  [BASE]?: string | undefined;
}

/**
 * Lets the hooks of outer applications run around the services of an application that is mounted by Express: a guard of the outer one must not be open
 * for what it hands on. `app.use('/api', inner)` is seen when it happens, what stands in routers by `setup`; where a middleware calls the inner one, its first
 * request shows it, before any service is called.
 *
 * @param app an Express application that is a service application too
 */
export function nestWhenMounted(app: object): void {
  const mounted = app as { on(event: 'mount', listener: (parent: unknown) => void): void; readonly mountpath: unknown };
  rememberMounts(app);
  mounted.on('mount', (parent) => {
    if (!isApplication(parent)) return;
    const paths = pathTexts(mounted.mountpath);
    for (const path of paths) nestApplication(parent, app, path);
    const layer = routerOf(parent as ExpressInternals)?.stack.at(-1);
    const layers = paths.flatMap((path) => (layer ? [{ app, path: stripSlashes(path), layer }] : []));
    layersIn.set(parent, [...(layersIn.get(parent) ?? []), ...layers]);
  });
}

/** The layers that Express has made for applications of ours, by the application that they are mounted in. */
const layersIn = new WeakMap<object, readonly { readonly app: object; readonly path: string; readonly layer: Layer }[]>();

/**
 * Removes the service or the application of a path, so that no request gets there any more.
 *
 * @param app the core of the application
 * @param wrapped the Express application
 * @returns the service or application, or `undefined` when there was none
 * @throws Error for an application that a router or a middleware hands requests to, and for one of several paths that were mounted together
 */
export async function takeOut(app: CoreApplication, wrapped: object, path: string): Promise<object | undefined> {
  // A service has the path first, as in the core.
  const isMounted =
    typeof path === 'string' && !Object.hasOwn(app.services, stripSlashes(path).normalize() || '/') && takeOutLayers(wrapped, path);
  const removed = await app.unuse(path);
  if (typeof removed === 'function' && !isMounted)
    throw new Error(
      `'${path}' leads to its application through a router or a middleware, which goes on handing requests to it: let that one decide, or mount the application by app.use('${path}', inner)`,
    );
  return removed;
}

/** Requests that are on their way keep the stack with which they began. @returns whether there was something */
function takeOutLayers(parent: object, path: string): boolean {
  const mounted = layersIn.get(parent) ?? [];
  const gone = mounted.filter((mount) => mount.path === stripSlashes(urlPath(path)));
  const router = routerOf(parent as ExpressInternals);
  if (gone.length === 0 || router === undefined) return false;
  const together = mounted.find((mount) => !gone.includes(mount) && gone.some(({ layer }) => layer === mount.layer));
  if (together)
    throw new Error(`'${path}' and '${together.path}' were mounted by one app.use, whose requests go to both: mount each path by its own`);
  layersIn.set(
    parent,
    mounted.filter((mount) => !gone.includes(mount)),
  );
  Object.assign(router, { stack: router.stack.filter((layer) => !gone.some((mount) => mount.layer === layer)) });
  return true;
}

/**
 * Notes that an application has a request, and who had it before.
 *
 * @param app the application that gets the request
 * @param req the request
 * @param done called when the application has not answered
 * @returns what to call in place of `done`: it gives the request back to the outer application
 */
export function enterApplication<D extends ((error?: unknown) => void) | undefined>(app: object, req: object, done: D): D {
  const request: Handled & { readonly baseUrl?: string } = req;
  const { [CURRENT]: outer, [BASE]: outerBase = '' } = request;
  if (outer === app) return done;
  const base = request.baseUrl ?? '';
  if (outer !== undefined && !isNested(outer, app)) {
    const inside = base.startsWith(outerBase) ? base.slice(outerBase.length) : base;
    nestApplication(outer, app, pathOfBase(outer, inside) || '/');
  }
  request[CURRENT] = app;
  if (base !== outerBase) request[BASE] = base;
  if (done === undefined) return done;
  const leave = (error?: unknown): void => {
    request[CURRENT] = outer;
    request[BASE] = outerBase;
    done(error);
  };
  return leave as D;
}

/**
 * The path of a request as the application that has it now sees it, also in a middleware that is bound to a part of it.
 *
 * @returns still encoded
 */
export function pathInApplication(req: Handled & { readonly baseUrl: string; readonly path: string }): string {
  const { [BASE]: base = '', baseUrl, path } = req;
  return `${baseUrl.startsWith(base) ? baseUrl.slice(base.length) : baseUrl}${path}`;
}
