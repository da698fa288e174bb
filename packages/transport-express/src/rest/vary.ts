import type { Response } from '../middleware-types.ts';

/** What every answer of a service may differ by. */
export const BY_CLIENT = 'Accept, Authorization, Origin';

/**
 * Tells caches that an answer may differ from client to client (security S41). What stands in the header already stays.
 *
 * @param res the response
 */
export function varyByClient(res: Response): void {
  if (res.hasHeader('Vary')) res.vary(BY_CLIENT);
  else res.setHeader('Vary', BY_CLIENT);
}
