import { BadRequest } from '@framework/errors';
import { isObjectId } from './object-id.ts';

/**
 * Checks the id of a call.
 *
 * @throws BadRequest (400) for anything but text up to 1 KiB, a number or an object id (security S1)
 */
export function checkRecordId(id: unknown): void {
  if (isObjectId(id) || (typeof id === 'number' && Number.isFinite(id))) return;
  if (typeof id === 'string' && id !== '' && Buffer.byteLength(id) <= 1024 && id !== '__proto__') return;
  throw new BadRequest(`Invalid id '${shown(id)}': expected text, a number or an object id`);
}

function shown(id: unknown): string {
  try {
    return (JSON.stringify(id) ?? String(id)).slice(0, 100);
  } catch {
    return typeof id;
  }
}
