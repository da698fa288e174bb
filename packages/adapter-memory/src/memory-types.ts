import type { Id, NullableId, Paginated, Params, Query } from '@framework/core';
import type { PaginationOptions } from '@framework/query';

/** Options of a {@link MemoryService}. */
export interface MemoryServiceOptions {
  /** Name of the id property. Default: `id`. */
  id?: string;
  /** Id of the first record that has none of its own; the next one is higher by 1. Default: 0. */
  startId?: number;
  /** Makes ids in place of numbers. Default: none. */
  createId?: () => Id;
  /** Records at the start: a list, or an object of records by their ids. Default: none. */
  store?: readonly object[] | Readonly<Record<string, object>>;
  /** Paths that have a sorted index, which finds by equality and by range. The id needs none. Default: none. */
  indexes?: readonly string[];
  /** Page sizes; `false` for no paging. Default: `false`. */
  paginate?: PaginationOptions | false;
  /** Methods that may work on several records at once: `true` for all, or a list of names. Default: `false`. */
  multi?: boolean | readonly string[];
  /**
   * Query operators besides the common ones: `$all`, `$elemMatch`, `$eq`, `$exists`, `$nor`, `$not`, `$options`, `$regex`, `$size`.
   * Default: none.
   */
  operators?: readonly string[];
  /** Dotted paths that callers from outside may query. Default: none. */
  paths?: readonly string[];
  /** Properties, also dotted, that are not sent, and that nobody outside may query, sort by, select or write. Default: none. */
  hidden?: readonly string[];
  /** Most records that one patch or remove of several records touches. Default: 10,000. */
  maxMulti?: number;
  /** Largest `$skip` from outside. Default: no limit. */
  maxSkip?: number;
  /** Deepest nesting of objects and lists in a query, also of calls on the server. Default: 5 below a property. */
  maxDepth?: number;
  /** Most keys of a query's conditions, each value of `$all` among them, and of its `$sort`, also of calls on the server. Default: 100. */
  maxKeys?: number;
  /** Whether queries may page with `$after` and `$before`, and pages name the cursors `next` and `previous`. Needs `paginate`. Default: `false`. */
  cursors?: boolean;
  /**
   * Name of the property that holds the version of each record: a random text that every write replaces. With it, calls honour
   * `params.precondition`. Default: none.
   */
  version?: string;
  /** Events that the service emits by itself. Default: none. */
  events?: readonly string[];
}

/** Options that hold for one call only. */
export type MemoryCallOptions = Omit<
  MemoryServiceOptions,
  'id' | 'startId' | 'createId' | 'store' | 'indexes' | 'hidden' | 'version' | 'events'
>;

/** Options with their defaults. */
export type ResolvedMemoryOptions = MemoryServiceOptions &
  Required<Pick<MemoryServiceOptions, 'id' | 'paginate' | 'multi' | 'maxMulti' | 'events'>>;

/** Parameters of a call to a {@link MemoryService}. Only `query` can be set from outside. */
export interface MemoryParams<Q = Query> extends Params<Q> {
  /** Options of the service for this call only. */
  adapter?: MemoryCallOptions;
  /** Page sizes for this call; `false` for a plain array. */
  paginate?: PaginationOptions | false;
}

export type { Id, NullableId, Paginated };
