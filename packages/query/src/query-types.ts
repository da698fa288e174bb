/** A query as the caller writes it: values by property name, operators below them, filters beside them. */
export type Query = Record<string, unknown>;

/** Direction of a sort key: ascending or descending. */
export type SortDirection = 1 | -1;

/** Default and maximum page size of a service (interface 2.5). */
export interface PaginationOptions {
  /** Page size when the query names none. Without it, a call without `$limit` gets `max` records. */
  default?: number | undefined;
  /** Largest page size that a query may ask for. */
  max?: number | undefined;
}

/** A checked query. Frozen at every depth; the caller's object is neither kept nor changed. */
export interface ParsedQuery {
  /** Marks queries that were checked here; adapters refuse any other (security S4). */
  readonly [PARSED_QUERY]: true;
  /** Largest number of records, after the page limits. `undefined` means all. */
  readonly limit: number | undefined;
  /** Number of records to leave out first. */
  readonly skip: number | undefined;
  /** Sort keys in their order. */
  readonly sort: Readonly<Record<string, SortDirection>> | undefined;
  /** Property names to return. */
  readonly select: readonly string[] | undefined;
  /** Property conditions with `$or` and `$and`, without the filters above. */
  readonly criteria: Readonly<Query>;
  /** Filters that the service added to the syntax, by name. */
  readonly extra: Readonly<Query>;
}

/** Brand of {@link ParsedQuery}, the same in every copy of this package whose parsed queries have this form. */
export const PARSED_QUERY: unique symbol = /* @__PURE__ */ Symbol.for('@framework/query/parsed@1') as never;

/** What a service allows in its queries. */
export interface QueryOptions {
  /** Operators besides the common ones, for example `['$regex', '$options']`. Default: none. */
  operators?: readonly string[];
  /** Further top-level filters, for example `['$search']`, or an object with a converter for each. Default: none. */
  filters?: readonly string[] | Readonly<Record<string, true | ((value: unknown) => unknown)>>;
  /** Page sizes; `false` turns paging off. Default: off. */
  paginate?: PaginationOptions | false | undefined;
  /** Deepest nesting of objects and arrays. Default: 5 below a property. */
  maxDepth?: number;
  /** Largest number of keys in the whole query, each value of `$all` among them, and in its `$sort`. Default: 100. */
  maxKeys?: number;
  /** Largest number of different patterns (`$regex`) in the whole query: each is analysed, which takes milliseconds. Default: 10. */
  maxPatterns?: number;
  /** Largest `$skip`. Default: no limit. */
  maxSkip?: number;
  /** Dotted paths that a query may name; `true` allows all. Default: `true`. Callers from outside get the declared ones. */
  paths?: boolean | readonly string[];
  /** Properties that may not be used in conditions, `$sort` and `$select` (security S7). Default: none. */
  hidden?: readonly string[];
}

/** What the schemas of a service declare for a call. */
export interface Declarations {
  /** Dotted paths that callers from outside may query (security S3). */
  readonly paths?: readonly string[] | undefined;
  /** Update operators that callers from outside may send (security S6). */
  readonly updateOperators?: readonly string[] | undefined;
}

/** Key of `params` under which hooks of schemas tell the service what they declare. Only code on the server can set it. */
export const DECLARED: unique symbol = /* @__PURE__ */ Symbol.for('@framework/query/declared@2') as never;

interface Declared extends Declarations {
  /** Whether it is said for a service: parameters that are passed on to another one declare nothing there. */
  readonly isFor: (service: object) => boolean;
}

/**
 * What the schemas of a service declared for a call.
 *
 * @param params parameters of the call
 * @param service the service that was called, registered or as the user made it
 */
export function declarationsOf(params: object, service: object): Declarations {
  const declared = (params as { readonly [DECLARED]?: Declared })[DECLARED];
  return declared?.isFor(service) === true ? declared : NOTHING;
}

/**
 * What tells a service that is called with a copy of these parameters what its schemas declare.
 *
 * @param params parameters of the call; not changed
 * @param service the registered service
 * @param declarations what is declared beside what the parameters say already
 * @returns a property for the copy
 */
export function declaring(params: object, service: object, declarations: Declarations): object {
  // No service, which whoever prints parameters would print, with all that it stores.
  const isFor = (called: object): boolean => called === service || called === Object.getPrototypeOf(service);
  return { [DECLARED]: { ...declarationsOf(params, service), ...declarations, isFor } };
}

const NOTHING: Declarations = /* @__PURE__ */ Object.freeze({});
