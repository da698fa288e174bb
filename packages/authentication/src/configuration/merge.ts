import { inspect } from 'node:util';

type Plain = Record<string, unknown>;

/** What says how an object is shown, as settings from files say it to keep their secrets out of logs. */
const SHOWN = [inspect.custom, 'toJSON'] as const;

/**
 * Joins configuration objects: later values win, plain objects are joined, everything else is taken as it is.
 *
 * @param sources objects; they are not changed
 * @returns a new object; keys that would reach a prototype are left out
 */
export function mergeOptions(...sources: readonly (object | undefined)[]): Plain {
  const result: Plain = {};
  for (const source of sources) {
    for (const [name, value] of Object.entries(source ?? {}) as [string, unknown][]) {
      if (name === '__proto__' || name === 'constructor' || name === 'prototype' || value === undefined) continue;
      result[name] = isPlain(value) && isPlain(result[name]) ? mergeOptions(result[name], value) : value;
    }
    if (source) showAs(source, result);
  }
  return result;
}

/** Lets a copy be shown as what it was made of; what is enumerable is a setting, and copied as one. */
export function showAs(source: object, copy: object): void {
  for (const name of SHOWN) {
    const own = Object.getOwnPropertyDescriptor(source, name);
    if (own?.enumerable === false) Object.defineProperty(copy, name, { ...own, configurable: true });
  }
}

/** Copies plain objects and arrays at every depth and freezes the copies; instances such as keys are shared. */
export function frozenCopy<T>(value: T): T {
  const copy = Array.isArray(value)
    ? value.map(frozenCopy)
    : isPlain(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, frozenCopy(inner)]))
      : undefined;
  if (copy === undefined) return value;
  showAs(value as object, copy);
  return Object.freeze(copy) as T;
}

function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
