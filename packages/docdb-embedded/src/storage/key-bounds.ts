import { type Collator, sameCollation } from '../bson/collation.ts';
import { type Doc, isDocument, MaxKey, MinKey, typeName, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { compareAll, type SortKey } from '../query/sort.ts';
import type { Collection } from './collection.ts';
import type { IndexDefinition } from './index-definition.ts';
import { hintedIndex, type IndexRange, type Plan, sortDirection } from './plan.ts';

/** The part of an index that a find reads: from a key, which is in it, to another one, which is not. */
export interface KeyBounds {
  /** @returns whether a document has a key in it */
  holds(doc: Doc): boolean;
  /** @returns how its documents are found, in the order of the index or against it */
  plan(sort: readonly SortKey[]): Plan;
}

/** What a find says of keys. */
interface Asked {
  readonly min: Doc;
  readonly max: Doc;
  readonly hint: Value;
}

/**
 * @returns the part of an index that the `min` and `max` of a find name; `undefined` where there are none
 * @throws DocDbError (51173 to 51176, 291, 2) for keys without an index, of another one, with other names or in the wrong order
 */
export function keyBounds(collection: Collection, { min, max, hint }: Asked, collator: Collator | undefined): KeyBounds | undefined {
  const [lowest, highest] = [Object.keys(min), Object.keys(max)];
  if (lowest.length === 0 && highest.length === 0) return undefined;
  if (lowest.length > 0 && highest.length > 0 && lowest.join('\0') !== highest.join('\0'))
    throw new DocDbError(51176, 'min and max must have the same field names');
  if (isDocument(hint) && '$natural' in hint) throw new DocDbError(291, 'min and max are incompatible with $natural');
  if (hint === undefined || hint === null || (isDocument(hint) && Object.keys(hint).length === 0))
    throw new DocDbError(51173, 'When using min()/max() a hint of which index to use must be provided');
  const index = hintedIndex(collection, hint);
  const { directions } = index;
  const sameText = sameCollation(index.collator, collator);
  const low = keyFrom(index, min, sameText) ?? directions.map((direction) => (direction === 1 ? new MinKey() : new MaxKey()));
  const high = keyFrom(index, max, sameText) ?? directions.map((direction) => (direction === 1 ? new MaxKey() : new MinKey()));
  const compare = (a: readonly Value[], b: readonly Value[]): number => compareAll(a, b, index.fields, index.collator);
  if (compare(low, high) >= 0) throw new DocDbError(51175, 'The value provided for min() does not come before the one for max()');
  return {
    holds: (doc) => index.valuesOf(doc).some((key) => compare(low, key) <= 0 && compare(key, high) < 0),
    plan: (sort) => planOf(index, rangeOf(index, low, high), index.ordered && sameText ? sortDirection(index, 0, sort) : undefined),
  };
}

/** Texts are in the index as its own collation compares them. */
function keyFrom(index: IndexDefinition, bound: Doc, sameText: boolean): Value[] | undefined {
  const names = Object.keys(bound);
  if (names.length === 0) return undefined;
  const values = Object.values(bound);
  const fits = index.isOfValues && names.length === index.fields.length && index.fields.every(({ name }, at) => name === names[at]);
  if (!fits || !(sameText || values.every((value) => !COLLATED.has(typeName(value)))))
    throw new DocDbError(51174, 'The index chosen is not compatible with min/max');
  return values;
}

const COLLATED: ReadonlySet<string> = new Set(['string', 'object', 'array', 'symbol']);

/** The first field alone: what the others say decides of each document. */
function rangeOf({ directions }: IndexDefinition, [first]: readonly Value[], [last]: readonly Value[]): IndexRange {
  const [low, high] = directions[0] === -1 ? [last, first] : [first, last];
  return {
    equal: [],
    low: { value: low, inclusive: true },
    high: { value: high, inclusive: true },
  };
}

function planOf(index: IndexDefinition, range: IndexRange, direction: 1 | -1 | undefined): Plan {
  return {
    kind: 'index',
    index,
    ranges: [range],
    reverse: direction === -1,
    sorted: direction !== undefined,
  };
}
