import { checkMany } from '@framework/core/adapter';
import type { Call } from './call.ts';

/**
 * Counts the records that a write to several of them would touch, for one that reads none of them.
 *
 * @throws BadRequest (400) when they are more than the service's `maxMulti`
 */
export async function checkCount({ collection, filter, driver, options }: Call): Promise<void> {
  checkMany(await collection.countDocuments(filter, { ...driver, limit: options.maxMulti + 1 }), options);
}
