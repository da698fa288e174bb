import { isPlainObject } from '@framework/query';

/**
 * Copies lists and plain objects at every depth; all else is shared: dates, values of the database, streams. What contains itself does so in the copy.
 *
 * @param value anything
 */
export function copyPlain<T>(value: T): T;
export function copyPlain(value: unknown): unknown {
  return copied(value, new Map());
}

function copied(value: unknown, known: Map<object, unknown>): unknown {
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return value;
  if (known.has(value)) return known.get(value);
  if (isList) {
    const list: unknown[] = [];
    known.set(value, list);
    for (const entry of value) list.push(copied(entry, known));
    return list;
  }
  const copy: object = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  known.set(value, copy);
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(value)))
    Object.defineProperty(copy, name, 'value' in property ? { ...property, value: copied(property.value, known) } : property);
  for (const symbol of Object.getOwnPropertySymbols(value)) Reflect.set(copy, symbol, Reflect.get(value, symbol));
  return copy;
}
