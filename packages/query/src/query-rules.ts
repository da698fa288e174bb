import { declarationsOf, type PaginationOptions, type QueryOptions } from './query-types.ts';

/** What a service says of its queries. */
export interface ServiceQueryOptions {
  /** Operators besides the common ones. Default: none. */
  readonly operators?: readonly string[];
  /** Filters besides the common ones. Default: none. */
  readonly filters?: readonly string[];
  /** Page sizes; `false` turns paging off. */
  readonly paginate: PaginationOptions | false;
  /** Whether, and how, queries may page with `$after` and `$before`. Default: they may not. */
  readonly cursors?: boolean | object;
  /** Dotted paths that callers from outside may query. Default: none. */
  readonly paths?: readonly string[];
  /** Properties that callers from outside may not use. Default: none. */
  readonly hidden?: readonly string[];
  /** Largest `$skip` from outside. Default: no limit. */
  readonly maxSkip?: number;
  /** Deepest nesting of a query, below a property. Default: 5. */
  readonly maxDepth?: number;
  /** Most keys of a query's conditions, and of its order. Default: 100. */
  readonly maxKeys?: number;
}

interface KnownRules {
  readonly rules: QueryOptions;
  readonly declared: readonly string[] | undefined;
  readonly checked: boolean;
  /** The options as they were. */
  readonly madeOf: ServiceQueryOptions;
}

function isSame(one: ServiceQueryOptions, other: ServiceQueryOptions): boolean {
  return (
    one.paginate === other.paginate &&
    one.operators === other.operators &&
    one.filters === other.filters &&
    one.cursors === other.cursors &&
    one.paths === other.paths &&
    one.hidden === other.hidden &&
    one.maxSkip === other.maxSkip &&
    one.maxDepth === other.maxDepth &&
    one.maxKeys === other.maxKeys
  );
}

/** What queries of one service may hold, worked out once for the same options. Options may be changed while the service runs. */
export class QueryRules {
  readonly #external = new WeakMap<ServiceQueryOptions, KnownRules>();
  readonly #internal = new WeakMap<ServiceQueryOptions, KnownRules>();

  /**
   * What the query of one call may hold.
   *
   * @param options of the service, or of one call
   * @param external whether the call came from outside
   * @param declared dotted paths that a query schema declares
   * @param checked whether it is known that the caller asks for nothing hidden: what the query has of it is of the server. Default: `false`
   * @returns options for `parseQuery`
   */
  of(options: ServiceQueryOptions, external: boolean, declared: readonly string[] | undefined, checked = false): QueryOptions {
    const cache = external ? this.#external : this.#internal;
    const known = cache.get(options);
    if (known && known.declared === declared && known.checked === checked && isSame(known.madeOf, options)) return known.rules;
    const { paginate, operators = NONE, filters = NONE, paths = NONE, hidden = NONE, cursors, maxSkip, maxDepth, maxKeys } = options;
    const open = [...paths, ...(declared ?? NONE), ...(checked ? hidden : NONE)];
    const rules: QueryOptions = {
      operators,
      filters: cursors ? [...filters, '$after', '$before'] : filters,
      paginate,
      ...(maxDepth === undefined ? {} : { maxDepth }),
      ...(maxKeys === undefined ? {} : { maxKeys }),
      ...(external
        ? { paths: open, hidden: checked ? NONE : hidden, ...(maxSkip === undefined ? {} : { maxSkip }) }
        : // Patterns of the server's own code are not analysed.
          { maxPatterns: Infinity }),
    };
    cache.set(options, { rules, declared, checked, madeOf: { ...options } });
    return rules;
  }

  /**
   * {@link of} for a call: what its parameters say of who calls, of what schemas declare, and of what was checked before.
   *
   * @param params parameters of the call
   * @param service the service that was called, registered or as the user made it
   */
  ofCall(options: ServiceQueryOptions, params: { readonly provider?: unknown }, service: object): QueryOptions {
    const { paths } = declarationsOf(params, service);
    const hides = options.hidden !== undefined && options.hidden.length > 0;
    const isFor = (params as { readonly [CHECKED]?: (called: object) => boolean })[CHECKED];
    const checked = hides && isFor?.(service) === true;
    return this.of(options, params.provider !== undefined, paths, checked);
  }
}

/** Key of `params` under which the core says for which service the rules have checked what the caller asks for. Only code on the server can set it. */
const CHECKED: unique symbol = /* @__PURE__ */ Symbol.for('@framework/checked-query') as never;

const NONE: readonly string[] = /* @__PURE__ */ Object.freeze([]);
