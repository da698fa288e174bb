import type { Collection } from './collection.ts';
import { coveredRanges } from './covered-ranges.ts';
import { asksForAll, type CollectionQuery, countUse, findSteps, planOf } from './find-documents.ts';
import type { Reader } from './reader.ts';

/** Entries that are counted before others get their turn. */
const STEP = 5000;

/**
 * Counts the documents of a query: by what is kept of the collection, by the entries of an index where they say all, or
 * else by looking at them.
 *
 * @returns numbers to be added up; others may work in between
 */
export function* countSteps(reader: Reader, collection: Collection, query: CollectionQuery): Generator<number, void> {
  const whole = query.skip === 0 && query.limit === Infinity && (query.hint ?? undefined) === undefined;
  if (whole && asksForAll(query)) {
    yield reader.countOf(collection);
    return;
  }
  const plan = planOf(collection, query);
  const ranges = whole && plan.kind === 'index' && !reader.overlayOf(collection) ? coveredRanges(plan, query) : undefined;
  if (!ranges || plan.kind !== 'index') {
    for (const step of findSteps(reader, collection, query, () => undefined)) yield step.length;
    return;
  }
  countUse(collection, plan);
  for (const range of ranges) {
    let count = 0;
    for (const _record of reader.recordsWith(plan.index, range, false)) {
      if (++count < STEP) continue;
      yield count;
      count = 0;
    }
    yield count;
  }
}
