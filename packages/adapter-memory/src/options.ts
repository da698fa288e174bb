import type { QueryOptions } from '@framework/query';
import { FURTHER_OPERATORS } from './conditions.ts';
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

/** What queries may hold, worked out once for the same options and declared paths. */
export class QueryRules {
  readonly #known = new WeakMap<ResolvedMemoryOptions, Map<unknown, QueryOptions>>();

  /**
   * @param external whether the call came from outside
   * @param declared dotted paths that a query schema declares
   */
  of(options: ResolvedMemoryOptions, external: boolean, declared: readonly string[] | undefined): QueryOptions {
    const known = this.#known.get(options) ?? new Map<unknown, QueryOptions>();
    this.#known.set(options, known);
    const key = external ? (declared ?? 'external') : 'internal';
    const rules = known.get(key) ?? rulesOf(options, external, declared);
    // Whoever makes the list anew for each call gets rules for each call.
    if (known.size < MOST) known.set(key, rules);
    return rules;
  }
}

/** Lists of declared paths that are told apart. */
const MOST = 10;

function rulesOf(options: ResolvedMemoryOptions, external: boolean, declared: readonly string[] = []): QueryOptions {
  const { paginate, operators = [], cursors, paths = [], hidden = [], maxSkip } = options;
  return {
    operators,
    paginate,
    ...(cursors ? { filters: ['$after', '$before'] } : {}),
    ...(external ? { paths: [...paths, ...declared], hidden, ...(maxSkip === undefined ? {} : { maxSkip }) } : {}),
  };
}
