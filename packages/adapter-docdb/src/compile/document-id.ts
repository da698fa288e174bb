import { types } from 'node:util';
import { checkRecordId, isPlainObject } from '@framework/query';
import { refuseTooLarge } from './disguised.ts';

/** Values of the driver that are compared as one value. Patterns and the like find other records too. */
const KINDS: ReadonlySet<unknown> = new Set(['Binary', 'Decimal128', 'Double', 'Int32', 'Long']);

/**
 * Checks the id of a call. A hook may have made a value of the database of what a caller sent, such as a UUID.
 *
 * @throws BadRequest (400) for anything but text up to 1 KiB, a number, an object id, and bytes or a number of the driver (security S1); TypeError for a promise
 */
export function checkDocumentId(id: unknown, isGiven = false): void {
  const kind: unknown = typeof id === 'object' && id !== null && '_bsontype' in id ? id._bsontype : undefined;
  if (typeof id === 'bigint') refuseTooLarge(id, 'compared');
  else if (!KINDS.has(kind) || isPlainObject(id)) checkRecordId(id, isGiven);
}

/**
 * Checks the id of a new record: it is one that {@link checkDocumentId} takes, or bytes, of which the database makes such a value.
 *
 * @param isGiven whether a caller from outside gives it, who is to reach the record by it
 * @throws as {@link checkDocumentId}; BadRequest (400) for an id that a caller gives and no path leads to
 */
export function checkNewId(id: unknown, isGiven = false): void {
  if (!types.isUint8Array(id)) checkDocumentId(id, isGiven);
}
