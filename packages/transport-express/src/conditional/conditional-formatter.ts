import { recordChanged, versionOf, type HookContext, type VersionedService } from '@framework/core';
import type { RequestHandler } from 'express';
import type { Request, Response } from '../middleware-types.ts';
import { formatter, toJson } from '../rest/formatter.ts';
import { isRecordSource } from '../rest/stream-result.ts';
import { entityTag, includesTag, parseTagCondition } from './entity-tag.ts';

const TAGGED: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch']);

/**
 * Gives single records their `ETag`, answers 304 when the client has the present one, and sends everything else with the
 * given formatter. Runs behind the service's own middleware, since that may change what is sent.
 *
 * @param format the formatter
 * @throws PreconditionFailed (412) when a read has an `If-Match` that is not the present tag
 * @see RFC 9110, 8.8.3 and 13.1
 */
export function conditionalFormatter(format: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const { hook: context } = res;
    if (context && isTagged(context, res)) {
      // A formatter of the application's own may send other things to other Accept headers.
      const form = format === formatter ? '' : (req.headers.accept ?? '');
      const { version } = context.service as VersionedService;
      const tag = entityTag(versionOf(context.result, version), form + toJson(req, res.data));
      res.setHeader('ETag', tag);
      if (context.method === 'get') {
        if (isUnchanged(req, tag)) {
          res.statusCode = 304;
          res.end();
          return undefined;
        }
      } else if (context.method !== 'create') res.setHeader('Content-Location', req.originalUrl);
    }
    return format(req, res, next);
  };
}

function isTagged({ method, result }: HookContext, res: Response): boolean {
  if (!TAGGED.has(method) || res.statusCode < 200 || res.statusCode > 201 || isRecordSource(res.data)) return false;
  return typeof result === 'object' && result !== null && !Array.isArray(result);
}

function isUnchanged(req: Request, tag: string): boolean {
  const match = parseTagCondition('If-Match', req.headers['if-match']);
  if (match !== undefined && !includesTag(match, tag, true)) throw recordChanged();
  const noneMatch = parseTagCondition('If-None-Match', req.headers['if-none-match']);
  return noneMatch !== undefined && includesTag(noneMatch, tag, false);
}
