import { checkOptionNames, checkOptionValues, givenOptions, type OptionKind } from '@framework/core/adapter';
import { FURTHER_OPERATORS } from '@framework/query';
import type { MemoryServiceOptions, ResolvedMemoryOptions } from './memory-types.ts';

/** What the options are; those that have a check of their own are not said. */
const KINDS: Readonly<Record<keyof MemoryServiceOptions, OptionKind | undefined>> = {
  id: 'name',
  startId: 'integer',
  createId: 'function',
  store: 'records',
  indexes: 'names',
  paginate: undefined,
  multi: undefined,
  operators: 'names',
  paths: 'names',
  hidden: 'names',
  maxMulti: 'count',
  maxSkip: 'count',
  cursors: 'flag',
  version: 'name',
  events: 'names',
};
const NAMES: ReadonlySet<string> = new Set(Object.keys(KINDS));

/**
 * The options of a service with their defaults.
 *
 * @throws Error for an option, or an operator, that services in memory do not have, and for options that are not what they have to be
 */
export function resolveOptions(options: MemoryServiceOptions): ResolvedMemoryOptions {
  checkOptionNames('MemoryService', options, NAMES);
  checkOptionValues('MemoryService', options, KINDS);
  const operator = options.operators?.find((name) => !FURTHER_OPERATORS.includes(name));
  if (operator !== undefined)
    throw new Error(`MemoryService has no operator '${operator}'. 'operators' takes ${FURTHER_OPERATORS.join(', ')}`);
  return { id: 'id', paginate: false, multi: false, maxMulti: 10_000, events: [], ...givenOptions(options) };
}
