import { FEATURES } from './server/features.ts';
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
 * @throws Error without a `Model`, and for options that are not what they have to be
 */
export function resolveOptions(options: DocDbServiceOptions | undefined): ResolvedOptions {
  if (options?.Model === undefined)
    throw new Error("DocDbService needs options with a 'Model': a collection of the mongodb driver, or a promise of one");
  for (const feature of options.requires ?? []) {
    if (!FEATURES.includes(feature))
      throw new Error(`The option 'requires' of DocDbService knows ${FEATURES.join(', ')}, and not '${feature}'`);
  }
  const { slowMs, indexes, createIndexes } = options;
  if (slowMs !== undefined && !(Number.isFinite(slowMs) && slowMs >= 0))
    throw new Error("The option 'slowMs' of DocDbService is a number of milliseconds");
  if (createIndexes === true && indexes === undefined)
    throw new Error("The option 'createIndexes' of DocDbService needs 'indexes': which ones are to be created");
  return { ...DEFAULTS, ...options };
}
