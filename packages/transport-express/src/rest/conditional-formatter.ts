import { isRecordSource, recordChanged, versionOf, type HookContext, type VersionedService } from '@framework/core';
import type { RequestHandler } from 'express';
import { makeAnswer, JSON_TYPE, NOTHING } from '../answer/answer.ts';
import { entityTag, includesTag, parseTagCondition } from '../answer/entity-tag.ts';
import { jsonText } from '../answer/json-text.ts';
import { localPath } from '../answer/location.ts';
import { isFormattedByOthers } from '../answer/watched.ts';
import { settingsOf, write } from '../answer/write.ts';
import type { Request, Response } from '../middleware-types.ts';
import { formatter, refuseOtherForms } from './formatter.ts';

const TAGGED: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch']);

/**
 * Gives single records their strong `ETag`, answers 304 when the client has the present one, and sends everything else with the
 * given formatter. Runs behind the service's own middleware, since that may change what is sent.
 *
 * @param format the formatter
 * @throws PreconditionFailed (412) when a read has an `If-Match` that is not the present tag
 * @see RFC 9110, 8.8.3 and 13.1
 */
export function conditionalFormatter(format: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const { hook: context } = res;
    if (!context || !isTagged(context, res)) return format(req, res, next);
    // A formatter of the application's own may send other things to other Accept headers.
    const form = format === formatter ? '' : (req.headers.accept ?? '');
    const text = jsonText(res.data, settingsOf(req));
    const tag = entityTag(versionOf(context.result, versionName(context)), form + text);
    res.setHeader('ETag', tag);
    if (context.method === 'get') {
      if (isUnchanged(req, tag)) {
        write(makeAnswer(304, [], NOTHING), req, res, next);
        return undefined;
      }
    } else if (context.method !== 'create') res.setHeader('Content-Location', localPath(req.originalUrl));
    if (format !== formatter || isFormattedByOthers(res)) return format(req, res, next);
    if (!res.hasHeader('Content-Type')) refuseOtherForms(req, res);
    write(makeAnswer(res.statusCode, [], { kind: 'text', type: JSON_TYPE, text }), req, res, next);
    return undefined;
  };
}

function versionName({ service }: HookContext): string {
  // Registration refuses services without one.
  return (service as VersionedService).version;
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
