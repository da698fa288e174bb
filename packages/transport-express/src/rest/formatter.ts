import type { NextFunction, Request, Response } from '../middleware-types.ts';
import { isRecordSource, NDJSON, sendRecords } from './stream-result.ts';

/** Type of answers in JSON. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The default formatter: sends `res.data` as JSON, record by record for an async iterable or a stream, or no body for an
 * empty result.
 *
 * @see interface 4.1
 */
export function formatter(req: Request, res: Response, next: NextFunction): Promise<void> | void {
  if (res.data === undefined && res.hook === undefined) {
    next();
    return undefined;
  }
  if (res.statusCode === 204 || res.statusCode === 304) {
    res.end();
    return undefined;
  }
  if (isRecordSource(res.data)) return sendRecords(req, res, res.data);
  const text = toJson(req, res.data);
  if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', JSON_TYPE);
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(req.method === 'HEAD' ? undefined : text);
  return undefined;
}

/**
 * The JSON text of an answer. Honours Express's settings `json replacer`, `json spaces` and `json escape`.
 *
 * @param data what is sent
 */
export function toJson(req: Request, data: unknown): string {
  const { settings } = req.app as { settings: Record<string, unknown> };
  const replacer = settings['json replacer'] as ((key: string, value: unknown) => unknown) | undefined;
  const spaces = settings['json spaces'] as string | number | undefined;
  const text = JSON.stringify(data ?? null, replacer, spaces);
  return settings['json escape'] === true ? text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`) : text;
}

/**
 * Tells whether the client takes JSON.
 *
 * @param req the request
 */
export function acceptsJson(req: Request): boolean {
  const { accept } = req.headers;
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true;
  return req.accepts(['application/json', 'application/problem+json', NDJSON]) !== false;
}
