import { BadRequest } from '@framework/errors';
import { isObjectId } from '@framework/query';

/** Longest id, in letters. */
const MAX_LENGTH = 1024;

/**
 * Checks the id of a call.
 *
 * @throws BadRequest (400) for anything but text, a number or an object id (security S1)
 */
export function checkRecordId(id: unknown): void {
  if (isObjectId(id) || (typeof id === 'number' && Number.isFinite(id))) return;
  if (typeof id === 'string' && id !== '' && id.length <= MAX_LENGTH && id !== '__proto__') return;
  throw new BadRequest(`Invalid id '${describe(id)}': expected text or a number`);
}

function describe(id: unknown): string {
  try {
    return (JSON.stringify(id) ?? String(id)).slice(0, 100);
  } catch {
    return typeof id;
  }
}
