import { inspect } from 'node:util';

type Plain = Record<string, unknown>;

/** Settings at whatever depth that are secrets: those of this package and those of strategies. */
export const SECRET: ReadonlySet<string> = new Set(['secret', 'clientSecret', 'privateKey']);

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
      const joined = isPlain(value) && isPlain(result[name]) ? mergeOptions(result[name], value) : value;
      put(result, name, joined, isUnseen(source as object, name));
    }
    if (source) showAs(source, result);
  }
  return result;
}

function copyOf(source: Plain): Plain {
  const copy: Plain = {};
  for (const [name, inner] of Object.entries(source)) put(copy, name, frozenCopy(inner), isUnseen(source, name));
  return copy;
}

/** Settings from files keep the values of secrets where no inspection looks. */
function isUnseen(source: object, name: string): boolean {
  return Object.getOwnPropertyDescriptor(source, name)?.get !== undefined;
}

/** @param unseen whether no inspection is to show the value, whatever its options */
function put(copy: object, name: string, value: unknown, unseen: boolean): void {
  if (!unseen && !SECRET.has(name) && name !== '__proto__') {
    Reflect.set(copy, name, value);
    return;
  }
  const set = (next: unknown): void => {
    put(copy, name, next, true);
  };
  Object.defineProperty(copy, name, { get: () => value, set, enumerable: true, configurable: true });
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
  const copy = Array.isArray(value) ? value.map(frozenCopy) : isPlain(value) ? copyOf(value) : undefined;
  if (copy === undefined) return value;
  showAs(value as object, copy);
  return Object.freeze(copy) as T;
}

function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
