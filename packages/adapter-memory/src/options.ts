import { ADAPTER_OPTIONS, checkOptionNames, checkOptionValues } from '@framework/core/adapter';
import { FURTHER_OPERATORS } from '@framework/query';
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
 * @throws Error for an option, or an operator, that services in memory do not have, and for options that are not what they have to be
 */
export function resolveOptions(options: MemoryServiceOptions): ResolvedMemoryOptions {
  checkOptionNames('MemoryService', options, NAMES);
  checkOptionValues('MemoryService', options, { ...ADAPTER_OPTIONS, paths: 'names', indexes: 'names' });
  const operator = options.operators?.find((name) => !FURTHER_OPERATORS.includes(name));
  if (operator !== undefined)
    throw new Error(`MemoryService has no operator '${operator}'. 'operators' takes ${FURTHER_OPERATORS.join(', ')}`);
  return { id: 'id', paginate: false, multi: false, maxMulti: 10_000, events: [], ...options };
}
