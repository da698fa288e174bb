import type { DocDbServiceOptions, ResolvedOptions } from './docdb-types.ts';

const DEFAULTS = {
  id: '_id',
  paginate: false,
  multi: false,
  maxTimeMS: 30_000,
  maxMulti: 10_000,
  returning: 'records',
  total: 'exact',
  disabledOperators: ['$rename'],
  events: [],
} satisfies Partial<DocDbServiceOptions>;

/**
 * The options of a service with their defaults.
 *
 * @param options callers without types may leave them out
 * @throws Error without a `Model`
 */
export function resolveOptions(options: DocDbServiceOptions | undefined): ResolvedOptions {
  if (options?.Model === undefined)
    throw new Error("DocDbService needs options with a 'Model': a collection of the mongodb driver, or a promise of one");
  return { ...DEFAULTS, ...options };
}
