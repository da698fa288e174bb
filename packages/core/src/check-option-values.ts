import { inspected } from './inspected.ts';

/** What the value of an option is. */
export type OptionKind = 'name' | 'names' | 'count' | 'flag' | 'integer' | 'function' | 'records';

const KINDS: Readonly<Record<OptionKind, readonly [fits: (value: unknown) => boolean, said: string]>> = {
  name: [(value) => typeof value === 'string' && value !== '', 'a name'],
  names: [(value) => Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== ''), 'a list of names'],
  count: [(value) => value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 0), 'a whole number, or Infinity for no limit'],
  flag: [(value) => typeof value === 'boolean', 'true or false'],
  integer: [(value) => Number.isSafeInteger(value), 'a whole number'],
  function: [(value) => typeof value === 'function' && !isAsync(value), 'a function that gives its value at once'],
  records: [areRecords, 'a list of records, or an object of records by their ids'],
};

/** What gives promises is not waited for. */
function isAsync(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object AsyncFunction]';
}

/** A map has no properties: it would be none. */
function areRecords(value: unknown): boolean {
  const records: unknown = isObject(value) && !(Symbol.iterator in value) ? Object.values(value) : value;
  return Array.isArray(records) && records.every(isObject);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Refuses values that would be taken for others in silence, or fail with the first call: a text has names in it as a list has, and no number is below
 * one that is none.
 *
 * @param of what the options are given to, such as the name of a service's class
 * @param options callers without types may give anything
 * @param kinds what the options are, by their names; what is not in it, or not said, is not looked at
 * @throws TypeError that says what the option is
 */
export function checkOptionValues(of: string, options: object, kinds: Readonly<Record<string, OptionKind | undefined>>): void {
  for (const [name, kind] of Object.entries(kinds)) {
    if (kind === undefined) continue;
    const value: unknown = Reflect.get(options, name);
    const [fits, said] = KINDS[kind];
    if (value !== undefined && !fits(value)) throw new TypeError(`The option '${name}' of ${of} is ${said}, and not ${shown(value)}`);
  }
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list with something else';
  return isObject(value) ? 'an object' : inspected(value);
}
