import { BadRequest } from '@framework/errors';
import { isPlainObject } from '../plain-object.ts';
import { checkPropertyName } from '../property-name.ts';
import type { QueryOptions, SortDirection } from '../query-types.ts';

/**
 * Checks `$sort`: an object from property names to `1` or `-1`, as numbers or as text.
 *
 * @throws BadRequest (400) for another shape or direction
 * @see interface 4.6
 */
export function parseSort(value: unknown, options: QueryOptions): Readonly<Record<string, SortDirection>> | undefined {
  if (value === undefined) return undefined;
  if (!isPlainObject(value)) {
    throw new BadRequest('Invalid value for $sort: expected an object such as { name: 1, createdAt: -1 }', { parameter: '$sort' });
  }
  const sort: Record<string, SortDirection> = {};
  for (const name of Object.keys(value)) {
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
