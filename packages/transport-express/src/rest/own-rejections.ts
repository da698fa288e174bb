import { isThenable } from '@framework/core';
import type { Middleware, NextFunction, Request, Response } from '../middleware-types.ts';
import { passError } from '../pass-error.ts';

/**
 * Middleware whose promise goes to the error handler when it is rejected, as Express 5 does it by itself. With Express 4 nobody would hear of it: the request would
 * stay without an answer, and the process would end.
 *
 * @param middleware any middleware; Express knows those for errors by their four parameters
 */
export function ownRejections(middleware: Middleware): Middleware {
  if (middleware.length === 4) {
    return function handleError(error: unknown, req: Request, res: Response, next: NextFunction): void {
      owned(Reflect.apply(middleware, undefined, [error, req, res, next]), next);
    };
  }
  return function handle(req: Request, res: Response, next: NextFunction): void {
    owned(Reflect.apply(middleware, undefined, [req, res, next]), next);
  };
}

function owned(pending: unknown, next: NextFunction): void {
  if (isThenable(pending)) pending.then(undefined, passError(next));
}
