import type { Collection } from 'mongodb';
import type { Call } from './call.ts';

/** What is known of collections, which keep their collation for good. */
const KNOWN = new WeakMap<Collection, Promise<boolean>>();

/** @returns whether texts of a call may be equal to others: by its own collation, or by that of its collection, which is asked for once */
export async function isCollated({ collection, driver }: Pick<Call, 'collection' | 'driver'>): Promise<boolean> {
  if (driver.collation !== undefined) return true;
  const known = KNOWN.get(collection);
  if (known) return known;
  const asked = collection.options().then(
    ({ collation }) => collation !== undefined,
    (error: unknown) => {
      // Who may not ask is not asked again. A collection that is not there yet may come to be there.
      if (!(error instanceof Error && error.name === 'MongoServerError')) KNOWN.delete(collection);
      return false;
    },
  );
  KNOWN.set(collection, asked);
  return asked;
}
