/** The classes that values are told by. */
interface BuiltIns {
  readonly Date: Date;
  readonly RegExp: RegExp;
  readonly Map: Map<unknown, unknown>;
  readonly Set: Set<unknown>;
  readonly Promise: Promise<unknown>;
}

/**
 * Tells instances of built-in classes, also those of another realm, which has classes of its own: a worker, a context of `node:vm`, and `structuredClone` in tests
 * whose runner gives them a realm.
 *
 * @param kind name of the class
 * @param value anything
 */
export function isBuiltIn<K extends keyof BuiltIns>(kind: K, value: unknown): value is BuiltIns[K] {
  return Object.prototype.toString.call(value) === `[object ${kind}]`;
}

/** @returns whether a value is a date, of whatever realm */
export function isDate(value: unknown): value is Date {
  return isBuiltIn('Date', value);
}

/** @returns whether a value is a regular expression, of whatever realm */
export function isPattern(value: unknown): value is RegExp {
  return isBuiltIn('RegExp', value);
}

/**
 * Takes dates, patterns and maps of another realm for what they are.
 *
 * @param value anything
 * @returns one of this realm that says the same; any other value itself
 */
export function inThisRealm(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isDate(value)) return value instanceof Date ? value : new Date(value);
  if (isPattern(value)) return value instanceof RegExp ? value : new RegExp(value);
  return isBuiltIn('Map', value) && !(value instanceof Map) ? new Map(value) : value;
}
