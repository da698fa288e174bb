import { BadRequest } from '@framework/errors';
import { checkPropertyName } from '../property-name.ts';
import type { QueryOptions } from '../query-types.ts';
import { notAnArray } from '../validate-criteria.ts';

/** Names in one `$select`: as many as a query string has parameters. */
const MAX_NAMES = 1000;

/**
 * Checks `$select`: an array of property names; one name alone is taken as an array of one.
 *
 * @throws BadRequest (400) for another shape, and for too many names
 * @see interface 4.6
 */
export function parseSelect(value: unknown, options: QueryOptions): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const given: unknown = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(given)) throw notAnArray('$select', value);
  const names: readonly unknown[] = given;
  if (names.length > MAX_NAMES)
    throw new BadRequest(`$select has too many names: at most ${String(MAX_NAMES)} are allowed`, { parameter: '$select' });
  const select = new Set<string>();
  for (const name of names) {
    if (typeof name !== 'string') {
      throw new BadRequest('Invalid value for $select: expected an array of property names', { parameter: '$select' });
    }
    checkPropertyName(name, options);
    select.add(name);
  }
  return Object.freeze([...select]);
}
