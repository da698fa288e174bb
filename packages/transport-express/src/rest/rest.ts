import { getServiceOptions } from '@framework/core';
import originalExpress from 'express';
import type { RequestHandler } from 'express';
import type { AnyExpressApplication } from '../application/application-types.ts';
import { servicesStandHere } from '../application/registration-order.ts';
import { parseAuthentication, type AuthenticationSettings } from '../middleware/authentication.ts';
import type { NextFunction, Request, Response } from '../middleware-types.ts';
import { passError } from '../pass-error.ts';
import { conditionalFormatter } from '../conditional/conditional-formatter.ts';
import { formatter as jsonFormatter } from './formatter.ts';
import { ownLayer } from '../dispatch/unseen.ts';
import { callService, lookupService } from './service-middleware.ts';

/** Options of {@link rest}. */
export interface RestOptions {
  /** Sends the answer; sees `res.data`. Default: JSON. */
  formatter?: RequestHandler | null;
  /** Which authentication service parses requests, and with which strategies. Default: the default service. */
  authentication?: AuthenticationSettings;
}

/**
 * Enables the REST transport: `app.configure(rest())`.
 *
 * Register body parsers before it. Services may be registered before or after it.
 *
 * @param options a formatter `(req, res)`, or an object with options
 * @throws Error when the application is not wrapped by `express(app)`
 * @see interface 4.1, 4.3
 */
export function rest(options?: RequestHandler | RestOptions | null): (app: object) => void {
  const settings: RestOptions = typeof options === 'function' ? { formatter: options } : (options ?? {});
  const format = settings.formatter ?? jsonFormatter;
  return (app) => {
    if (!isExpressApplication(app)) {
      throw new Error('rest() needs an Express compatible application: wrap it first with express(app)');
    }
    app.use(ownLayer(parseAuthentication(settings.authentication)));
    app.use(servicesStandHere(ownLayer(dispatcher(app, format))));
  };
}

/** One middleware for all services: it looks the service up, so services can come and go. */
function dispatcher(app: AnyExpressApplication, format: RequestHandler): RequestHandler {
  const handlers = new WeakMap<object, RequestHandler>();
  const plain = withoutServiceMiddleware(callService(format, true), format);
  return (req, res, next) => {
    const found = lookupService(app, req);
    if (!found) {
      next();
      return;
    }
    req.lookup = found;
    let handler = handlers.get(found.service);
    if (!handler) {
      handler = handlerOf(found.service, format) ?? plain;
      handlers.set(found.service, handler);
    }
    void handler(req, res, next);
  };
}

/** @returns `undefined` for a service without middleware and conditions: those share one handler */
function handlerOf(service: object, format: RequestHandler): RequestHandler | undefined {
  const { express, conditional } = getServiceOptions(service) ?? {};
  const { before = [], after = [] } = express ?? {};
  if (!conditional && before.length === 0 && after.length === 0) return undefined;
  const last = conditional ? conditionalFormatter(format) : format;
  const call = callService(format, false);
  if (before.length === 0 && after.length === 0) return withoutServiceMiddleware(call, last);
  const finish: RequestHandler = (req, res, next) => {
    send(last, req, res, next);
  };
  return originalExpress.Router().use([...before, call, ...after, finish] as RequestHandler[]);
}

function withoutServiceMiddleware(call: RequestHandler, format: RequestHandler): RequestHandler {
  return (req, res, next) =>
    call(req, res, (error?: unknown) => {
      if (error !== undefined) next(error);
      else send(format, req, res, next);
    });
}

function send(format: RequestHandler, req: Request, res: Response, next: NextFunction): void {
  try {
    const pending: unknown = format(req, res, next);
    if (pending instanceof Promise) pending.catch(passError(next));
  } catch (error) {
    passError(next)(error);
  }
}

function isExpressApplication(app: object): app is AnyExpressApplication {
  const candidate = app as Partial<AnyExpressApplication>;
  return typeof app === 'function' && typeof candidate.route === 'function' && typeof candidate.lookup === 'function';
}
