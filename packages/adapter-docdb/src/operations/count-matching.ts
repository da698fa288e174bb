import { isPlainObject } from '@framework/query';
import type { Call } from './call.ts';

/** Operators that sort by distance. */
const BY_DISTANCE: ReadonlySet<string> = new Set(['$near', '$nearSphere', '$geoNear']);

/**
 * Counts the records that match. The driver counts by an aggregation, which finds nothing by distance: the command `count` does, and in a transaction, which
 * has no such command, the ids are read.
 *
 * @param limit counts no further
 */
export async function countMatching(
  { collection, filter, driver }: Pick<Call, 'collection' | 'filter' | 'driver'>,
  limit?: number,
): Promise<number> {
  const options = { ...driver, ...(limit === undefined ? {} : { limit }) };
  if (!isByDistance(filter)) return collection.countDocuments(filter, options);
  const { session } = driver as { readonly session?: { inTransaction(): boolean } };
  // oxlint-disable-next-line typescript/no-deprecated -- what is to take its place can not do it
  if (session?.inTransaction() !== true) return collection.count(filter, options);
  const found = await collection.find(filter, { ...options, projection: { _id: 1 } }).toArray();
  return found.length;
}

/** @returns whether conditions search by distance, and so sort what they find */
export function isByDistance(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isByDistance);
  return isPlainObject(value) && Object.entries(value).some(([name, inner]) => BY_DISTANCE.has(name) || isByDistance(inner));
}
