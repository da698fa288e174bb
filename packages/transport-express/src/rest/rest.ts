import {
  checkOptionNames,
  describeTransport,
  getServiceOptions,
  isThenable,
  settingUp,
  type NormalizedServiceOptions,
} from '@framework/core';
import { unavailable } from '@framework/errors';
import originalExpress from 'express';
import type { RequestHandler } from 'express';
import { makeAnswer, NOTHING } from '../answer/answer.ts';
import { COMMON_HEADERS } from '../answer/header-policy.ts';
import { write } from '../answer/write.ts';
import type { AnyExpressApplication } from '../application/application-types.ts';
import { servicesStandHere } from '../application/registration-order.ts';
import { answersServices } from '../application/unmapped.ts';
import { addRequestAlias, type Compatibility } from '../compatibility/request-alias.ts';
import { parseAuthentication, type AuthenticationSettings } from '../middleware/authentication.ts';
import type { Middleware, NextFunction, Request, Response } from '../middleware-types.ts';
import { passError } from '../pass-error.ts';
import { nameRoute } from '../tracing/service-route.ts';
import { isExpress4 } from '../dispatch/express-internals.ts';
import { ownLayer } from '../dispatch/unseen.ts';
import { conditionalFormatter } from './conditional-formatter.ts';
import { droppingResult } from './drop-result.ts';
import { formatter as jsonFormatter } from './formatter.ts';
import { methodLookup } from './method-path.ts';
import { ownRejections } from './own-rejections.ts';
import { callService, lookupService } from './service-middleware.ts';
import { tidyUrl } from './tidy-path.ts';

/** Options of {@link rest}. */
export interface RestOptions {
  /** Sends the answer; sees `res.data`. Default: JSON. */
  formatter?: RequestHandler | null;
  /** Which authentication service parses requests, and with which strategies. Default: the default service. */
  authentication?: AuthenticationSettings;
  /** `feathers`: middleware finds `req.framework` as `req.feathers` too, the same object. Default: it does not. */
  compatibility?: Compatibility;
  /**
   * Whether custom methods have paths of their own: `POST /<service>/<method>`, beside `POST /<service>` with the header `X-Service-Method`.
   * Default: `false`; a POST on a record is 405.
   */
  methodPaths?: boolean;
}

const OPTIONS: ReadonlySet<string> = new Set([
  'formatter',
  'authentication',
  'compatibility',
  'methodPaths',
] satisfies (keyof RestOptions)[]);

/**
 * Enables the REST transport: `app.configure(rest())`.
 *
 * Register body parsers before it. Services may be registered before or after it.
 *
 * @param options a formatter `(req, res)`, or an object with options
 * @throws Error when the application is not wrapped by `express(app)`, or for an unknown `compatibility`
 * @throws TypeError for an option that there is not, for `methodPaths` that is neither true nor false, and a `formatter` that is no function
 * @see interface 4.1, 4.3
 */
export function rest(options?: RequestHandler | RestOptions | null): (app: object) => void {
  const settings: RestOptions = typeof options === 'function' ? { formatter: options } : (options ?? {});
  checkOptionNames('rest()', settings, OPTIONS);
  const format = settings.formatter ?? jsonFormatter;
  const { methodPaths = false } = settings;
  if (typeof methodPaths !== 'boolean')
    throw new TypeError(`The option 'methodPaths' of rest() is true or false, and not ${typeof methodPaths}`);
  if (typeof format !== 'function')
    throw new TypeError("The option 'formatter' of rest() is middleware, (req, res) => …, that sends res.data");
  return (app) => {
    if (!isExpressApplication(app)) {
      throw new Error('rest() needs an Express compatible application: wrap it first with express(app)');
    }
    if (settings.compatibility !== undefined) app.use(ownLayer(addRequestAlias(app, settings.compatibility)));
    app.use(ownLayer(parseAuthentication(settings.authentication)));
    describeTransport(app, { methodPaths });
    answersServices(app);
    app.use(servicesStandHere(ownLayer(dispatcher(app, format, methodPaths))));
  };
}

/** One middleware for all services: it looks the service up, so services can come and go. */
function dispatcher(app: AnyExpressApplication, format: RequestHandler, methodPaths: boolean): RequestHandler {
  const handlers = new WeakMap<object, RequestHandler>();
  const onlyJson = format === jsonFormatter;
  const own = isExpress4(app) ? ownRejections : (middleware: Middleware) => middleware;
  const plain = onlyJson ? callService({ onlyJson, last: true }) : withFormatter(callService({ onlyJson, last: false }), format);
  return (req, res, next) => {
    const named = lookupService(app, req);
    if (!named) {
      next();
      return;
    }
    const tidy = tidyUrl(req);
    if (tidy !== undefined) {
      write(makeAnswer(308, [...COMMON_HEADERS, { name: 'Location', value: tidy, rule: 'set' }], NOTHING), req, res, next);
      return;
    }
    const found = methodPaths ? methodLookup(named, req) : named;
    req.lookup = found;
    nameRoute(req, found);
    // By its registration: an instance that is taken out and registered again may have other middleware.
    const options = getServiceOptions(found.service) as NormalizedServiceOptions;
    let handler = handlers.get(options);
    if (!handler) {
      handler = handlerOf(options, format, own) ?? plain;
      handlers.set(options, handler);
    }
    const starting = settingUp(app);
    if (starting) callBehind(starting, handler, [req, res, next]);
    else void handler(req, res, next);
  };
}

/** Longest that a call waits for its services to be set up, in milliseconds: about as long as those who wait for its answer do. */
const LONGEST_WAIT = 30_000;

/** An application listens before its services are set up: what comes meanwhile waits. */
function callBehind(starting: Promise<unknown>, handler: RequestHandler, [req, res, next]: Parameters<RequestHandler>): void {
  let isRefused = false;
  const refuse = (message: string): void => {
    if (!isRefused) next(unavailable(message));
    isRefused = true;
  };
  const late = setTimeout(refuse, LONGEST_WAIT, 'The application is still being set up');
  const begin = (): unknown => (isRefused ? undefined : handler(req, res, next));
  starting
    .finally(() => {
      clearTimeout(late);
    })
    .then(begin, () => {
      refuse('The application could not be set up');
    })
    .catch(passError(next));
}

/** @returns `undefined` for a service without middleware and conditions: those share one handler */
function handlerOf(
  { express, conditional }: NormalizedServiceOptions,
  format: RequestHandler,
  own: (middleware: Middleware) => Middleware,
): RequestHandler | undefined {
  const { before = [], after = [] } = express ?? {};
  if (!conditional && before.length === 0 && after.length === 0) return undefined;
  const last = conditional ? conditionalFormatter(format) : format;
  // Middleware behind the service may give the answer a form of its own.
  const call = callService({ onlyJson: format === jsonFormatter && after.length === 0, last: false });
  if (before.length === 0 && after.length === 0) return withFormatter(call, last);
  const finish: RequestHandler = (req, res, next) => {
    send(last, req, res, next);
  };
  const handlers: readonly Middleware[] = [...before.map(own), call, ...after.map(own), finish];
  const router = originalExpress.Router().use(...(handlers as readonly RequestHandler[]));
  return (req, res, next) => {
    router(req, res, droppingResult(res, next));
  };
}

function withFormatter(call: RequestHandler, format: RequestHandler): RequestHandler {
  return (req, res, next) =>
    call(req, res, (error?: unknown) => {
      if (error !== undefined) next(error);
      else send(format, req, res, next);
    });
}

function send(format: RequestHandler, req: Request, res: Response, next: NextFunction): void {
  const failed = passError(droppingResult(res, next));
  try {
    const pending: unknown = format(req, res, next);
    // Formatters may be asynchronous, whatever kind of promise they give.
    if (isThenable(pending)) pending.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

function isExpressApplication(app: object): app is AnyExpressApplication {
  const candidate = app as Partial<AnyExpressApplication>;
  return typeof app === 'function' && typeof candidate.route === 'function' && typeof candidate.lookup === 'function';
}
