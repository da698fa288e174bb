import { parseQuery } from './parse-query.ts';
import type { Query, QueryOptions, SortDirection } from './query-types.ts';

/** The filters of a query beside its conditions. */
export interface QueryFilters {
  $limit?: number;
  $skip?: number;
  $sort?: Readonly<Record<string, SortDirection>>;
  $select?: readonly string[];
  $or?: unknown;
  $and?: unknown;
  [name: `$${string}`]: unknown;
}

/**
 * Splits a query into its filters and its conditions, for adapters written against that shape.
 *
 * @param query the query as the caller gave it
 * @param options what the service allows
 * @returns `{ filters, query }`: checked filters (with `$or` and `$and`), and the conditions without them
 * @throws BadRequest (400) as {@link parseQuery}
 * @see reference 9
 */
export function filterQuery(query: Query | null | undefined, options?: QueryOptions): { filters: QueryFilters; query: Query } {
  const parsed = parseQuery(query, options);
  const { $or, $and, ...conditions } = parsed.criteria;
  const filters: QueryFilters = { ...parsed.extra };
  if (parsed.limit !== undefined) filters.$limit = parsed.limit;
  if (parsed.skip !== undefined) filters.$skip = parsed.skip;
  if (parsed.sort !== undefined) filters.$sort = parsed.sort;
  if (parsed.select !== undefined) filters.$select = parsed.select;
  if ($or !== undefined) filters.$or = $or;
  if ($and !== undefined) filters.$and = $and;
  return { filters, query: conditions };
}
