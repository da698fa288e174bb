import { isPlainObject } from '@framework/query';

/** Levels that are copied: the database has no more than 100, and what is deeper is refused by whoever checks it. */
const MAX_DEPTH = 200;

/**
 * Copies lists and plain objects, 200 levels deep; all else is shared: dates, values of the database, streams. What contains itself does so in the copy.
 *
 * @param value anything
 */
export function copyPlain<T>(value: T): T;
export function copyPlain(value: unknown): unknown {
  return copied(value, new Map(), 0);
}

function copied(value: unknown, known: Map<object, unknown>, depth: number): unknown {
  const isList = Array.isArray(value);
  if ((!isList && !isPlainObject(value)) || depth > MAX_DEPTH) return value;
  if (known.has(value)) return known.get(value);
  if (isList) {
    const list: unknown[] = [];
    known.set(value, list);
    for (const entry of value) list.push(copied(entry, known, depth + 1));
    return list;
  }
  const copy: Record<string, unknown> = { ...value };
  known.set(value, copy);
  for (const [name, entry] of Object.entries(copy)) copy[name] = copied(entry, known, depth + 1);
  return copy;
}
