/** @returns the value at a dotted path of own properties */
export function valueAt(record: unknown, path: string): unknown {
  let value = record;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/**
 * A copy of a record whose property at a dotted path can be read but is left out by JSON and by copying.
 *
 * @param record the record; it is not changed
 */
export function hidePath<T>(record: T, path: string): T {
  const [head = '', ...rest] = path.split('.');
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, head)) return record;
  const prototype = Object.getPrototypeOf(record) as object | null;
  const copy = Object.create(prototype, Object.getOwnPropertyDescriptors(record)) as T & object;
  const value = rest.length === 0 ? undefined : { value: hidePath((record as Record<string, unknown>)[head], rest.join('.')) };
  Object.defineProperty(copy, head, value ?? { enumerable: false });
  return copy;
}
