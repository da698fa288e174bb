import type { Collator } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/values.ts';
import { filterFields, firstOf } from '../query/filter-fields.ts';
import { FieldNames } from '../bson/decode-fields.ts';
import type { Predicate } from '../query/matcher.ts';
import { type SortKey, sortKeysOf } from '../query/sort.ts';
import { MEMORY } from '../spill/memory.ts';
import { roughSize } from '../spill/rough-size.ts';
import { type Sortable, Sorter } from '../spill/sorter.ts';
import { DocDbError } from '../errors.ts';
import type { InTurns } from '../aggregation/stages/in-turns.ts';
import type { Collection } from './collection.ts';
import type { IndexDefinition } from './index-definition.ts';
import { byteRange } from './keys/index-key.ts';
import { type IndexSearch, searchPlan } from './derived-plan.ts';
import type { KeyBounds } from './key-bounds.ts';
import { Pace } from './pace.ts';
import { choosePlan, otherPlans, type Plan } from './plan.ts';
import type { Reader } from './reader.ts';
import { type DocumentView, HEADER, Stored } from './stored.ts';

/** A query over one collection. */
export interface CollectionQuery {
  readonly filter: Doc;
  readonly predicate: Predicate;
  readonly sort: readonly SortKey[];
  readonly skip: number;
  /** Largest number of documents; `Infinity` for all. */
  readonly limit: number;
  readonly collator: Collator | undefined;
  readonly hint?: Value;
  /** Whether a sort that has no room in memory may go to the disk; it may unless it is `false`. */
  readonly allowDiskUse?: Value;
  /** What is sent of each document, where a plan may depend on it. */
  readonly projection?: Doc | undefined;
  /** Where an index of words or places has all documents that may match. */
  readonly within?: IndexSearch | undefined;
  /** What the expressions of the filter demand of fields: see {@link Demand.across}. */
  readonly implied?: readonly Doc[];
  /** The keys of an index that it is to read. */
  readonly between?: KeyBounds | undefined;
  /** Score of a text search; documents of score 0 are left out before. */
  readonly score?: ((doc: Doc) => number) | undefined;
}

/** @returns whether every document is asked for: a search for words, or for what is near, has no conditions in its filter */
export function asksForAll({ filter, score }: CollectionQuery): boolean {
  return score === undefined && Object.keys(filter).length === 0;
}

/** What was read for a query. */
export interface FindStats {
  readonly plan: Plan;
  keysExamined: number;
  docsExamined: number;
  /** Documents that the filter lets through, before some are skipped. */
  matched: number;
}

/** @returns what a query is about to read, with how it does */
export function statsOf(collection: Collection, query: CollectionQuery): FindStats {
  return { plan: planOf(collection, query), keysExamined: 0, docsExamined: 0, matched: 0 };
}

/**
 * Finds documents, a little at a time.
 *
 * @param take makes of a document what is wanted of it; the document is good until the next one
 * @param stats counts what is read, for `explain`
 * @returns steps of what was taken; a step may be empty, and others may work in between
 * @throws DocDbError (292) when too much would have to be sorted in memory, and the disk may not be used
 */
export function* findSteps<T>(
  reader: Reader,
  collection: Collection,
  asked: CollectionQuery,
  take: (found: DocumentView) => T,
  stats?: FindStats,
): Generator<T[], void> {
  const { query, plan } = inOrderOfIds(collection, asked, stats?.plan ?? planOf(collection, asked));
  countUse(collection, plan);
  // With uncommitted changes the index alone does not know the order.
  const sorted = query.sort.length === 0 || (plan.kind === 'index' && plan.sorted && !reader.overlayOf(collection));
  if (sorted) yield* matching(reader, collection, plan, query, take, stats);
  else {
    const all = { ...query, skip: 0, limit: Infinity };
    yield* sortedSteps(
      matching(reader, collection, plan, all, (found) => found.kept(), stats),
      query,
      take,
    );
  }
}

/** What reads all documents of a clustered collection, in no order of its own, gets them in the order of their ids. */
function inOrderOfIds(
  collection: Collection,
  query: CollectionQuery,
  plan: Plan,
): { readonly query: CollectionQuery; readonly plan: Plan } {
  if (!collection.isClustered || plan.kind !== 'scan' || query.sort.length > 0) return { query, plan };
  const { ids, collator } = collection;
  const { reverse } = plan;
  const sort: SortKey[] = [{ name: '_id', path: ['_id'], direction: reverse ? -1 : 1, textScore: false }];
  const ranges = [{ equal: [], low: undefined, high: undefined }];
  return { query: { ...query, sort, collator }, plan: { kind: 'index', index: ids, ranges, reverse, sorted: ids.ordered } };
}

function* matching<T>(
  reader: Reader,
  collection: Collection,
  plan: Plan,
  { predicate, filter, between, score, skip, limit }: CollectionQuery,
  take: (found: DocumentView) => T,
  stats: FindStats | undefined,
): Generator<T[], void> {
  // What the filter does not look at is not decoded.
  const fields = score || between ? undefined : filterFields(filter);
  let step: T[] = [];
  let looked = 0;
  let seen = 0;
  const pace = new Pace();
  try {
    for (const found of candidates(reader, collection, plan, stats)) {
      looked += 1;
      const doc = found.fields(fields);
      if (predicate(doc) && between?.holds(doc) !== false && ++seen > skip) {
        step.push(take(found));
        if (seen >= skip + limit) break;
      }
      if (!pace.ends(step.length, found.size)) continue;
      yield step;
      step = [];
      pace.begin();
    }
  } finally {
    if (stats) {
      stats.docsExamined += looked;
      stats.matched += seen;
    }
    reader.noteExamined(looked);
  }
  if (step.length > 0) yield step;
}

/** Documents are kept as bytes; what orders them is read of them again when it is needed. */
function sortableOf({ sort, collator, score }: CollectionQuery): Sortable<Stored> {
  const fields = sort.some((key) => key.textScore) ? undefined : FieldNames.of(sort.map(({ name }) => firstOf(name)));
  return {
    keysOf: (stored) => sortKeysOf(stored.fields(fields), sort, collator, score),
    sizeOf: ({ bytes }) => bytes.length,
    write({ record, version, bytes }) {
      const head = Buffer.allocUnsafe(2 * HEADER);
      head.writeDoubleBE(record, 0);
      head.writeDoubleBE(version, HEADER);
      return Buffer.concat([head, bytes]);
    },
    read: (bytes) => new Stored(bytes.readDoubleBE(0), bytes.readDoubleBE(HEADER), Buffer.from(bytes.subarray(2 * HEADER))),
  };
}

/** With a limit only the first are kept. */
function* sortedSteps<T>(steps: Iterable<Stored[]>, query: CollectionQuery, take: (found: DocumentView) => T): Generator<T[], void> {
  const { sort: keys, collator, skip, limit } = query;
  const sorter = new Sorter(sortableOf(query), { keys, collator, most: skip + limit }, { allowDiskUse: query.allowDiskUse !== false });
  try {
    for (const step of steps) {
      for (const _turn of sorter.add(step)) yield [];
      yield [];
    }
    let step: T[] = [];
    let seen = 0;
    const pace = new Pace();
    for (const stored of sorter.sorted()) {
      if (seen++ >= skip) step.push(take(stored));
      if (!pace.ends(step.length, stored.size)) continue;
      yield step;
      step = [];
      pace.begin();
    }
    if (step.length > 0) yield step;
  } finally {
    sorter.close();
  }
}

/**
 * Finds all documents of a query; others may have their turn in it.
 *
 * @param limit bytes of documents
 * @throws DocDbError (292) when they are more than memory should hold
 */
export function* findInTurns(reader: Reader, collection: Collection, query: CollectionQuery, limit: number = MEMORY): InTurns<Doc[]> {
  const docs: Doc[] = [];
  let bytes = 0;
  for (const step of findSteps(reader, collection, query, ({ doc }) => doc)) {
    for (const doc of step) {
      docs.push(doc);
      bytes += roughSize(doc);
    }
    if (bytes > limit)
      throw new DocDbError(
        292,
        `More than ${String(limit)} bytes of '${collection.ns}' would have to be kept in memory. Index the field that is joined by, or ask for less of it`,
      );
    yield;
  }
  return docs;
}

/** Counts that a query uses an index. */
export function countUse(collection: Collection, plan: Plan): void {
  if (plan.kind === 'index') plan.index.usage.operations += 1;
  else if (plan.kind === 'id') collection.ids.usage.operations += 1;
}

/** @returns the plan of a query */
export function planOf(collection: Collection, query: CollectionQuery): Plan {
  const { between, within, hint, implied } = query;
  if (between) return between.plan(query.sort);
  const allowed = collection.indexFilters.of(query)?.indexes;
  if (within && !allowed && (hint === undefined || hint === null)) return searchPlan(within);
  return choosePlan(collection, query.filter, query.sort, query.collator, allowed ? undefined : hint, allowed, implied);
}

/** @returns how else the documents could be found, for `explain`; none where the query itself says how */
export function rejectedPlans(collection: Collection, query: CollectionQuery, chosen: Plan): Plan[] {
  const { between, within, hint, filter, sort, collator, implied } = query;
  const allowed = collection.indexFilters.of(query)?.indexes;
  const isFree = !between && !within && (allowed !== undefined || hint === undefined || hint === null);
  return isFree ? otherPlans(collection, chosen, filter, sort, collator, allowed, implied) : [];
}

const ID = FieldNames.of(['_id']);

function* candidates(reader: Reader, collection: Collection, plan: Plan, stats: FindStats | undefined): Generator<DocumentView, void> {
  switch (plan.kind) {
    case 'id': {
      const seen = new Set<number>();
      const look = reader.lookAt(collection, collection.ids);
      for (const id of plan.ids) {
        if (stats) stats.keysExamined += 1;
        const record = reader.recordOf(collection, id);
        const found = record === undefined || seen.has(record) ? undefined : look(record);
        if (record !== undefined) seen.add(record);
        // The same record may have had another id before.
        if (found && (collection.collator ?? equal(found.fields(ID)._id, id))) yield found;
      }
      return;
    }
    case 'index':
      yield* indexed(reader, collection, plan, stats);
      return;
    default:
      if (plan.places) yield* placed(reader.scan(collection, plan.reverse), plan.places);
      else yield* reader.scan(collection, plan.reverse);
  }
}

/** What an index of places has: such indexes have no keys here. */
function* placed(all: Iterable<DocumentView>, index: IndexDefinition): Generator<DocumentView, void> {
  // The condition of a partial one may look at any field.
  const fields = index.partial ? undefined : FieldNames.of(index.geo.map(({ name }) => firstOf(name)));
  for (const found of all) if (index.holdsPlace(found.fields(fields))) yield found;
}

/** Uncommitted changes lie beside what the index holds. */
function* indexed(
  reader: Reader,
  collection: Collection,
  plan: Plan & { kind: 'index' },
  stats: FindStats | undefined,
): Generator<DocumentView, void> {
  const look = reader.lookAt(collection, plan.index);
  const own = reader.overlayOf(collection)?.documents;
  const seen = new Set<number>();
  const dedupe = plan.ranges.length > 1 || plan.index.facts.multikey || plan.index.isDerived;
  for (const range of plan.ranges) {
    for (const record of reader.recordsWith(plan.index, byteRange(range, plan.index), plan.reverse)) {
      if (stats) stats.keysExamined += 1;
      if (own?.has(record) === true || (dedupe && seen.has(record))) continue;
      if (dedupe) seen.add(record);
      const found = look(record);
      if (found) yield found;
    }
  }
  // A hint may name an index that has not all documents of the query.
  for (const stored of own?.values() ?? []) if (stored && plan.index.holds(stored.doc)) yield stored;
}
