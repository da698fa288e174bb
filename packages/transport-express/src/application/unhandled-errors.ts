import type net from 'node:net';
import { routerOf, type ExpressInternals } from '../dispatch/express-internals.ts';
import type { AnyExpressApplication } from './application-types.ts';
import { answersServicesHere } from './registration-order.ts';

/** Parameters by which Express knows a middleware for errors. */
const OF_ERROR_HANDLERS = 4;

const told = new WeakSet<object>();

/**
 * Looks, when an application is put together, whether anything takes the errors of its services: Express itself answers them as HTML. Nothing is
 * said where they may go elsewhere: to the application that this one is mounted in, or to whoever calls it for a server of their own.
 *
 * @param app an application that starts
 * @param server its server, before others have put themselves in front of it
 */
export function watchUnhandledErrors(app: AnyExpressApplication, server: net.Server): void {
  if (told.has(app) || !server.listeners('request').some((listener) => listener === app)) return;
  // What is added at once behind the start is still in time.
  setImmediate(() => {
    if (Object.keys(app.services).length === 0 || handlesErrors(app)) return;
    told.add(app);
    process.emitWarning(
      "No error handler stands behind app.configure(rest()): Express answers the errors of services as HTML, with the stack unless NODE_ENV is 'production'. " +
        'Add app.use(errorHandler()) behind all services and middleware, or middleware for errors of your own (four parameters)',
      { code: 'NO_ERROR_HANDLER' },
    );
  });
}

/** Whether services are not reached here at all, or their errors go on to somebody. */
function handlesErrors(app: object): boolean {
  // Mounted applications hand errors on.
  if (Reflect.get(app, 'parent') !== undefined) return true;
  const { stack = [] } = routerOf(app as ExpressInternals) ?? {};
  const services = stack.findIndex(({ handle }) => answersServicesHere(handle));
  return services < 0 || stack.slice(services).some(({ handle }) => 'length' in handle && handle.length === OF_ERROR_HANDLERS);
}
