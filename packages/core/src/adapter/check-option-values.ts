import type { AdapterOptions } from './adapter-options.ts';
import { inspected } from './check-paginate.ts';

/** What the value of an option is. */
export type OptionKind = 'name' | 'names' | 'count';

const KINDS: Readonly<Record<OptionKind, readonly [fits: (value: unknown) => boolean, said: string]>> = {
  name: [(value) => typeof value === 'string' && value !== '', 'a name'],
  names: [(value) => Array.isArray(value) && value.every((name) => typeof name === 'string'), 'a list of names'],
  count: [(value) => value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 0), 'a whole number, or Infinity for no limit'],
};

/** What the options are that adapters have in common. */
export const ADAPTER_OPTIONS: Readonly<Partial<Record<keyof AdapterOptions, OptionKind>>> = {
  id: 'name',
  version: 'name',
  operators: 'names',
  filters: 'names',
  hidden: 'names',
  events: 'names',
  maxMulti: 'count',
  maxSkip: 'count',
};

/**
 * Refuses values that would be taken for others in silence, or fail with the first call: a text has names in it as a list has, and no number is below
 * one that is none.
 *
 * @param of name of the service's class
 * @param options callers without types may give anything
 * @param kinds what the options are, by their names; what is not in it is not looked at
 * @throws TypeError that says what the option is
 */
export function checkOptionValues(of: string, options: object, kinds: Readonly<Record<string, OptionKind>> = ADAPTER_OPTIONS): void {
  for (const [name, kind] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(options, name);
    const [fits, said] = KINDS[kind];
    if (value !== undefined && !fits(value)) throw new TypeError(`The option '${name}' of ${of} is ${said}, and not ${shown(value)}`);
  }
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list with something else';
  return typeof value === 'object' && value !== null ? 'an object' : inspected(value);
}
