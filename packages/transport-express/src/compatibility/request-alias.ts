import type { RequestHandler } from 'express';
import type { FrameworkRequest } from '../express-types.ts';

/** Frameworks whose middleware can be used as it is. The name is also what that middleware calls `req.framework`. */
export type Compatibility = 'feathers';

/**
 * Gives the requests of an application a second name for `req.framework`. It stands on the prototype of the requests, so that it is
 * there for all middleware, wherever it was registered, and costs a request nothing.
 *
 * @param app an Express application; its `request` is the prototype of its requests
 * @param compatibility whose name
 * @returns middleware that takes over what an outer application, which knows nothing of this, has set under that name
 * @throws Error for an unknown value
 */
export function addRequestAlias(app: object, compatibility: Compatibility): RequestHandler {
  const given: unknown = compatibility;
  if (given !== 'feathers') throw new Error(`Unknown 'compatibility' of rest(): '${String(given)}'. Known is 'feathers'`);
  const requests: unknown = Reflect.get(app, 'request');
  if (typeof requests !== 'object' || requests === null) throw new Error('The application has no prototype for its requests');
  Object.defineProperty(requests, compatibility, {
    configurable: true,
    get(this: { readonly framework?: FrameworkRequest }) {
      return this.framework;
    },
    set(this: { framework?: FrameworkRequest }, value: FrameworkRequest) {
      this.framework = value;
    },
  });
  return (req, _res, next) => {
    if (Object.hasOwn(req, compatibility)) {
      const outer: unknown = Reflect.get(req, compatibility);
      Reflect.deleteProperty(req, compatibility);
      req.framework = Object.assign({}, outer, req.framework);
    }
    next();
  };
}
