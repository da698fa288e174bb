import type { Collator } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Predicate } from '../query/matcher.ts';
import { type SortKey, sortDocuments } from '../query/sort.ts';
import type { Collection } from './collection.ts';
import { byteRange } from './keys/index-key.ts';
import { choosePlan, type Plan } from './plan.ts';
import type { Reader, Stored } from './reader.ts';

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
  /** Score of a text search; documents of score 0 are left out before. */
  readonly score?: ((doc: Doc) => number) | undefined;
}

/** What was read for a query. */
export interface FindStats {
  readonly plan: Plan;
  keysExamined: number;
  docsExamined: number;
}

/** Documents that are looked at before others get their turn. */
const STEP = 200;
/** Bytes of documents in one step. */
const STEP_BYTES = 1_048_576;
/** Bytes of documents that are sorted in memory. */
const SORT_BYTES: number = 100 * 1024 * 1024;

/**
 * Finds documents, a little at a time.
 *
 * @param stats counts what is read, for `explain`
 * @returns steps of documents; a step may be empty, and others may work in between
 * @throws DocDbError (292) when too much would have to be sorted in memory
 */
export function* findSteps(reader: Reader, collection: Collection, query: CollectionQuery, stats?: FindStats): Generator<Stored[], void> {
  const plan = stats?.plan ?? planOf(collection, query);
  // With uncommitted changes the index alone does not know the order.
  const sorted = query.sort.length === 0 || (plan.kind === 'index' && plan.sorted && !reader.overlayOf(collection));
  const { skip, limit } = query;
  const found = matching(reader, collection, plan, query, stats);
  if (!sorted) {
    yield* sortedSteps(found, query);
    return;
  }
  let seen = 0;
  for (const step of found) {
    const from = Math.max(0, skip - seen);
    seen += step.length;
    yield seen > skip + limit ? step.slice(from, step.length - (seen - skip - limit)) : from > 0 ? step.slice(from) : step;
    if (seen >= skip + limit) return;
  }
}

function* matching(
  reader: Reader,
  collection: Collection,
  plan: Plan,
  { predicate }: CollectionQuery,
  stats: FindStats | undefined,
): Generator<Stored[], void> {
  let step: Stored[] = [];
  let looked = 0;
  let bytes = 0;
  for (const stored of candidates(reader, collection, plan, stats)) {
    if (stats) stats.docsExamined += 1;
    bytes += stored.bytes.length;
    if (predicate(stored.doc)) step.push(stored);
    if (++looked < STEP && bytes < STEP_BYTES && !(plan.kind !== 'scan' && step.length >= STEP)) continue;
    yield step;
    step = [];
    looked = 0;
    bytes = 0;
  }
  if (step.length > 0) yield step;
}

/** With a limit only the first are kept. */
function* sortedSteps(steps: Iterable<Stored[]>, { sort, collator, score, skip, limit }: CollectionQuery): Generator<Stored[], void> {
  const wanted = skip + limit;
  const stored = new Map<Doc, Stored>();
  const order = (docs: readonly Doc[], most: number): Doc[] => sortDocuments(docs, sort, collator, score, most);
  let docs: Doc[] = [];
  let bytes = 0;
  for (const step of steps) {
    for (const entry of step) {
      stored.set(entry.doc, entry);
      docs.push(entry.doc);
      bytes += entry.bytes.length;
    }
    if (docs.length > 2 * wanted + STEP) {
      const kept = new Set(order(docs, wanted));
      for (const doc of docs) {
        if (kept.has(doc)) continue;
        bytes -= stored.get(doc)?.bytes.length ?? 0;
        stored.delete(doc);
      }
      docs = [...kept];
    }
    if (bytes > SORT_BYTES)
      throw new DocDbError(
        292,
        `Sort exceeded memory limit of ${String(SORT_BYTES)} bytes. Create an index that gives this order, or set a limit`,
      );
    yield [];
  }
  const result = order(docs, wanted);
  for (let from = skip; from < result.length; from += STEP) yield result.slice(from, from + STEP).map((doc) => stored.get(doc) as Stored);
}

/** @returns all documents of a query */
export function findDocuments(reader: Reader, collection: Collection, query: CollectionQuery, stats?: FindStats): Doc[] {
  const docs: Doc[] = [];
  for (const step of findSteps(reader, collection, query, stats)) for (const { doc } of step) docs.push(doc);
  return docs;
}

/** @returns the plan of a query */
export function planOf(collection: Collection, query: CollectionQuery): Plan {
  return choosePlan(collection, query.filter, query.sort, query.collator, query.hint);
}

function* candidates(reader: Reader, collection: Collection, plan: Plan, stats: FindStats | undefined): Generator<Stored, void> {
  switch (plan.kind) {
    case 'id': {
      const seen = new Set<number>();
      for (const id of plan.ids) {
        if (stats) stats.keysExamined += 1;
        const record = reader.recordOf(collection, id);
        const stored = record === undefined || seen.has(record) ? undefined : reader.at(collection, record);
        if (record !== undefined) seen.add(record);
        // The same record may have had another id before.
        if (stored && (collection.collator ?? equal(stored.doc._id, id))) yield stored;
      }
      return;
    }
    case 'index':
      yield* indexed(reader, collection, plan, stats);
      return;
    default:
      yield* reader.scan(collection, plan.reverse);
  }
}

/** Uncommitted changes lie beside what the index holds. */
function* indexed(
  reader: Reader,
  collection: Collection,
  plan: Plan & { kind: 'index' },
  stats: FindStats | undefined,
): Generator<Stored, void> {
  const own = reader.overlayOf(collection)?.documents;
  const seen = new Set<number>();
  const dedupe = plan.ranges.length > 1 || plan.index.facts.multikey;
  for (const range of plan.ranges) {
    for (const record of reader.recordsWith(plan.index, byteRange(range, plan.index), plan.reverse)) {
      if (stats) stats.keysExamined += 1;
      if (own?.has(record) === true || (dedupe && seen.has(record))) continue;
      if (dedupe) seen.add(record);
      const stored = reader.at(collection, record);
      if (stored) yield stored;
    }
  }
  for (const stored of own?.values() ?? []) if (stored) yield stored;
}
