import type { QueryOptions } from '@framework/query';
import type { ResolvedOptions } from '../docdb-types.ts';

interface CachedRules extends Pick<ResolvedOptions, 'paginate' | 'operators' | 'filters'> {
  readonly rules: QueryOptions;
  readonly declared: readonly string[] | undefined;
}

/** What queries may hold, worked out once for the same options. Options may be changed while the service runs. */
export class QueryRules {
  readonly #external = new WeakMap<ResolvedOptions, CachedRules>();
  readonly #internal = new WeakMap<ResolvedOptions, CachedRules>();

  /**
   * @param external whether the call came from outside
   * @param declared dotted paths that a query schema declares
   */
  of(options: ResolvedOptions, external: boolean, declared: readonly string[] | undefined): QueryOptions {
    const cache = external ? this.#external : this.#internal;
    const known = cache.get(options);
    const { paginate, operators = NONE, filters = NONE, paths = false } = options;
    if (known?.paginate === paginate && known.operators === operators && known.filters === filters && known.declared === declared)
      return known.rules;
    const rules: QueryOptions = {
      operators,
      filters: options.cursors ? [...filters, '$after', '$before'] : filters,
      paginate,
      ...(external ? { paths: declared ? [...(paths || []), ...declared] : paths, hidden: options.hidden ?? [] } : {}),
      ...(external && options.maxSkip !== undefined ? { maxSkip: options.maxSkip } : {}),
    };
    cache.set(options, { rules, paginate, operators, filters, declared });
    return rules;
  }
}

const NONE: readonly string[] = Object.freeze([]);
