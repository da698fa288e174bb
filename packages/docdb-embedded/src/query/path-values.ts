import { type Doc, isDocument, own, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { spend, tick } from '../interrupt.ts';

/**
 * Collects the values that a dotted path of a query leads to. Arrays on the way are looked into, one level at each step,
 * and a number in the path is an index or a field name.
 *
 * @param root the document
 * @param path the parts of the path
 */
export function pathValues(root: Value, path: readonly string[]): Value[] {
  const values: Value[] = [];
  collect(root, path, 0, values, false, false);
  return values;
}

/** An array that a path names by its place in another one: what is asked of it is not asked of its elements. */
export class WholeArray extends Array<Value> {}

/** @returns the elements that are looked at beside the array at the end of a path */
export function elementsOf(value: Value): readonly Value[] {
  return Array.isArray(value) && !(value instanceof WholeArray) ? (value as Value[]) : NONE;
}

const NONE: readonly Value[] = [];

/** Bytes that a value takes among those that were collected, in a list that grows. */
const VALUE = 32;

/** @param forKeys whether a number in the path is an index only, where the array is so long */
function collect(value: Value, path: readonly string[], index: number, out: Value[], inArray: boolean, forKeys: boolean): void {
  if (index === path.length) {
    out.push(value);
    return;
  }
  const name = path[index] as string;
  if (Array.isArray(value)) {
    tick();
    spend(VALUE * value.length);
    const position = arrayIndex(name);
    if (position !== undefined && position < value.length) {
      const found = value[position] as Value;
      const isEnd = index + 1 === path.length;
      if (isEnd && Array.isArray(found)) out.push(WholeArray.from(found as Value[]));
      else collect(found, path, index + 1, out, false, forKeys);
      if (forKeys) {
        refuseAmbiguous(value as Value[], name);
        return;
      }
    }
    let any = false;
    for (const element of value as Value[]) {
      // Arrays directly inside arrays are reached by an index only.
      if (!isDocument(element)) continue;
      any = true;
      collect(element, path, index, out, true, forKeys);
    }
    if (!any && position === undefined && value.length === 0 && !inArray) return;
    return;
  }
  if (isDocument(value)) collect(own(value, name), path, index + 1, out, false, forKeys);
  else if (!inArray) out.push(undefined);
}

/**
 * A key is that of an element of an array, or of a field of its elements, and can not be both.
 *
 * @throws DocDbError (16746)
 */
export function refuseAmbiguous(list: readonly Value[], name: string): void {
  if (list.some((element) => isDocument(element) && Object.hasOwn(element, name)))
    throw new DocDbError(
      16746,
      `Ambiguous field name found in array (do not use numeric field names in embedded elements in an array), field: '${name}'`,
    );
}

/** @returns whether a path may lead to elements of arrays by their position */
export function isPositional(path: readonly string[]): boolean {
  return path.some((name, at) => at > 0 && arrayIndex(name) !== undefined);
}

/** @returns the index that a path part names, or `undefined` */
export function arrayIndex(name: string): number | undefined {
  return /^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) : undefined;
}

/**
 * The value of a concrete path: arrays are entered by index only.
 *
 * @returns `undefined` when the path leads nowhere
 */
export function readPath(root: Value, path: readonly string[]): Value {
  let value = root;
  for (const name of path) {
    if (Array.isArray(value)) {
      const position = arrayIndex(name);
      value = position === undefined ? undefined : (value as Value[])[position];
    } else if (isDocument(value)) value = own(value, name);
    else return undefined;
  }
  return value;
}

/**
 * The document's field by a dotted path, as keys of indexes and sorts are made: arrays are looked into and give several values.
 *
 * @throws DocDbError (16746) where a number in the path is both an element and a field
 */
export function indexValues(doc: Doc, path: readonly string[]): Value[] {
  const found: Value[] = [];
  collect(doc, path, 0, found, false, true);
  if (found.length === 0) return [undefined];
  const keys: Value[] = [];
  for (const value of found) {
    if (!Array.isArray(value) || value instanceof WholeArray) keys.push(value);
    else if (value.length === 0) keys.push(EMPTY_ARRAY_KEY);
    else {
      spend(VALUE * value.length);
      for (const element of value as Value[]) keys.push(element);
    }
  }
  return keys;
}

/** Stands for an empty array in indexes and sorting: below null. */
export const EMPTY_ARRAY_KEY: unique symbol = Symbol('empty array');
