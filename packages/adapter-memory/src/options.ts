import { FURTHER_OPERATORS, type QueryOptions } from '@framework/query';
import type { MemoryServiceOptions, ResolvedMemoryOptions } from './memory-types.ts';

const NAMES: ReadonlySet<string> = new Set<keyof MemoryServiceOptions>([
  'id',
  'startId',
  'createId',
  'store',
  'indexes',
  'paginate',
  'multi',
  'operators',
  'paths',
  'hidden',
  'maxMulti',
  'maxSkip',
  'cursors',
  'version',
  'events',
]);

/**
 * The options of a service with their defaults.
 *
 * @throws Error for an option, or an operator, that services in memory do not have
 */
export function resolveOptions(options: MemoryServiceOptions): ResolvedMemoryOptions {
  const unknown = Object.keys(options).find((name) => !NAMES.has(name));
  if (unknown !== undefined) throw new Error(`MemoryService has no option '${unknown}'. It has ${[...NAMES].join(', ')}`);
  const operator = options.operators?.find((name) => !FURTHER_OPERATORS.includes(name));
  if (operator !== undefined)
    throw new Error(`MemoryService has no operator '${operator}'. 'operators' takes ${FURTHER_OPERATORS.join(', ')}`);
  return { id: 'id', paginate: false, multi: false, maxMulti: 10_000, events: [], ...options };
}

interface KnownRules {
  readonly rules: QueryOptions;
  readonly declared: readonly string[] | undefined;
  readonly paginate: ResolvedMemoryOptions['paginate'];
}

/** What queries may hold, worked out once for the same options. The page sizes may be changed while the service runs. */
export class QueryRules {
  readonly #external = new WeakMap<ResolvedMemoryOptions, KnownRules>();
  readonly #internal = new WeakMap<ResolvedMemoryOptions, KnownRules>();

  /**
   * @param external whether the call came from outside
   * @param declared dotted paths that a query schema declares
   */
  of(options: ResolvedMemoryOptions, external: boolean, declared: readonly string[] | undefined): QueryOptions {
    const cache = external ? this.#external : this.#internal;
    const known = cache.get(options);
    const { paginate } = options;
    if (known?.paginate === paginate && known.declared === declared) return known.rules;
    const rules = rulesOf(options, external, declared);
    cache.set(options, { rules, declared, paginate });
    return rules;
  }
}

function rulesOf(options: ResolvedMemoryOptions, external: boolean, declared: readonly string[] = []): QueryOptions {
  const { paginate, operators = [], cursors, paths = [], hidden = [], maxSkip } = options;
  return {
    operators,
    paginate,
    ...(cursors ? { filters: ['$after', '$before'] } : {}),
    ...(external ? { paths: [...paths, ...declared], hidden, ...(maxSkip === undefined ? {} : { maxSkip }) } : {}),
  };
}
