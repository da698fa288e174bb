import { BadRequest } from '@framework/errors';
import { isPlainObject } from '../plain-object.ts';
import { checkPropertyName } from '../property-name.ts';
import type { QueryOptions, SortDirection } from '../query-types.ts';
import { MAX_KEYS } from '../validate-criteria.ts';

/**
 * Checks `$sort`: an object from property names to `1` or `-1`, as numbers or as text.
 *
 * @throws BadRequest (400) for another shape or direction, and for more keys than a query may have
 * @see interface 4.6
 */
export function parseSort(value: unknown, options: QueryOptions): Readonly<Record<string, SortDirection>> | undefined {
  if (value === undefined) return undefined;
  if (!isPlainObject(value)) {
    throw new BadRequest('Invalid value for $sort: expected an object such as { name: 1, createdAt: -1 }', { parameter: '$sort' });
  }
  const names = Object.keys(value);
  const { maxKeys = MAX_KEYS } = options;
  if (names.length > maxKeys)
    throw new BadRequest(`$sort has too many keys: at most ${String(maxKeys)} are allowed (maxKeys)`, { parameter: '$sort' });
  const sort: Record<string, SortDirection> = {};
  for (const name of names) {
    checkPropertyName(name, options);
    sort[name] = parseDirection(name, value[name]);
  }
  return Object.freeze(sort);
}

function parseDirection(name: string, value: unknown): SortDirection {
  if (value === 1 || value === '1') return 1;
  if (value === -1 || value === '-1') return -1;
  throw new BadRequest(`Invalid value for $sort[${name}]: expected 1 (ascending) or -1 (descending)`, {
    parameter: `$sort[${name}]`,
  });
}
