import { Binary, type Value } from '../bson/values.ts';
import { OVERHEAD } from './memory.ts';

/** Bytes of a number, and of what is not larger than one. */
const SMALL = 16;

/** @returns about how many bytes of memory a value takes */
export function roughSize(value: Value): number {
  if (typeof value === 'string') return SMALL + value.length;
  if (typeof value !== 'object' || value === null) return SMALL;
  if (Array.isArray(value)) {
    let size = OVERHEAD;
    for (const element of value) size += roughSize(element as Value);
    return size;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return OVERHEAD + (value instanceof Binary ? value.length() : 0);
  let size = OVERHEAD;
  for (const name of Object.keys(value)) size += roughSize((value as Record<string, Value>)[name]);
  return size;
}
