import { CALL_OPTIONS as OF_ADAPTERS, checkOptionNames, checkOptionValues, givenOptions, type OptionKind } from '@framework/core/adapter';
import { FURTHER_OPERATORS } from '@framework/query';
import type { MemoryCallOptions, MemoryServiceOptions, ResolvedMemoryOptions } from './memory-types.ts';

/** What the options are that one call may have otherwise; those that have a check of their own are not said. */
const OF_CALLS: Readonly<Record<keyof MemoryCallOptions, OptionKind | undefined>> = {
  paginate: undefined,
  multi: undefined,
  paths: 'names',
  ...OF_ADAPTERS,
  cursors: 'flag',
};
export const CALL_OPTIONS: ReadonlySet<string> = new Set(Object.keys(OF_CALLS));

const KINDS: Readonly<Record<keyof MemoryServiceOptions, OptionKind | undefined>> = {
  id: 'name',
  startId: 'integer',
  createId: 'function',
  store: 'records',
  indexes: 'names',
  hidden: 'names',
  version: 'name',
  events: 'names',
  ...OF_CALLS,
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
