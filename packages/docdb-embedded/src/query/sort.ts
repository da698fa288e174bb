import type { Collator } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { EMPTY_ARRAY_KEY, indexValues } from './path-values.ts';

/** One key of a sort. */
export interface SortKey {
  readonly name: string;
  readonly path: readonly string[];
  readonly direction: 1 | -1;
  /** Sorts by the score of a text search. */
  readonly textScore: boolean;
}

/**
 * Reads a sort document.
 *
 * @throws DocDbError (2, 15974, …) for directions other than 1 and -1
 */
export function parseSort(sort: Doc | undefined): SortKey[] {
  return Object.keys(sort ?? {})
    .filter((name) => name !== '$natural')
    .map((name) => {
      const value = sort?.[name];
      if (isDocument(value) && value.$meta === 'textScore') return { name, path: name.split('.'), direction: -1, textScore: true };
      const direction = isNumber(value) ? Number(String(value)) : Number.NaN;
      if (direction !== 1 && direction !== -1)
        throw new DocDbError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
      if (name === '' || name.startsWith('$') || name.split('.').includes(''))
        throw badValue(`FieldPath field names may not be empty or start with '$': ${name}`);
      return { name, path: name.split('.'), direction, textScore: false };
    });
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

/** @returns the values that order a document, one for each key */
export function sortKeysOf(doc: Doc, keys: readonly SortKey[], collator?: Collator, score?: (doc: Doc) => number): Value[] {
  return keys.map((key) => (key.textScore ? (score?.(doc) ?? 0) : sortKey(doc, key, collator)));
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
  score?: (doc: Doc) => number,
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
