import { isError, toFrameworkError } from '@framework/errors';
import type { NextFunction } from './middleware-types.ts';

/**
 * Gives what was thrown to Express. Express takes `undefined` for success and the texts `route` and `router` for commands,
 * so everything that is no error becomes one.
 *
 * @param next the continuation of the middleware
 */
export function passError(next: NextFunction): (thrown: unknown) => void {
  return (thrown) => {
    next(isError(thrown) ? thrown : toFrameworkError(thrown));
  };
}
