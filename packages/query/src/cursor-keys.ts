import type { SortDirection } from './query-types.ts';

/** A sort key: a dotted path, ascending or descending. */
export type SortKey = readonly [path: string, direction: SortDirection];

/**
 * The order in which a cursor pages: the id comes last, in the direction of the key before it, so that no two records have the same position and an index of
 * both serves.
 *
 * @param sort the checked `$sort`; without one the order is that of the ids
 * @param id name of the id property
 */
export function cursorKeys(sort: Readonly<Record<string, SortDirection>> | undefined, id: string): SortKey[] {
  const keys = Object.entries(sort ?? {});
  const at = keys.findIndex(([path]) => path === id);
  return at < 0 ? [...keys, [id, keys.at(-1)?.[1] ?? 1]] : keys.slice(0, at + 1);
}
