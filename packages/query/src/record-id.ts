import { BadRequest } from '@framework/errors';
import { isObjectId } from './matching/values.ts';

/** Longest id, in bytes. */
const MAX_BYTES = 1024;

/**
 * Checks the id of a call.
 *
 * @throws BadRequest (400) for anything but text up to 1 KiB, a number or an object id (security S1); TypeError for a promise
 */
export function checkRecordId(id: unknown): void {
  if (typeof id === 'string' ? isIdText(id) : Number.isFinite(id) || isObjectId(id)) return;
  // No caller sends one: the service that made the id did not wait.
  if (id instanceof Promise) throw new TypeError('The id of a new record is a promise: wait for it, and then create the record');
  throw new BadRequest(`Invalid id '${shown(id)}': expected text, a number or an object id`);
}

function isIdText(id: string): boolean {
  // No character takes more than three bytes for each of its units.
  const fits = id.length * 3 <= MAX_BYTES || (id.length <= MAX_BYTES && new TextEncoder().encode(id).length <= MAX_BYTES);
  return id !== '' && fits && id !== '__proto__';
}

function shown(id: unknown): string {
  try {
    return (JSON.stringify(id) ?? String(id)).slice(0, 100);
  } catch {
    return typeof id;
  }
}
