import {
  addCallSignal,
  createContext,
  getServiceOptions,
  type HookContext,
  type NormalizedServiceOptions,
  type ServiceLookup,
} from '@framework/core';
import { FrameworkError, isFrameworkError, MethodNotAllowed } from '@framework/errors';
import type { RequestHandler } from 'express';
import { makeAnswer, NOTHING } from '../answer/answer.ts';
import { answerOf } from '../answer/answer-of-call.ts';
import { barePath } from '../answer/location.ts';
import { show } from '../answer/show.ts';
import { write } from '../answer/write.ts';
import { CONNECTION_HEADER, namedConnection } from '../connection-port.ts';
import { KEY_HEADER, REQUEST_PATH } from '../idempotency/request-path.ts';
import { givenCredentials } from '../middleware/authentication.ts';
import type { Request, Response } from '../middleware-types.ts';
import { passError } from '../pass-error.ts';
import { readableQuery } from '../refused-query.ts';
import { ClientSignal } from '../tracing/client-signal.ts';
import { dropResult } from './drop-result.ts';
import { refuseOtherForms } from './formatter.ts';
import type { MethodLookup } from './method-path.ts';
import { preconditionOf } from './precondition.ts';
import { checkId } from './record-id.ts';
import { requestData } from './request-data.ts';
import { allowHeader, METHOD_HEADER, serviceMethod } from './service-method.ts';
import { withUnseenVersion } from './unseen-version.ts';

/** Longest URL that a service answers, in bytes (security S12). */
export const URL_LIMIT = 8192;

/**
 * Finds the service of a request and puts it on `req.lookup`.
 *
 * @returns the match, or `null` when no service has this path
 * @throws BadRequest (400) for bad percent-encoding, FrameworkError (414) for a URL that is too long
 */
export function lookupService(app: { lookup(path: string): ServiceLookup | null }, req: Request): ServiceLookup | null {
  if (req.url.length > URL_LIMIT) {
    throw new FrameworkError(`The URL is longer than ${String(URL_LIMIT)} bytes`, 'UriTooLong', 414, 'uri-too-long');
  }
  return app.lookup(req.path);
}

/** What comes behind a service call. */
export interface CallOptions {
  /** Whether the default formatter is the only one that gives the answer its form: a client that takes no JSON is then refused before the call. */
  readonly onlyJson: boolean;
  /** Whether nothing but the default formatter follows, so that the answer is sent at once. */
  readonly last: boolean;
}

/**
 * Middleware that calls the service on `req.lookup` and sends the answer, or leaves it where service middleware and formatters find it:
 * in `res.data`, `res.hook`, `res.statusCode` and headers (interface 4.1).
 */
export function callService({ onlyJson, last }: CallOptions): RequestHandler {
  return (req, res, next) => {
    const failed = (thrown: unknown): void => {
      dropResult(res);
      passError(next)(thrown);
    };
    let pending: Promise<unknown> | undefined;
    try {
      pending = startCall(req, res, onlyJson);
    } catch (error) {
      failed(error);
      return;
    }
    pending?.then(
      () => {
        try {
          const answer = answerOf({ context: res.hook as HookContext, url: req.originalUrl, conditional: isConditional(req) });
          // Someone else may have answered, for example because it took too long.
          if (last || res.headersSent) {
            write(answer, req, res, next);
            return;
          }
          show(answer, res);
        } catch (error) {
          failed(error);
          return;
        }
        next();
      },
      (error: unknown) => {
        failed(toldError(error, req, res));
      },
    );
  };
}

/** @returns the error for the caller. What hooks have left of the call may be anything, and a fault in looking at it would leave the caller without an answer */
function toldError(error: unknown, req: Request, res: Response): unknown {
  try {
    tellAllowed(error, req, res);
    return res.hook === undefined ? error : withUnseenVersion(error, res.hook);
  } catch {
    return error;
  }
}

/** A service that does not write to several records at once says so itself; what the path takes is told here (RFC 9110, 15.5.6). */
function tellAllowed(error: unknown, req: Request, res: Response): void {
  if (!isFrameworkError(error) || error.code !== 405 || res.headersSent || res.hasHeader('Allow')) return;
  const { service, params, takesMethod } = lookupOf(req);
  const hasId = params.__id !== undefined;
  const allowed = allowHeader(hasId, getServiceOptions(service) as NormalizedServiceOptions, takesMethod);
  // A list that is not taken is no method that is not.
  const isRefused = !hasId && (req.method === 'PATCH' || req.method === 'DELETE');
  res.setHeader('Allow', isRefused ? allowed.replace(`${req.method}, `, '') : allowed);
}

function lookupOf(req: Request): MethodLookup {
  return req.lookup as MethodLookup;
}

function isConditional(req: Request): boolean {
  return Boolean(getServiceOptions(lookupOf(req).service)?.conditional);
}

/** @returns `undefined` when the request only asked what is possible, and has its answer */
function startCall(req: Request, res: Response, onlyJson: boolean): Promise<unknown> | undefined {
  const { service, params: found } = lookupOf(req);
  const id = found.__id;
  const options = getServiceOptions(service) as NormalizedServiceOptions;
  const method = chooseMethod(req, res, id !== undefined, options);
  if (method === undefined) return undefined;
  // Middleware in front may have said that the answer is of another type.
  if (onlyJson && !res.hasHeader('Content-Type')) refuseOtherForms(req, res);

  const context = createContext(service, method);
  const args = callArguments(req, method, id, callParams(req, res, service, method, found, options));
  args.push(context);
  res.hook = context;
  const call: unknown = Reflect.get(service, method);
  if (typeof call !== 'function') throw new MethodNotAllowed(`Method \`${method}\` is not supported by this endpoint.`);
  // Methods that someone has replaced on the service may give any value.
  const result: unknown = Reflect.apply(call, service, args);
  return result instanceof Promise ? result : Promise.resolve(result);
}

function chooseMethod(req: Request, res: Response, hasId: boolean, options: NormalizedServiceOptions): string | undefined {
  const { method: named, takesMethod } = lookupOf(req);
  const isBelow = hasId || named !== undefined;
  try {
    const header = req.headers[METHOD_HEADER];
    if (named !== undefined && header !== undefined && header !== named)
      throw new MethodNotAllowed('The path and the header X-Service-Method name different methods: leave the header out');
    const custom = named ?? header;
    const choice = serviceMethod(req.method, hasId, typeof custom === 'string' ? custom : undefined, options);
    if (choice.kind === 'call') return choice.method;
    res.setHeader('Allow', allowHeader(isBelow, options, takesMethod));
    write(makeAnswer(204, [], NOTHING), req, res, () => undefined);
    return undefined;
  } catch (error) {
    // Error handlers of the application read the status from the response.
    res.statusCode = 405;
    res.setHeader('Allow', allowHeader(isBelow, options, takesMethod));
    throw error;
  }
}

function callParams(
  req: Request,
  res: Response,
  service: object,
  method: string,
  found: Readonly<Record<string, string>>,
  options: NormalizedServiceOptions,
): object {
  const params: Record<PropertyKey, unknown> = { query: readableQuery(req.query), headers: req.headers, route: routeOf(found) };
  const authentication = givenCredentials(req);
  if (authentication !== undefined) params.authentication = authentication;
  const address = addressFor(service, req);
  if (address !== undefined) params.address = address;
  const precondition = preconditionOf(req, method, found.__id !== undefined, options);
  if (precondition !== undefined) params.precondition = precondition;
  params.provider = 'rest';
  if (req.headers[KEY_HEADER] !== undefined) params[REQUEST_PATH] = barePath(req.originalUrl);
  const connectionId = req.headers[CONNECTION_HEADER];
  const connection = connectionId === undefined ? undefined : namedConnection(req.app, connectionId);
  if (connection !== undefined) params.connection = connection;
  addCallSignal(params, new ClientSignal(req, res));
  return Object.assign(params, req.framework);
}

/** The values of a path's placeholders without the record's id. */
function routeOf(found: Readonly<Record<string, string>>): Record<string, string> {
  const route: Record<string, string> = {};
  for (const name in found) if (name !== '__id') route[name] = found[name] ?? '';
  return route;
}

function callArguments(req: Request, method: string, id: string | undefined, params: object): unknown[] {
  switch (method) {
    case 'find':
      return [params];
    case 'get':
      return [checkId(id), params];
    case 'remove':
      return [id === undefined ? null : checkId(id), params];
    case 'update':
    case 'patch':
      return [id === undefined ? null : checkId(id), requestData(req), params];
    default:
      return [requestData(req), params];
  }
}

/**
 * The network address of the client, for services that ask for it with `clientAddress: true`; behind a proxy, as Express's
 * setting `trust proxy` says (security S24).
 */
function addressFor(service: object, req: Request): string | undefined {
  return 'clientAddress' in service && service.clientAddress === true ? req.ip : undefined;
}
