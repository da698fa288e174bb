import { compareValues, isRecord, type StoredRecord } from './values.ts';

/**
 * The values that a dotted path leads to. Lists on the way are looked into, one level at each step, and a number in the path is a place in
 * a list or the name of a property.
 *
 * @param path the parts of the path
 * @returns `undefined` among them for each place where there is nothing
 */
export function valuesAt(root: unknown, path: readonly string[]): unknown[] {
  const found: unknown[] = [];
  collect(root, path, 0, found, false);
  return found;
}

function collect(value: unknown, path: readonly string[], index: number, found: unknown[], inList: boolean): void {
  const name = path[index];
  if (name === undefined) {
    found.push(value);
  } else if (Array.isArray(value)) {
    const place = placeOf(name);
    if (place !== undefined && place < value.length) collect(value[place], path, index + 1, found, false);
    // Lists directly inside of lists are reached by their place only.
    for (const element of value) if (isRecord(element)) collect(element, path, index, found, true);
  } else if (isRecord(value)) collect(Object.hasOwn(value, name) ? value[name] : undefined, path, index + 1, found, false);
  else if (!inList) found.push(undefined);
}

/** @returns the place in a list that a part of a path names, or `undefined` */
export function placeOf(name: string): number | undefined {
  return /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : undefined;
}

/** Sorts before everything: a list without elements. */
const EMPTY = /* @__PURE__ */ Symbol('an empty list');

/**
 * The value that a record is sorted by: of a list the smallest element, or the largest where the order is descending.
 *
 * @param direction 1 or -1
 */
export function sortValue(record: StoredRecord, path: readonly string[], direction: number): unknown {
  const [name = ''] = path;
  const only = path.length === 1 && Object.hasOwn(record, name) ? record[name] : undefined;
  if (path.length === 1 && !Array.isArray(only)) return only;
  const found = valuesAt(record, path).flatMap((value): unknown[] =>
    Array.isArray(value) ? (value.length === 0 ? [EMPTY] : value) : [value],
  );
  let best = found[0];
  for (const value of found) if (compareSortValues(value, best) * direction < 0) best = value;
  return best;
}

/** Compares two of {@link sortValue}. */
export function compareSortValues(a: unknown, b: unknown): number {
  return a === EMPTY || b === EMPTY ? Number(b === EMPTY) - Number(a === EMPTY) : compareValues(a, b);
}

/** @returns whether a list lies on a path, or at its end */
export function hasList(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return true;
  const [name, ...rest] = path;
  return name !== undefined && isRecord(value) && Object.hasOwn(value, name) && hasList(value[name], rest);
}
