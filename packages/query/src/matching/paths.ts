import { BadRequest } from '@framework/errors';
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
  collect(root, path, 0, found, false, false);
  return found;
}

/** A list that a path names by its place in another one. */
class WholeList extends Array<unknown> {}

/** @returns an element of a list; one that is a list is no {@link isList} then */
export function whole(element: unknown): unknown {
  return Array.isArray(element) ? WholeList.from(element) : element;
}

/** @returns whether the elements of what a path leads to are looked at, too: not those of a list that it names by its place in another one */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && !(value instanceof WholeList);
}

/** @param forOrder whether a number in the path is a place only, where the list is so long */
function collect(value: unknown, path: readonly string[], index: number, found: unknown[], inList: boolean, forOrder: boolean): void {
  const name = path[index];
  if (name === undefined) {
    found.push(value);
  } else if (Array.isArray(value)) {
    const place = placeOf(name);
    if (place !== undefined && place < value.length) {
      collect(whole(value[place]), path, index + 1, found, false, forOrder);
      if (forOrder) {
        refuseAmbiguous(value, name);
        return;
      }
    }
    // Lists directly inside of lists are reached by their place only.
    for (const element of value) if (isRecord(element)) collect(element, path, index, found, true, forOrder);
  } else if (isRecord(value)) collect(Object.hasOwn(value, name) ? value[name] : undefined, path, index + 1, found, false, forOrder);
  else if (!inList) found.push(undefined);
}

/** @throws BadRequest (400) where a part of a sort key is a place in a list, and a property of its elements too */
export function refuseAmbiguous(list: readonly unknown[], name: string): void {
  if (list.some((element) => isRecord(element) && Object.hasOwn(element, name)))
    throw new BadRequest(`Records can not be sorted by '${name}': it is a place in a list and a property in it`);
}

/**
 * @param name of a property
 * @returns what reads it of plain records: only what these inherit needs the question whose it is
 */
export function ownValueOf(name: string): (record: StoredRecord) => unknown {
  if (name in Object.prototype) return (record) => (Object.hasOwn(record, name) ? record[name] : undefined);
  return (record) => record[name];
}

/** @returns the place in a list that a part of a path names, or `undefined` */
export function placeOf(name: string): number | undefined {
  return /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : undefined;
}

/** Sorts before everything: a list without elements. */
export const EMPTY: unique symbol = /* @__PURE__ */ Symbol('an empty list');

/**
 * Reads the value that a record is sorted by: of a list the smallest element, or the largest where the order is descending.
 *
 * @param name dotted path of the sort key
 * @param direction 1 or -1
 * @returns a function of plain records, whose values {@link compareSortValues} compares; it throws BadRequest (400) where a number in the name is
 *   the place of an element and a property of elements
 */
export function sortValueOf(name: string, direction: number): (record: StoredRecord) => unknown {
  const path = name.split('.');
  if (path.length > 1)
    return (record) => {
      const found: unknown[] = [];
      collect(record, path, 0, found, false, true);
      return outermost(found, direction);
    };
  const own = ownValueOf(name);
  return (record) => {
    const only = own(record);
    return typeof only === 'object' && Array.isArray(only) ? outermost([only], direction) : only;
  };
}

function outermost(values: readonly unknown[], direction: number): unknown {
  const found = values.flatMap((value): readonly unknown[] => (isList(value) ? (value.length === 0 ? [EMPTY] : value) : [value]));
  let best = found[0];
  for (const value of found) if (compareSortValues(value, best) * direction < 0) best = value;
  return best;
}

/** Compares two values of {@link sortValueOf}. */
export function compareSortValues(a: unknown, b: unknown): number {
  return a === EMPTY || b === EMPTY ? Number(b === EMPTY) - Number(a === EMPTY) : compareValues(a, b);
}

/**
 * Prepares a comparison with one value, for many others.
 *
 * @param limit a value of {@link sortValueOf}
 * @param direction 1 or -1
 * @returns whether a value comes after the limit: the same as `compareSortValues(value, limit) * direction > 0`
 */
export function isAfter(limit: unknown, direction: number): (value: unknown) => boolean {
  const after = (value: unknown): boolean => compareSortValues(value, limit) * direction > 0;
  const ascending = direction > 0;
  if (typeof limit === 'number' && !Number.isNaN(limit))
    return (value) => (typeof value === 'number' && !Number.isNaN(value) ? (ascending ? value > limit : value < limit) : after(value));
  if (typeof limit === 'string' && !LATE.test(limit))
    return (value) => (typeof value === 'string' ? (ascending ? value > limit : value < limit) : after(value));
  return after;
}

/** Texts with none of these are before and after others by their code units as by their code points. */
const LATE = /[\ud800-\uffff]/;

/** @returns whether a list lies on a path, or at its end */
export function hasList(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return true;
  const [name, ...rest] = path;
  return name !== undefined && isRecord(value) && Object.hasOwn(value, name) && hasList(value[name], rest);
}
