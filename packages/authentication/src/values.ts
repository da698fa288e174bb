/** @returns whether a value has properties */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** @returns a property of a value of any shape, also of a function, as applications of Express are; `undefined` where there is none */
export function property(value: unknown, name: PropertyKey): unknown {
  return (typeof value === 'object' && value !== null) || typeof value === 'function' ? Reflect.get(value, name) : undefined;
}

/** Puts an entry at the end of a map that is not to grow beyond a size: the one put longest ago goes first. */
export function putBounded<K, V>(map: Map<K, V>, key: K, value: V, size: number): void {
  map.delete(key);
  for (const oldest of map.keys()) {
    if (map.size < size) break;
    map.delete(oldest);
  }
  map.set(key, value);
}
