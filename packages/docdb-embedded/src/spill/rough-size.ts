import { Binary, type Doc, type Value } from '../bson/values.ts';
import { OVERHEAD } from './memory.ts';

/** Bytes of a number, and of what is not larger than one. */
const SMALL = 16;

/** @returns about how many bytes of memory a value takes */
export function roughSize(value: Value): number {
  return added(0, value);
}

/** Bytes at which counting ends: nothing has as much room. What expressions hold many times over may be more than could ever be counted. */
const MOST = 256 * 1024 * 1024;

function added(before: number, value: Value): number {
  if (typeof value === 'string') return before + SMALL + value.length;
  if (typeof value !== 'object' || value === null) return before + SMALL;
  const isList = Array.isArray(value);
  if (!isList && Object.getPrototypeOf(value) !== Object.prototype)
    return before + OVERHEAD + (value instanceof Binary ? value.length() : 0);
  let size = before + OVERHEAD;
  for (const part of isList ? (value as Value[]) : Object.values(value as Doc)) {
    if (size > MOST) return size;
    size = added(size, part);
  }
  return size;
}
