import { type Collator, sameCollation } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import { type Doc, isDocument, typeName, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { isPositional } from '../query/path-values.ts';
import type { SortKey } from '../query/sort.ts';
import type { Collection } from './collection.ts';
import { type Demand, readDemands } from './demands.ts';
import { derivedPlan } from './derived-plan.ts';
import type { IndexDefinition } from './index-definition.ts';
import { isWildcard } from './wildcard-fields.ts';
import type { Bound } from './keys/index-key.ts';
import { isWithin } from './partial-index.ts';

/** How the documents of a query are found. The filter is always tested again on each of them. */
export type Plan =
  | { readonly kind: 'id'; readonly ids: readonly Value[] }
  | {
      readonly kind: 'index';
      readonly index: IndexDefinition;
      readonly ranges: readonly IndexRange[];
      readonly reverse: boolean;
      readonly sorted: boolean;
    }
  | { readonly kind: 'scan'; readonly reverse: boolean; readonly places?: IndexDefinition };

/** Entries whose first fields have certain values, with bounds for the next field. */
export interface IndexRange {
  readonly equal: readonly Value[];
  readonly low: Bound | undefined;
  readonly high: Bound | undefined;
}

/** Largest number of ranges that lists of values may make. */
const MAX_RANGES = 500;

/**
 * Chooses how to find the documents of a query: by id, by the index with most bound fields, or by reading all.
 *
 * @param implied conditions on single fields that the expressions of the filter demand
 * @param allowed keys or names of the only indexes that may be used, where an index filter says so; an id is found by itself
 * @throws DocDbError (2) for a hint that names no index
 */
export function choosePlan(
  collection: Collection,
  filter: Doc,
  sort: readonly SortKey[],
  collator: Collator | undefined,
  hint?: Value,
  allowed?: readonly Value[],
  implied?: readonly Doc[],
): Plan {
  const demands = readDemands(filter, implied);
  if (hint !== undefined && hint !== null) return hinted(collection, filter, demands, sort, collator, hint);
  const ids = demands.get('_id')?.equal;
  if (ids && usable(ids, collator, collection.collator)) return { kind: 'id', ids: inOrder(ids, 1, undefined) };
  let best: Ranked = { plan: { kind: 'scan', reverse: false }, score: 0 };
  for (const candidate of candidatePlans(collection, filter, demands, sort, collator, allowed))
    if (candidate.score > best.score) best = candidate;
  return best.plan;
}

/** A plan, and how good it is. */
export interface Ranked {
  readonly plan: Plan;
  readonly score: number;
}

function* candidatePlans(
  collection: Collection,
  filter: Doc,
  demands: ReadonlyMap<string, Demand>,
  sort: readonly SortKey[],
  collator: Collator | undefined,
  allowed: readonly Value[] | undefined,
): Generator<Ranked, void> {
  for (const index of collection.indexes.values()) {
    if (allowed && !allowed.some((wanted) => isMeant(index, wanted))) continue;
    const candidate = indexPlan(index, demands, sort, collator, filter);
    if (candidate) yield candidate;
  }
}

/** @returns how else the documents of a query could be found by indexes, where one of them was chosen and no hint said which */
export function otherPlans(
  collection: Collection,
  chosen: Plan,
  filter: Doc,
  sort: readonly SortKey[],
  collator: Collator | undefined,
  allowed?: readonly Value[],
  implied?: readonly Doc[],
): Plan[] {
  if (chosen.kind !== 'index') return [];
  return [...candidatePlans(collection, filter, readDemands(filter, implied), sort, collator, allowed)]
    .map(({ plan }) => plan)
    .filter((plan) => plan.kind === 'index' && plan.index !== chosen.index);
}

function hinted(
  collection: Collection,
  filter: Doc,
  demands: Map<string, Demand>,
  sort: readonly SortKey[],
  collator: Collator | undefined,
  hint: Value,
): Plan {
  if (isDocument(hint) && Object.keys(hint).length === 0) return choosePlan(collection, filter, sort, collator);
  if (isDocument(hint) && '$natural' in hint) return { kind: 'scan', reverse: Number(String(hint.$natural)) < 0 };
  const index = hintedIndex(collection, hint);
  if (isWildcard(index.spec.key as Doc) && !fieldsOf(filter).some((path) => index.holdsPath(path)))
    throw new DocDbError(291, 'error processing query: planner returned error :: caused by :: No query solutions');
  if (index.fields.length === 0) {
    const search = index.isDerived ? indexPlan(index, demands, sort, collator, filter) : undefined;
    return search?.plan ?? { kind: 'scan', reverse: false, ...(index.geo.length > 0 ? { places: index } : {}) };
  }
  const whole: Plan = { kind: 'index', index, ranges: [{ equal: [], low: undefined, high: undefined }], reverse: false, sorted: false };
  return indexPlan(index, demands, sort, collator, undefined)?.plan ?? whole;
}

/** @throws BadValue (2) for a hint that names no index, or one that is not made yet */
export function hintedIndex(collection: Collection, hint: Value): IndexDefinition {
  for (const index of collection.indexes.values()) if (index.ready && index.spec.hidden !== true && isMeant(index, hint)) return index;
  throw badValue('error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index');
}

/** @returns whether an index is the one of a key or name */
export function isMeant(index: IndexDefinition, wanted: Value): boolean {
  if (typeof wanted === 'string') return index.name === wanted;
  return compare(Object.entries(wanted as Doc), Object.entries(index.spec.key as Doc)) === 0;
}

/** @returns all fields that a filter has conditions on */
function fieldsOf(filter: Doc): string[] {
  return Object.keys(filter).flatMap((name) => {
    if (['$and', '$or', '$nor'].includes(name)) return (filter[name] as Doc[]).flatMap(fieldsOf);
    return name.startsWith('$') ? [] : [name];
  });
}

/** A sparse index leaves it out; behind a position, documents match that have a value there, too: another element has no such field. */
function isNothing(value: Value): boolean {
  return value === null || value === undefined;
}

function usable(values: readonly Value[], collator: Collator | undefined, own: Collator | undefined): boolean {
  if (!collator && !own) return true;
  return values.every((value) => !['string', 'object', 'array', 'symbol'].includes(typeName(value)));
}

function indexPlan(
  index: IndexDefinition,
  demands: ReadonlyMap<string, Demand>,
  sort: readonly SortKey[],
  collator: Collator | undefined,
  filter: Doc | undefined,
): Ranked | undefined {
  if ((index.fields.length === 0 && !index.isDerived) || index.spec.hidden === true || !index.ready) return undefined;
  const sameText = sameCollation(index.collator, collator);
  if (index.partial && !(filter && isWithin(filter, index.spec.partialFilterExpression as Doc, sameText ? { collator } : undefined)))
    return undefined;
  if (index.isDerived) return derivedPlan(index, demands, (values) => usable(values, collator, index.collator));
  let ranges: IndexRange[] = [{ equal: [], low: undefined, high: undefined }];
  let bound = 0;
  let single = true;
  for (const field of index.fields) {
    const demand = demands.get(field.name);
    const values = demand?.equal;
    if (
      !values ||
      sharesLists(index, bound) ||
      !(sameText || usable(values, collator, index.collator)) ||
      ((index.sparse || isPositional(field.path)) && values.some(isNothing))
    )
      break;
    if (ranges.length * values.length > MAX_RANGES) break;
    const sorted = inOrder(values, field.direction, index.collator);
    ranges = ranges.flatMap((range) => sorted.map((value) => ({ ...range, equal: [...range.equal, value] })));
    single &&= values.length === 1;
    bound += 1;
  }
  const next = index.fields[bound];
  const demand = next && demands.get(next.name);
  const low = demand?.low ?? (index.sparse ? undefined : demand?.across?.low);
  const upper = demand?.high ?? (index.sparse ? undefined : demand?.across?.high);
  const limits = [low?.value, upper?.value].filter((value) => value !== undefined);
  const hasRange = limits.length > 0 && !sharesLists(index, bound) && (sameText || usable(limits, collator, index.collator));
  if (hasRange) {
    // Different elements of an array may satisfy the two bounds.
    const high = index.facts.multikey && low ? undefined : upper;
    ranges = ranges.map((range) => ({ ...range, low, high }));
  }
  const order = single && index.ordered && !index.sparse && sameText ? sortDirection(index, bound, sort) : undefined;
  if (bound === 0 && !hasRange && order === undefined) return undefined;
  const score = bound * 10 + (hasRange ? 5 : 0) + (order === undefined ? 0 : 3) + (index.unique && bound === index.fields.length ? 1 : 0);
  return { plan: { kind: 'index', index, ranges, reverse: order === -1, sorted: order !== undefined }, score };
}

/** Fields below one list are in a key by the element that has them, and a query may find each of them in another element. */
function sharesLists({ fields, facts }: IndexDefinition, at: number): boolean {
  return facts.multikey && fields.slice(0, at).some(({ path: [first] }) => first === fields[at]?.path[0]);
}

/** A list of values is found in the order of the index. */
function inOrder(values: readonly Value[], direction: 1 | -1, collator: Collator | undefined): readonly Value[] {
  return values.length < 2 ? values : [...values].sort((a, b) => compare(a, b, collator) * direction);
}

/** @returns the direction in which the index gives the sort, or `undefined` when it does not */
export function sortDirection(index: IndexDefinition, bound: number, sort: readonly SortKey[]): 1 | -1 | undefined {
  if (sort.length === 0) return undefined;
  const fixed = new Set(index.fields.slice(0, bound).map((field) => field.name));
  const wanted = sort.filter((key) => !fixed.has(key.name));
  let direction: 1 | -1 | undefined;
  for (const [at, key] of wanted.entries()) {
    const field = index.fields[bound + at];
    if (field?.name !== key.name || key.textScore) return undefined;
    const own = field.direction === key.direction ? 1 : -1;
    if (direction !== undefined && direction !== own) return undefined;
    direction = own;
  }
  return direction ?? 1;
}
