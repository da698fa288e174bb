import { type Cap, searchedCells } from '../geo/cells.ts';
import { type Doc, isDocument, typeName, type Value } from '../bson/values.ts';
import type { IndexDefinition } from './index-definition.ts';
import { isWildcard } from './wildcard-fields.ts';
import type { Demand } from './demands.ts';
import type { IndexRange, Plan, Ranked } from './plan.ts';

/** The entries of an index that lead to all documents that may match. */
export interface IndexSearch {
  readonly index: IndexDefinition;
  readonly ranges: readonly IndexRange[];
}

/** @returns the plan of a search that an index answers */
export function searchPlan({ index, ranges }: IndexSearch): Plan {
  return { kind: 'index', index, ranges, reverse: false, sorted: false };
}

/** @returns the entries of an index of words for any of some words */
export function wordSearch(index: IndexDefinition, words: readonly string[]): IndexSearch {
  return { index, ranges: words.map((word) => ({ equal: [word], low: undefined, high: undefined })) };
}

/** @returns the entries of an index of places for a part of the earth */
export function placeSearch(index: IndexDefinition, cap: Cap): IndexSearch {
  const ranges = searchedCells(cap).map(({ first, last }) =>
    first === last
      ? { equal: [first], low: undefined, high: undefined }
      : { equal: [], low: { value: first, inclusive: true }, high: { value: last, inclusive: true } },
  );
  return { index, ranges };
}

/** @returns the plan that an index of places or of all fields has for a filter, worth less than one of an ordinary index */
export function derivedPlan(index: IndexDefinition, demands: ReadonlyMap<string, Demand>, isUsable: Usable): Ranked | undefined {
  if (index.geo.length > 0) return placePlan(index, demands);
  return isWildcard(index.spec.key as Doc) ? wildcardPlan(index, demands, isUsable) : undefined;
}

type Usable = (values: readonly Value[]) => boolean;

function placePlan(index: IndexDefinition, demands: ReadonlyMap<string, Demand>): Ranked | undefined {
  const field = index.geo.find(({ kind }) => kind === '2dsphere');
  const cap = field && demands.get(field.name)?.place?.();
  return cap && { plan: searchPlan(placeSearch(index, cap)), score: 6 };
}

function wildcardPlan(index: IndexDefinition, demands: ReadonlyMap<string, Demand>, isUsable: Usable): Ranked | undefined {
  let best: Ranked | undefined;
  for (const [path, { equal, low, high }] of demands) {
    if (/(?:^|\.)\d+(?:\.|$)/.test(path) || !index.holdsPath(path)) continue;
    const limits = [low?.value, high?.value].filter((value) => value !== undefined);
    if (equal && equal.length <= MOST_VALUES && equal.every(isLeaf) && isUsable(equal)) {
      const ranges = equal.map((value) => ({ equal: [path, value], low: undefined, high: undefined }));
      if (!best || best.score < EQUAL) best = { plan: searchPlan({ index, ranges }), score: EQUAL };
    } else if (limits.length > 0 && isUsable(limits)) {
      // Different elements of an array may satisfy the two bounds.
      const range = { equal: [path], low, high: index.facts.multikey && low ? undefined : high };
      best ??= { plan: searchPlan({ index, ranges: [range] }), score: BETWEEN };
    }
  }
  return best;
}

const EQUAL = 9;
const BETWEEN = 4;
/** Values of a list that are looked up one by one. */
const MOST_VALUES = 500;

/** Documents are in such an index by their fields, and what is missing is not. */
function isLeaf(value: Value): boolean {
  return !isDocument(value) && !Array.isArray(value) && !['null', 'missing', 'regex'].includes(typeName(value));
}
