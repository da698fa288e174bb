import { BadRequest } from '@framework/errors';
import type { ResolvedOptions } from '../docdb-types.ts';
import type { Call } from './call.ts';

/**
 * Counts the records that a write to several of them would touch, for one that reads none of them.
 *
 * @throws BadRequest (400) when they are more than the service's `maxMulti`
 */
export async function checkCount({ collection, filter, driver, options }: Call): Promise<void> {
  checkMany(await collection.countDocuments(filter, { ...driver, limit: options.maxMulti + 1 }), options);
}

/** @throws BadRequest (400) for more records than the service's `maxMulti` */
export function checkMany(count: number, { maxMulti }: ResolvedOptions): void {
  if (count > maxMulti)
    throw new BadRequest(`More than ${String(maxMulti)} records match. Narrow the query, or raise the service's 'maxMulti' option`);
}
