import type { Collator } from '../bson/collation.ts';
import type { Doc, Value } from '../bson/values.ts';
import type { Predicate } from '../query/matcher.ts';
import { type SortKey, sortDocuments } from '../query/sort.ts';
import { type Collection, idKey, LATEST, type View } from './collection.ts';
import { choosePlan, entriesOf, type Plan } from './plan.ts';
import { visibleAt } from './record.ts';

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

/**
 * Finds documents.
 *
 * @param stats counts what is read, for `explain`
 */
export function findDocuments(collection: Collection, query: CollectionQuery, view: View = LATEST, stats?: FindStats): Doc[] {
  const plan = stats?.plan ?? planOf(collection, query);
  // With uncommitted changes the index alone does not know the order.
  const sorted = query.sort.length === 0 || (plan.kind === 'index' && plan.sorted && view === LATEST);
  const wanted = query.skip + query.limit;
  const found: Doc[] = [];
  for (const doc of candidates(collection, plan, view, stats)) {
    if (stats) stats.docsExamined += 1;
    if (!query.predicate(doc)) continue;
    found.push(doc);
    if (sorted && found.length >= wanted) break;
  }
  const ordered = sorted ? found : sortDocuments(found, query.sort, query.collator, query.score, wanted);
  return query.skip > 0 || ordered.length > wanted ? ordered.slice(query.skip, wanted) : ordered;
}

/** @returns the plan of a query */
export function planOf(collection: Collection, query: CollectionQuery): Plan {
  return choosePlan(collection, query.filter, query.sort, query.collator, query.hint);
}

function* candidates(collection: Collection, plan: Plan, view: View, stats: FindStats | undefined): Generator<Doc, void> {
  switch (plan.kind) {
    case 'id': {
      const keys = new Set(plan.ids.map(idKey));
      for (const key of keys) {
        if (stats) stats.keysExamined += 1;
        const doc = collection.read(key, view);
        if (doc) yield doc;
      }
      return;
    }
    case 'index':
      yield* indexed(collection, plan, view, stats);
      return;
    default:
      if (plan.reverse) yield* [...collection.scan(view)].reverse();
      else yield* collection.scan(view);
  }
}

/**
 * The index holds the latest committed state. A reader of an older one gets from it what has not changed since, and the
 * changed documents beside it.
 */
function* indexed(collection: Collection, plan: Plan & { kind: 'index' }, view: View, stats: FindStats | undefined): Generator<Doc, void> {
  const seen = new Set<string>();
  const dedupe = plan.ranges.length > 1 || plan.index.multikey || view !== LATEST;
  for (const range of plan.ranges) {
    for (const { record } of entriesOf(plan.index, range, plan.reverse)) {
      if (stats) stats.keysExamined += 1;
      if (dedupe) {
        if (seen.has(record.key)) continue;
        seen.add(record.key);
      }
      if (view !== LATEST && (record.seq > view.seq || view.changes?.has(record.key) === true)) continue;
      if (record.doc) yield record.doc;
    }
  }
  if (view === LATEST) return;
  for (const record of collection.changed) {
    if (record.seq <= view.seq || view.changes?.has(record.key) === true) continue;
    const doc = visibleAt(record, view.seq);
    if (doc) yield doc;
  }
  for (const doc of view.changes?.values() ?? []) if (doc) yield doc;
}
