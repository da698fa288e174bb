import { isApplication, nestApplication } from '@framework/core';

/** The application of ours that has a request now. */
const CURRENT: unique symbol = Symbol('framework.application');

/** A request, and the application whose services it may reach. */
interface Handled {
  [CURRENT]?: object | undefined;
}

/**
 * Lets the hooks of outer applications run around the services of an application that is mounted by Express: a guard of the outer one must not be open
 * for what it hands on. `app.use('/api', inner)` is seen when it happens; where the inner one stands in a router, or is called by a middleware, its first
 * request shows it, before any service is called.
 *
 * @param app an Express application that is a service application too
 */
export function nestWhenMounted(app: object): void {
  const mounted = app as { on(event: 'mount', listener: (parent: unknown) => void): void; readonly mountpath: string | readonly string[] };
  mounted.on('mount', (parent) => {
    if (isApplication(parent)) nestApplication(parent, app, [mounted.mountpath].flat()[0] ?? '/');
  });
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
  const outer = request[CURRENT];
  request[CURRENT] = app;
  if (outer === undefined || outer === app) return done;
  nestApplication(outer, app, request.baseUrl || '/');
  if (done === undefined) return done;
  const leave = (error?: unknown): void => {
    request[CURRENT] = outer;
    done(error);
  };
  return leave as D;
}
