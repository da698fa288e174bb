import { checkOptionNames } from '@framework/core';
import { NotFound } from '@framework/errors';
import type { RequestHandler } from 'express';
import { nothingStandsBehind } from '../application/registration-order.ts';

/** Options of {@link notFound}. */
export interface NotFoundOptions {
  /** Whether the message names the URL. Default: `false`. */
  verbose?: boolean;
}

const NAMES: ReadonlySet<string> = new Set<keyof NotFoundOptions>(['verbose']);

/**
 * Middleware that answers everything that nothing before it answered. Register it last, before the error handler: in front of `rest()` it is warned of (`NOT_FOUND_BEFORE_REST`).
 *
 * @throws TypeError for options that there are not, also when it is registered without being called; NotFound (404) to the error handler
 * @see interface 4.4, 7
 */
export function notFound(options: NotFoundOptions = {}): RequestHandler {
  checkOptionNames('notFound()', options, NAMES);
  const { verbose = false } = options;
  const answer: RequestHandler = (req, _res, next) => {
    next(new NotFound(verbose ? `Page not found: ${req.url}` : 'Page not found', { url: req.url }));
  };
  return nothingStandsBehind(answer);
}
