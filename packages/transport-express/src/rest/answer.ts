import { getServiceOptions, type HookContext, type ServiceLookup } from '@framework/core';
import { isUnseen } from '../dispatch/unseen.ts';
import type { Request, Response } from '../middleware-types.ts';
import { JSON_TYPE, toJson } from './formatter.ts';
import { restResponse } from './response.ts';
import { isRecordSource } from './stream-result.ts';
import { BY_CLIENT, varyByClient } from './vary.ts';

/**
 * Leaves the answer of a finished call where service middleware and the formatter find it: in `res.data`, `res.statusCode` and
 * headers.
 */
export function leaveAnswer(req: Request, res: Response): void {
  const context = res.hook as HookContext;
  const { status, headers, body } = restResponse(context, req.originalUrl);
  for (const name of Object.keys(headers)) {
    const value = headers[name] as string | string[];
    // Cookies are the one list that a comma does not join.
    res.setHeader(name, Array.isArray(value) && name.toLowerCase() !== 'set-cookie' ? value.join(', ') : value);
  }
  res.setHeader('X-Content-Type-Options', 'nosniff');
  varyByClient(res);
  const caching = cachingOf(req, context);
  if (caching !== undefined && !res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', caching);
  res.statusCode = status;
  res.data = body;
}

/**
 * Sends the answer of a finished call in one go, with the same headers. Only for answers that nobody else can see or change: Node keeps
 * headers that are written in one go from `res.getHeader`.
 *
 * @returns whether it was sent; if not, nothing was done
 */
export function answerDirectly(req: Request, res: Response): boolean {
  if (!isUnseen(req, res)) return false;
  const context = res.hook as HookContext;
  const { status, headers, body } = restResponse(context, req.originalUrl);
  if (status === 204 || status === 304 || isRecordSource(body) || isConditional(req)) return false;
  for (const name of Object.keys(headers)) if (name !== 'Location') return false;
  const text = toJson(req, body);
  const list: (string | number)[] = ['X-Content-Type-Options', 'nosniff', 'Vary', BY_CLIENT];
  if (headers.Location !== undefined) list.push('Location', String(headers.Location));
  const caching = cachingOf(req, context);
  if (caching !== undefined) list.push('Cache-Control', caching);
  list.push('Content-Type', JSON_TYPE, 'Content-Length', Buffer.byteLength(text));
  // Node's types know pairs only.
  res.writeHead(status, list as unknown as string[]);
  res.end(req.method === 'HEAD' ? undefined : text);
  return true;
}

function isConditional(req: Request): boolean {
  return Boolean(getServiceOptions((req.lookup as ServiceLookup).service)?.conditional);
}

/** What keeps caches from misusing an answer (security S41); `undefined` for nothing. */
function cachingOf(req: Request, context: HookContext): string | undefined {
  const { params } = context as { params: { authenticated?: unknown; authentication?: unknown; user?: unknown } };
  const personal = params.authenticated === true || params.authentication !== undefined || params.user !== undefined;
  // What has a tag may be kept, if it is asked about each time; what belongs to a user, by the user's own client alone.
  if (context.method === 'get' && isConditional(req)) return personal ? 'private, no-cache' : 'no-cache';
  return personal ? 'no-store' : undefined;
}
