import { BadRequest } from '@framework/errors';
import type { SortKey } from '../cursor-keys.ts';
import { compareSortValues, EMPTY, hasList, isList, placeOf, refuseAmbiguous, sortValueOf, whole } from './paths.ts';
import { isRecord, type StoredRecord } from './values.ts';

/**
 * Reads the values that a record is sorted by, one for each key. Where they lie in a list, those of one element belong together: the element that comes
 * first decides.
 *
 * @param keys properties with 1 or -1, in the order of their weight
 * @returns a function of plain records, whose values {@link compareSortValues} compares; it throws BadRequest (400) where two keys lie in different lists,
 *   and as {@link sortValueOf} does
 */
export function sortPositionOf(keys: readonly SortKey[]): (record: StoredRecord) => readonly unknown[] {
  const readers = keys.map(([name, direction]) => sortValueOf(name, direction));
  if (keys.length < 2) return (record) => readers.map((read) => read(record));
  const paths = keys.map(([name]) => name.split('.'));
  return (record) =>
    paths.some((path) => hasList(record, path)) ? firstOf(positionsOf(record, paths), keys) : readers.map((read) => read(record));
}

/**
 * Reads the first value of what {@link sortPositionOf} reads, without the others where that is the same: for telling early that a record comes later than others.
 *
 * @param keys one at least
 */
export function firstSortValueOf(keys: readonly SortKey[]): (record: StoredRecord) => unknown {
  const [[name, direction] = ['', 1] as const, ...others] = keys;
  const read = sortValueOf(name, direction);
  if (others.length === 0) return read;
  const positionOf = sortPositionOf(keys);
  const inList = readsList(name);
  // Two of them may be in different lists, which have no order.
  const beside = others.length > 1 ? others.map(([key]) => readsList(key)) : [];
  // With others an element without properties counts too, and the element that comes first is chosen by all.
  return (record) => (inList(record) || beside.some((reads) => reads(record)) ? positionOf(record)[0] : read(record));
}

/** @returns a function that tells whether a value to sort by lies in a list: of a property of the record itself that is seen at once */
function readsList(name: string): (record: StoredRecord) => boolean {
  if (!name.includes('.')) return (record) => Array.isArray(record[name]);
  const path = name.split('.');
  return (record) => hasList(record, path);
}

function firstOf([first = [], ...others]: readonly (readonly unknown[])[], keys: readonly SortKey[]): readonly unknown[] {
  let best = first;
  for (const other of others) if (compareSortPositions(other, best, keys) < 0) best = other;
  return best;
}

/** Compares what {@link sortPositionOf} reads of two records. */
export function compareSortPositions(a: readonly unknown[], b: readonly unknown[], keys: readonly SortKey[]): number {
  for (const [at, [, direction]] of keys.entries()) {
    const order = compareSortValues(a[at], b[at]);
    if (order !== 0) return order * direction;
  }
  return 0;
}

/** How far a path was followed. */
interface Reached {
  readonly value: unknown;
  readonly path: readonly string[];
}

function positionsOf(record: StoredRecord, paths: readonly (readonly string[])[]): (readonly unknown[])[] {
  const positions: (readonly unknown[])[] = [];
  const expand = (reached: readonly Reached[]): void => {
    const [list, another] = new Set(reached.map(({ value }) => value).filter(isList));
    if (another !== undefined)
      throw new BadRequest('Records can not be sorted by properties in different lists at once: sort by one of them');
    if (list === undefined) {
      positions.push(reached.map(({ value }) => value));
      return;
    }
    for (const element of list.length === 0 ? [EMPTY] : list)
      expand(reached.map((one) => (one.value === list ? follow(within(element, one.path)) : one)));
  };
  expand(paths.map((path) => follow({ value: record, path })));
  return positions;
}

/** Follows a path to its end or to the first list; a place in that is entered. */
function follow({ value, path }: Reached): Reached {
  let node = value;
  for (const [at, name] of path.entries()) {
    if (Array.isArray(node)) {
      const place = placeOf(name);
      if (place === undefined || place >= node.length) return { value: node, path: path.slice(at) };
      refuseAmbiguous(node, name);
      node = node[place];
      if (at === path.length - 1) return within(node, []);
    } else if (isRecord(node)) node = Object.hasOwn(node, name) ? node[name] : undefined;
    else return { value: undefined, path: [] };
  }
  return { value: node, path: [] };
}

/** An element stands where its list stood; a list in a list is a value, and nothing but records has properties. */
function within(element: unknown, path: readonly string[]): Reached {
  if (path.length > 0 && !isRecord(element)) return { value: undefined, path: [] };
  return { value: whole(element), path };
}
