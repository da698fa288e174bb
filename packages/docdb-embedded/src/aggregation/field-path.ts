import { DocDbError } from '../errors.ts';
import { referenceFields } from '../query/element-tests.ts';

/** Levels that a path may have. */
const MAX_DEPTH = 200;

/**
 * Takes a dotted path apart.
 *
 * @throws DocDbError (15, 15998, 16410, 16411, 40352, 40353) for what is no path
 */
export function fieldPath(text: string): string[] {
  if (text === '') throw new DocDbError(40352, 'FieldPath cannot be constructed with empty string');
  if (text.endsWith('.')) throw new DocDbError(40353, "FieldPath must not end with a '.'.");
  if (text.includes('\0')) throw new DocDbError(16411, "FieldPath field names may not contain '\\0'.");
  const path = text.split('.');
  if (path.length > MAX_DEPTH) throw new DocDbError(15, `FieldPath is too long: ${String(path.length)} names`);
  for (const name of path) {
    if (name === '') throw new DocDbError(15998, 'FieldPath field names may not be empty strings.');
    if (name.startsWith('$') && !referenceFields.has(name))
      throw new DocDbError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
  }
  return path;
}
