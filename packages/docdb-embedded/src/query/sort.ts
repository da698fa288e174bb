import type { Collator } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import { wholeOption } from '../bson/rounding.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { fieldPath } from '../aggregation/field-path.ts';
import { DocDbError } from '../errors.ts';
import { EMPTY_ARRAY_KEY, indexValues } from './path-values.ts';

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
 * @throws DocDbError (2, 15974, …) for directions other than 1 and -1
 */
export function parseSort(sort: Doc | undefined): SortKey[] {
  return Object.keys(sort ?? {})
    .filter((name) => name !== '$natural' && !isNever(sort?.[name]))
    .map((name) => {
      const value = sort?.[name];
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

/** What a search found out and can be sorted by. */
const SCORES: ReadonlySet<Value> = new Set(['textScore', 'geoNearDistance']);
/** What only other searches find out: an order by it changes nothing. */
const NEVER: ReadonlySet<Value> = new Set(['randVal', 'searchScore', 'vectorSearchScore']);

function isNever(value: Value): boolean {
  return isDocument(value) && NEVER.has(value.$meta);
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
  const only = key.path.length === 1 ? doc[key.name] : undefined;
  if (key.path.length === 1 && !Array.isArray(only)) return only;
  const values = indexValues(doc, key.path);
  let best = values[0];
  for (const value of values.slice(1)) if (compareKeys(value, best, collator) * key.direction < 0) best = value;
  return best;
}

/** What was found out of a document, for a key that asks for it. */
export type Score = (doc: Doc, key: SortKey) => Value;

/** @returns the values that order a document, one for each key */
export function sortKeysOf(doc: Doc, keys: readonly SortKey[], collator?: Collator, score?: Score): Value[] {
  return keys.map((key) => (key.textScore ? (score?.(doc, key) ?? 0) : sortKey(doc, key, collator)));
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
  rows.sort((a, b) => {
    for (let index = 0; index < keys.length; index++) {
      const order = compareKeys(a.keys[index], b.keys[index], collator);
      if (order !== 0) return order * (keys[index] as SortKey).direction;
    }
    return 0;
  });
  return (rows.length > limit ? rows.slice(0, limit) : rows).map((row) => row.doc);
}
