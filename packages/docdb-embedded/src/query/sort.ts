import type { Collator } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import { wholeOption } from '../bson/rounding.ts';
import { type Doc, isDocument, isNumber, own, type Value } from '../bson/values.ts';
import { fieldPath } from '../aggregation/field-path.ts';
import { badValue, DocDbError } from '../errors.ts';
import { documentKeys } from './document-keys.ts';
import { EMPTY_ARRAY_KEY, indexValues } from './path-values.ts';

/** Code of the error for keys that lead through different arrays. */
const PARALLEL = 171;

/** One key of a sort. */
export interface SortKey {
  readonly name: string;
  readonly path: readonly string[];
  readonly direction: 1 | -1;
  /** Sorts by the score of a text search. */
  readonly textScore: boolean;
  /** What was found out by a search and is sorted by, where that is said. */
  readonly meta?: string;
}

/**
 * Reads a sort document.
 *
 * @throws DocDbError (2, 9, 15974, 15975, 31138) for what is no direction, and for the natural order beside others
 */
export function parseSort(sort: Doc | undefined): SortKey[] {
  if (sort && '$natural' in sort && Object.keys(sort).length > 1)
    throw badValue("Cannot include '$natural' in compound sort: it is an order of its own");
  return Object.keys(sort ?? {})
    .filter((name) => name !== '$natural' && !isNever(sort?.[name]))
    .map((name) => {
      const value = sort?.[name];
      if (isDocument(value) && '$meta' in value && Object.keys(value).length > 1)
        throw new DocDbError(9, `$meta must be the only field of an order: ${name}`);
      if (isDocument(value) && SCORES.has(value.$meta))
        return { name, path: name.split('.'), direction: -1, textScore: true, meta: String(value.$meta) };
      if (isDocument(value) && '$meta' in value) throw new DocDbError(31138, `Illegal $meta sort: ${String(value.$meta)}`);
      if (!isNumber(value)) throw new DocDbError(15974, `Illegal key in $sort specification: ${name}`);
      const direction = wholeOption(value);
      if (direction !== 1 && direction !== -1)
        throw new DocDbError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
      fieldPath(name);
      return { name, path: name.split('.'), direction, textScore: false };
    });
}

const MAX_SORT_KEYS = 32;

function checkCount(sort: Doc): void {
  // What a search has found out is no field.
  const fields = Object.values(sort).filter((value) => !(isDocument(value) && '$meta' in value));
  if (fields.length > MAX_SORT_KEYS) throw new DocDbError(13103, `too many compound keys, at most ${String(MAX_SORT_KEYS)} are allowed`);
}

/**
 * Reads the order in which documents are asked for.
 *
 * @throws DocDbError (13103) for too many keys, and what {@link parseSort} throws
 */
export function parseQuerySort(sort: Doc | undefined): SortKey[] {
  checkCount(sort ?? {});
  return parseSort(sort);
}

/** @throws DocDbError (9, 13103, 16410, 17312) for what an aggregation does not sort by */
export function checkSortKeys(sort: Doc): void {
  const names = Object.keys(sort);
  checkCount(sort);
  if (names.includes('$natural')) throw new DocDbError(16410, '$natural is an order of find, and not of the stage $sort');
  for (const name of names) checkSortKey(name, sort[name]);
}

/** @throws DocDbError (17312) for an order by an expression */
function checkSortKey(name: string, value: Value): void {
  if (!isDocument(value)) return;
  if (!('$meta' in value)) throw new DocDbError(17312, `$meta is the only expression supported by $sort right now: ${name}`);
}

/** What a search found out and can be sorted by. */
const SCORES: ReadonlySet<Value> = new Set(['textScore', 'geoNearDistance']);
/** What only other searches find out: an order by it changes nothing. */
const NEVER: ReadonlySet<Value> = new Set(['randVal', 'searchScore', 'vectorSearchScore']);

function isNever(value: Value): boolean {
  return isDocument(value) && Object.keys(value).length === 1 && NEVER.has(value.$meta);
}

/** Compares index and sort keys: an empty array is below null, missing is null. */
export function compareKeys(a: Value, b: Value, collator?: Collator): number {
  if (a === EMPTY_ARRAY_KEY || b === EMPTY_ARRAY_KEY) {
    return a === b ? 0 : a === EMPTY_ARRAY_KEY ? emptyOrder(b) : -emptyOrder(a);
  }
  return compare(a === undefined ? null : a, b === undefined ? null : b, collator);
}

/** The key of an empty array is `undefined` in MongoDB's order: above MinKey and below null. */
function emptyOrder(other: Value): number {
  return compare(undefined, other === undefined ? null : other);
}

/** The smallest (ascending) or largest (descending) key of an array stands for it. */
function sortKey(doc: Doc, key: SortKey, collator: Collator | undefined): Value {
  const only = key.path.length === 1 ? own(doc, key.name) : undefined;
  if (key.path.length === 1 && !Array.isArray(only)) return only;
  const values = indexValues(doc, key.path);
  let best = values[0];
  for (const value of values.slice(1)) if (compareKeys(value, best, collator) * key.direction < 0) best = value;
  return best;
}

/** What was found out of a document, for a key that asks for it. */
export type Score = (doc: Doc, key: SortKey) => Value;

/**
 * The values that order a document, one for each key. Of an array in them the values of one element belong together, as in an index of these keys.
 *
 * @throws DocDbError (2) where two keys lead through different arrays; (16746) where a number in a key is both an element and a field
 */
export function sortKeysOf(doc: Doc, keys: readonly SortKey[], collator?: Collator, score?: Score): Value[] {
  const scored = (key: SortKey): Value => score?.(doc, key) ?? 0;
  if (keys.length === 1) return keys.map((key) => (key.textScore ? scored(key) : sortKey(doc, key, collator)));
  const found: Value[] = [];
  for (const key of keys) {
    const value = key.textScore ? scored(key) : beforeArrays(doc, key.path);
    if (Array.isArray(value)) {
      const paths = keys.filter(({ textScore }) => !textScore);
      const best = bestKey(doc, paths, collator);
      return keys.map((each) => (each.textScore ? scored(each) : best[paths.indexOf(each)]));
    }
    found.push(value);
  }
  return found;
}

/** @returns the first array on a path, or else what is at its end */
export function beforeArrays(doc: Doc, path: readonly string[]): Value {
  let value: Value = doc;
  for (const name of path) {
    if (!isDocument(value)) return Array.isArray(value) ? value : undefined;
    value = own(value, name);
  }
  return value;
}

function bestKey(doc: Doc, keys: readonly SortKey[], collator: Collator | undefined): readonly Value[] {
  const [first = [], ...others] = keysThrough(doc, keys);
  let best = first;
  for (const other of others) if (compareAll(other, best, keys, collator) < 0) best = other;
  return best;
}

function keysThrough(doc: Doc, keys: readonly SortKey[]): readonly (readonly Value[])[] {
  try {
    return documentKeys(
      doc,
      keys.map(({ path }) => path),
    ).keys;
  } catch (error) {
    if (error instanceof DocDbError && error.code === PARALLEL) throw new DocDbError(2, 'cannot sort with keys that are parallel arrays');
    throw error;
  }
}

/** Compares the values of two documents by the keys of a sort or an index. */
export function compareAll(
  a: readonly Value[],
  b: readonly Value[],
  keys: readonly Pick<SortKey, 'direction'>[],
  collator?: Collator,
): number {
  for (const [at, { direction }] of keys.entries()) {
    const order = compareKeys(a[at], b[at], collator);
    if (order !== 0) return order * direction;
  }
  return 0;
}

/**
 * Sorts documents; the input stays as it is, equal documents keep their order.
 *
 * @param score score of a document in a text search
 * @param limit largest number of documents to return
 */
export function sortDocuments(
  docs: readonly Doc[],
  keys: readonly SortKey[],
  collator?: Collator,
  score?: Score,
  limit: number = Infinity,
): Doc[] {
  if (keys.length === 0) return docs.slice(0, limit);
  const rows = docs.map((doc) => ({ doc, keys: sortKeysOf(doc, keys, collator, score) }));
  rows.sort((a, b) => compareAll(a.keys, b.keys, keys, collator));
  return (rows.length > limit ? rows.slice(0, limit) : rows).map((row) => row.doc);
}
