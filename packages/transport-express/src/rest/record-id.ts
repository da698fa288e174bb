import { BadRequest } from '@framework/errors';

/** Longest id in a path, in bytes (security S1). */
export const ID_LIMIT = 1024;

/**
 * Checks an id from a path.
 *
 * @returns the id
 * @throws BadRequest (400) for an id that is empty, too long, or would reach a prototype (security S1)
 */
export function checkId(id: string | undefined): string {
  if (id === undefined || id === '') throw new BadRequest('The id is empty');
  if (Buffer.byteLength(id) > ID_LIMIT) throw new BadRequest(`The id is longer than ${String(ID_LIMIT)} bytes`);
  if (id === '__proto__' || id === 'constructor' || id === 'prototype' || id.includes('\0')) throw new BadRequest('The id is not valid');
  return id;
}
