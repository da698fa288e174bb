import { BadRequest } from '@framework/errors';
import { isObjectId } from './matching/values.ts';

/** Longest id, in bytes. */
const MAX_BYTES = 1024;

/** What calls over REST and sockets refuse as an id, besides what no call takes. */
const REFUSED: ReadonlySet<string> = new Set(['constructor', 'prototype']);

/**
 * Checks the id of a call, or of a new record.
 *
 * @param isGiven whether a caller from outside gives it to a new record. Default: `false`. By one that no call from outside takes nobody could read, change or remove
 *   that, and of one that URLs lead elsewhere with (`..` is the folder above, also as `%2e%2e`) clients would make another call
 * @throws BadRequest (400) for anything but text up to 1 KiB, a number or an object id (security S1), and for an id of a new record that no path leads to;
 *   TypeError for a promise
 */
export function checkRecordId(id: unknown, isGiven = false): void {
  if (typeof id === 'string' ? isIdText(id) : Number.isFinite(id) || isObjectId(id)) {
    if (!isGiven || isInPaths(String(id))) return;
    throw new BadRequest(`Invalid id '${shown(id)}': no path leads to a record with it. Give it another one`);
  }
  // No caller sends one: the service that made the id did not wait.
  if (id instanceof Promise) throw new TypeError('The id of a new record is a promise: wait for it, and then create the record');
  throw new BadRequest(`Invalid id '${shown(id)}': expected text, a number or an object id`);
}

function isIdText(id: string): boolean {
  // No character takes more than three bytes for each of its units.
  const fits = id.length * 3 <= MAX_BYTES || (id.length <= MAX_BYTES && new TextEncoder().encode(id).length <= MAX_BYTES);
  return id !== '' && fits && id !== '__proto__';
}

function isInPaths(id: string): boolean {
  return !/^\.\.?$|\0/.test(id) && !REFUSED.has(id) && id.isWellFormed();
}

function shown(id: unknown): string {
  try {
    return (JSON.stringify(id) ?? String(id)).slice(0, 100);
  } catch {
    return typeof id;
  }
}
