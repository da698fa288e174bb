import { createContext, getServiceOptions, type HookContext, type NormalizedServiceOptions, type ServiceLookup } from '@framework/core';
import { BadRequest, FrameworkError, NotAcceptable } from '@framework/errors';
import type { RequestHandler } from 'express';
import type { Request, Response } from '../middleware-types.ts';
import { preconditionOf } from '../conditional/precondition.ts';
import { answerDirectly, leaveAnswer } from './answer.ts';
import { acceptsJson, formatter } from './formatter.ts';
import { passError } from '../pass-error.ts';
import { readableQuery } from '../refused-query.ts';
import { checkId } from './record-id.ts';
import { requestData } from './request-data.ts';
import { allowHeader, METHOD_HEADER, serviceMethod } from './service-method.ts';

/** Longest URL that a service answers, in bytes (security S12). */
export const URL_LIMIT = 8192;

/**
 * Finds the service of a request and puts it on `req.lookup`.
 *
 * @returns the match, or `undefined` when no service has this path
 * @throws BadRequest (400) for bad percent-encoding, FrameworkError (414) for a URL that is too long
 */
export function lookupService(app: { lookup(path: string): ServiceLookup | undefined }, req: Request): ServiceLookup | undefined {
  if (req.url.length > URL_LIMIT) {
    throw new FrameworkError(`The URL is longer than ${String(URL_LIMIT)} bytes`, 'UriTooLong', 414, 'uri-too-long');
  }
  try {
    return app.lookup(req.path);
  } catch (error) {
    if (error instanceof URIError) throw new BadRequest('The path has bad percent-encoding');
    throw error;
  }
}

/**
 * Middleware that calls the service on `req.lookup` and leaves the answer in `res.data`, `res.statusCode` and headers.
 *
 * @param format the formatter that follows; with the default one a client that takes no JSON is refused before the call
 * @param last whether nothing but the formatter follows; an answer that nobody else can see or change is then sent at once
 */
export function callService(format: RequestHandler, last: boolean): RequestHandler {
  const onlyJson = format === formatter;
  const direct = last && onlyJson;
  return (req, res, next) => {
    let pending: Promise<unknown> | undefined;
    try {
      pending = startCall(req, res, onlyJson);
    } catch (error) {
      passError(next)(error);
      return;
    }
    pending?.then(() => {
      try {
        if (direct && answerDirectly(req, res)) return;
        leaveAnswer(req, res);
      } catch (error) {
        passError(next)(error);
        return;
      }
      next();
    }, passError(next));
  };
}

/** @returns `undefined` when the request only asked what is possible, and has its answer */
function startCall(req: Request, res: Response, onlyJson: boolean): Promise<unknown> | undefined {
  const { service, params: found } = req.lookup as ServiceLookup;
  const id = found.__id;
  const options = getServiceOptions(service) as NormalizedServiceOptions;
  const method = chooseMethod(req, res, id !== undefined, options);
  if (method === undefined) return undefined;
  if (onlyJson && !acceptsJson(req)) throw new NotAcceptable('The server answers with application/json only');

  const context = createContext(service, method) as unknown as HookContext;
  const args = callArguments(req, method, id, callParams(req, service, method, found, options));
  args.push(context);
  res.hook = context;
  const call = (service as Record<string, (...args: unknown[]) => unknown>)[method] as (...args: unknown[]) => unknown;
  // Methods that someone has replaced on the service may give any value.
  const result = Reflect.apply(call, service, args);
  return result instanceof Promise ? result : Promise.resolve(result);
}

function chooseMethod(req: Request, res: Response, hasId: boolean, options: NormalizedServiceOptions): string | undefined {
  try {
    const custom = req.headers[METHOD_HEADER];
    const choice = serviceMethod(req.method, hasId, typeof custom === 'string' ? custom : undefined, options);
    if (choice.kind === 'call') return choice.method;
    res.setHeader('Allow', allowHeader(hasId, options));
    res.statusCode = 204;
    res.end();
    return undefined;
  } catch (error) {
    res.setHeader('Allow', allowHeader(hasId, options));
    throw error;
  }
}

function callParams(
  req: Request,
  service: object,
  method: string,
  found: Readonly<Record<string, string>>,
  options: NormalizedServiceOptions,
): object {
  const params: Record<string, unknown> = { query: readableQuery(req.query), headers: req.headers, route: routeOf(found) };
  if (req.authentication !== undefined) params.authentication = req.authentication;
  const address = addressFor(service, req);
  if (address !== undefined) params.address = address;
  const precondition = preconditionOf(req, method, found.__id !== undefined, options);
  if (precondition !== undefined) params.precondition = precondition;
  params.provider = 'rest';
  return Object.assign(params, req.framework);
}

/** The values of a path's placeholders without the record's id. */
function routeOf(found: Readonly<Record<string, string>>): Record<string, string> {
  const route: Record<string, string> = {};
  for (const name of Object.keys(found)) if (name !== '__id') route[name] = found[name] as string;
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
  return (service as { readonly clientAddress?: unknown }).clientAddress === true ? req.ip : undefined;
}
