import { types } from 'node:util';
import { isPlainObject } from '@framework/query';

/** Levels that are copied: the database has no more than 100, and what is deeper is refused by whoever checks it. */
const MAX_DEPTH = 200;

/**
 * Copies lists, plain objects, maps, dates and bytes, 200 levels deep; all else is shared: values of the database, instances of classes, streams. What contains
 * itself does so in the copy.
 *
 * @param value anything
 */
export function copyPlain<T>(value: T): T;
export function copyPlain(value: unknown): unknown {
  return copied(value, new Map(), 0);
}

function copied(value: unknown, known: Map<object, unknown>, depth: number): unknown {
  if (types.isDate(value)) return new Date(value);
  // By the method of all of them: that of a `Buffer` shares its bytes.
  if (types.isUint8Array(value)) return Buffer.isBuffer(value) ? Buffer.from(value) : Uint8Array.prototype.slice.call(value);
  const isList = Array.isArray(value);
  const isMap = types.isMap(value);
  if ((!isList && !isMap && !isPlainObject(value)) || depth > MAX_DEPTH) return value;
  if (known.has(value)) return known.get(value);
  const inside = (entry: unknown): unknown => copied(entry, known, depth + 1);
  if (isList) {
    const list: unknown[] = [];
    known.set(value, list);
    for (const entry of value) list.push(inside(entry));
    return list;
  }
  if (isMap) {
    const map = new Map<unknown, unknown>();
    known.set(value, map);
    for (const [key, entry] of value) map.set(key, inside(entry));
    return map;
  }
  const copy: Record<string, unknown> = { ...value };
  known.set(value, copy);
  for (const [name, entry] of Object.entries(copy)) copy[name] = inside(entry);
  return copy;
}
