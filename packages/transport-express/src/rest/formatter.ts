import { NotAcceptable } from '@framework/errors';
import { makeAnswer } from '../answer/answer.ts';
import { acceptsJson } from '../answer/negotiate.ts';
import { isFormatReplaced } from '../answer/watched.ts';
import { write } from '../answer/write.ts';
import type { NextFunction, Request, Response } from '../middleware-types.ts';

/**
 * The default formatter: sends `res.data` as JSON, record by record for an async iterable or a stream, or no body for an
 * empty result.
 *
 * @throws NotAcceptable (406) to the error handler when the client takes no JSON and nobody has set another `Content-Type`
 * @see interface 4.1
 */
export function formatter(req: Request, res: Response, next: NextFunction): void {
  if (res.data === undefined && res.hook === undefined) {
    next();
    return;
  }
  if (!res.hasHeader('Content-Type')) refuseOtherForms(req, res);
  write(makeAnswer(res.statusCode, [], { kind: 'value', value: res.data }), req, res, next);
}

/**
 * Refuses a client that takes no JSON, where nobody else chooses the form.
 *
 * @throws NotAcceptable (406)
 */
export function refuseOtherForms(req: Request, res: Response): void {
  if (!acceptsJson(req.headers.accept) && !isFormatReplaced(res)) throw new NotAcceptable('The server answers with application/json only');
}
