type Plain = Record<string, unknown>;

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
  }
  return result;
}

/** Copies plain objects and arrays at every depth and freezes the copies; instances such as keys are shared. */
export function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  if (!isPlain(value)) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, frozenCopy(inner)]))) as T;
}

function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
