import { NotFound } from '@framework/errors';
import type { RequestHandler } from 'express';

/** Options of {@link notFound}. */
export interface NotFoundOptions {
  /** Whether the message names the URL. Default: `false`. */
  verbose?: boolean;
}

/**
 * Middleware that answers everything that nothing before it answered. Register it last, before the error handler.
 *
 * @throws NotFound (404) to the error handler
 * @see interface 4.4, 7
 */
export function notFound({ verbose = false }: NotFoundOptions = {}): RequestHandler {
  return (req, _res, next) => {
    next(new NotFound(verbose ? `Page not found: ${req.url}` : 'Page not found', { url: req.url }));
  };
}
