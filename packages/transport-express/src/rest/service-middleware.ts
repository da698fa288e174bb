import {
  createContext,
  getServiceOptions,
  type HookContext,
  type NormalizedServiceOptions,
  type Precondition,
  type ServiceLookup,
} from '@framework/core';
import { BadRequest, FrameworkError, NotAcceptable } from '@framework/errors';
import type { RequestHandler } from 'express';
import type { Request, Response } from '../middleware-types.ts';
import { preconditionOf } from '../conditional/precondition.ts';
import { acceptsJson, formatter } from './formatter.ts';
import { passError } from '../pass-error.ts';
import { checkId } from './record-id.ts';
import { requestData } from './request-data.ts';
import { restResponse } from './response.ts';
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
 */
export function callService(format: RequestHandler): RequestHandler {
  return (req, res, next) => {
    runService(req, res, format === formatter).then((handled) => {
      if (!handled) next();
    }, passError(next));
  };
}

async function runService(req: Request, res: Response, onlyJson: boolean): Promise<boolean> {
  const { service, params: found } = req.lookup as ServiceLookup;
  const { __id: id, ...route } = found;
  const options = getServiceOptions(service) as NormalizedServiceOptions;
  const method = chooseMethod(req, res, id !== undefined, options);
  if (method === undefined) return true;
  if (onlyJson && !acceptsJson(req)) throw new NotAcceptable('The server answers with application/json only');

  const args = callArguments(req, method, id, route, addressFor(service, req), preconditionOf(req, method, id !== undefined, options));
  const context = createContext(service, method) as unknown as HookContext;
  res.hook = context;
  await (service as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]?.(...args, context);
  answer(req, res, context, options.conditional !== undefined && options.conditional !== false);
  return false;
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

function callArguments(
  req: Request,
  method: string,
  id: string | undefined,
  route: Record<string, string>,
  address: string | undefined,
  precondition: Precondition | undefined,
): unknown[] {
  const params = {
    query: req.query,
    headers: req.headers,
    route,
    ...(req.authentication === undefined ? {} : { authentication: req.authentication }),
    ...(address === undefined ? {} : { address }),
    ...(precondition === undefined ? {} : { precondition }),
    provider: 'rest',
    ...req.framework,
  };
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

function answer(req: Request, res: Response, context: HookContext, conditional: boolean): void {
  const { status, headers, body } = restResponse(context, req.originalUrl.split('?', 1)[0] as string);
  for (const [name, value] of Object.entries(headers)) {
    // Cookies are the one list that a comma does not join.
    res.setHeader(name, Array.isArray(value) && name.toLowerCase() !== 'set-cookie' ? value.join(', ') : value);
  }
  protectAnswer(res, context, conditional && context.method === 'get');
  res.statusCode = status;
  res.data = body;
}

/** Headers that keep shared caches and browsers from misusing an answer (security S41). */
function protectAnswer(res: Response, context: HookContext, revalidated: boolean): void {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.vary('Accept, Authorization, Origin');
  const { params } = context as { params: { authenticated?: unknown; authentication?: unknown; user?: unknown } };
  const personal = params.authenticated === true || params.authentication !== undefined || params.user !== undefined;
  if (res.hasHeader('Cache-Control')) return;
  // What has a tag may be kept, if it is asked about each time; what belongs to a user, by the user's own client alone.
  if (revalidated) res.setHeader('Cache-Control', personal ? 'private, no-cache' : 'no-cache');
  else if (personal) res.setHeader('Cache-Control', 'no-store');
}
