import { isPlainObject } from '@framework/query';
import { BSON, type Document } from 'mongodb';
import type { ResolvedOptions } from '../docdb-types.ts';

/** @returns the projection of the ids of records: that of the database, by which they are chosen, and that of the service */
export function idProjection({ id }: ResolvedOptions): Document {
  return { _id: 1, [id]: 1 };
}

/** @returns of records the id alone by which calls of the service know them */
export function idsOf(records: readonly Document[], { id }: ResolvedOptions): Document[] {
  return records.map((record) => ({ [id]: record[id] as unknown }));
}

/** @returns records that were read with the id of the database, as the caller's projection has them */
export function projected(records: readonly Document[], projection: Document | undefined): Document[] {
  return projection?._id === 0 ? records.map(({ _id, ...record }) => record) : [...records];
}

/** @returns a text that only equal ids have */
export function textOfId(id: unknown): string {
  // As what it is: a number of 64 bits would be rounded.
  return BSON.EJSON.stringify(id, { relaxed: false });
}

/** @returns whether collations compare texts of an id, also those inside of it */
export function holdsText(id: unknown): boolean {
  return typeof id === 'string' || isPlainObject(id);
}
