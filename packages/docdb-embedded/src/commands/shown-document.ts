import { askedMetadata, type Metadata, shownSortKey, withMetadata } from '../aggregation/metadata.ts';
import { type Doc, setOwn, toDouble, type Value } from '../bson/values.ts';
import { isOn } from '../declarations/field.ts';
import type { Score, SortKey } from '../query/sort.ts';
import { foundKey } from '../storage/found-key.ts';
import type { Plan } from '../storage/plan.ts';
import type { DocumentView } from '../storage/stored.ts';
import { type CompiledFilter, described } from './query-command.ts';

/** Makes of a document that a plan found what is sent of it. */
export type Show = (found: DocumentView, plan: Plan) => Doc;

/**
 * @param project what the projection makes of a document; `undefined` where there is none
 * @returns what a find sends of a document; `undefined` where that is all of it, as it is
 */
export function shownDocument(
  command: Doc,
  compiled: CompiledFilter,
  sort: readonly SortKey[],
  project: ((doc: Doc) => Doc) | undefined,
): Show | undefined {
  const describe = describer(compiled, command.projection, sort);
  const projected: Show | undefined = project && ((found, plan) => project(describe(found.doc, found, plan)));
  // Keys are sent alone.
  if (isOn(command.returnKey)) return ({ doc }, plan) => foundKey(plan, doc) ?? {};
  if (!isOn(command.showRecordId)) return projected;
  return (found, plan) => {
    const shown = { ...(projected ? projected(found, plan) : found.doc) };
    setOwn(shown, '$recordId', BigInt(found.record));
    return shown;
  };
}

/** @returns adds to a document what was found out about it, as far as expressions ask for that */
export function describer(
  compiled: CompiledFilter,
  asking: Value,
  sort: readonly SortKey[],
): (doc: Doc, found: DocumentView, plan: Plan) => Doc {
  const asked = askedMetadata(asking);
  if (asked.size === 0) return (doc) => described(compiled, doc);
  const isSorted = asked.has('sortKey') && sort.length > 0;
  const score: Score = (doc) => toDouble(compiled.score?.(doc) ?? 0);
  return (doc, found, plan) => {
    const key = asked.has('indexKey') ? foundKey(plan, found.doc) : undefined;
    const metadata: Metadata = {
      recordId: BigInt(found.record),
      ...(key ? { indexKey: key } : {}),
      ...(isSorted ? { sortKey: shownSortKey(found.doc, sort, compiled.collator, score) } : {}),
    };
    return described(compiled, withMetadata(doc, metadata), doc);
  };
}
