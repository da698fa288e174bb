import type { Collection } from 'mongodb';
import { toFrameworkError } from '../driver-error.ts';
import { limitsOf, type Call } from './call.ts';

/** What is known of collections, which keep their collation for good. */
const KNOWN = new WeakMap<Collection, Promise<boolean>>();

/**
 * @returns whether texts of a call may be equal to others: by its own collation, or by that of its collection, which is asked for once
 * @throws what the driver throws where the database does not say
 */
export async function isCollated({ collection, driver }: Pick<Call, 'collection' | 'driver'>): Promise<boolean> {
  if (driver.collation !== undefined) return true;
  const known = KNOWN.get(collection);
  if (known) return known;
  const asked = collection.options(limitsOf(driver)).then(
    ({ collation }) => collation !== undefined,
    (error: unknown) => {
      // Who may not ask, or asks a server that can not say it, is not asked again. A collection that is not there yet may come to be there.
      if (!(error instanceof Error && error.name === 'MongoServerError') || isAway(error)) KNOWN.delete(collection);
      if (isAway(error)) throw error;
      return false;
    },
  );
  KNOWN.set(collection, asked);
  return asked;
}

/** @returns whether the database is not there, or takes too long: what is written then would be written by another rule */
function isAway(error: unknown): boolean {
  return toFrameworkError(error).code === 503;
}
