/** Longest id in a path, in bytes (security S1). */
export const ID_LIMIT = 1024;

const OF_PROTOTYPES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Why a text can not be an id in a path, or `undefined` when it can (security S1). */
export function faultOfId(id: string): string | undefined {
  if (id === '') return 'The id is empty';
  if (Buffer.byteLength(id) > ID_LIMIT) return `The id is longer than ${String(ID_LIMIT)} bytes`;
  if (OF_PROTOTYPES.has(id) || id.includes('\0')) return 'The id is not valid';
  return undefined;
}

/**
 * The segment of a path that leads to a record.
 *
 * @returns `undefined` for an id that no path can carry: one that requests are refused for, a dot segment, which clients take for
 *   another folder, and text with half of a surrogate pair, which has no UTF-8
 */
export function segmentOf(id: string): string | undefined {
  if (id === '.' || id === '..' || faultOfId(id) !== undefined) return undefined;
  try {
    return encodeURIComponent(id);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
