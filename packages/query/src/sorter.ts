import { isDate } from './built-in.ts';
import type { SortDirection } from './query-types.ts';

/**
 * Makes a comparator for `$sort`: stable, several keys, dotted paths, values of different types in a fixed order
 * (missing and null, numbers, text, booleans, dates, arrays, objects). Not-a-number comes before all numbers, and a date that is none before all dates.
 *
 * @param sort property names with 1 or -1, in the order of their weight
 * @returns a function for `Array.prototype.sort`
 * @see reference 9
 */
export function sorter(sort: Readonly<Record<string, SortDirection>>): (a: unknown, b: unknown) => number {
  const keys = Object.entries(sort).map(([name, direction]) => ({ path: name.split('.'), direction }));
  return (a, b) => {
    for (const { path, direction } of keys) {
      const order = compareValues(valueAt(a, path), valueAt(b, path));
      if (order !== 0) return order * direction;
    }
    return 0;
  };
}

/**
 * Compares two values of any type.
 *
 * @returns a negative number, 0 or a positive number
 */
export function compareValues(a: unknown, b: unknown): number {
  const rank = typeRank(a) - typeRank(b);
  if (rank !== 0) return rank;
  if (a === b || a === null || a === undefined || b === null || b === undefined) return 0;
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (typeRank(a) === OBJECT) return compareLists(Object.entries(a).flat(), Object.entries(b).flat());
  const left = a as number;
  const right = b as number;
  if (left < right) return -1;
  return left > right ? 1 : isNone(right) - isNone(left);
}

/** What is neither below nor above anything would let no order come about. */
function isNone(value: unknown): number {
  return Number(Number.isNaN(Number(value)));
}

const OBJECT = 6;

function typeRank(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'number' || typeof value === 'bigint') return 1;
  if (typeof value === 'string') return 2;
  if (typeof value === 'boolean') return 3;
  if (isDate(value)) return 4;
  return Array.isArray(value) ? 5 : OBJECT;
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compareValues(a[index], b[index]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}
