import { checkMany } from '@framework/core/adapter';
import type { Document, Filter } from 'mongodb';
import { compileProjection } from '../compile/projection.ts';
import { compilePatch } from '../compile/write-data.ts';
import type { AdapterId, WriteCount } from '../docdb-types.ts';
import type { Call } from './call.ts';
import { checkCount, oneMore } from './max-multi.ts';
import { holdsText, idProjection, idsOf, projected, textOfId } from './record-ids.ts';
import { shownConditions } from './shown-conditions.ts';
import { missing, targetOf } from './target.ts';
import { unchangedConditions } from './unchanged-conditions.ts';
import { withNewId } from './upserted-id.ts';

/**
 * Changes properties of one record: one command.
 *
 * @throws NotFound (404) when there is none that satisfies the caller's conditions, PreconditionFailed (412)
 */
export async function patchRecord(call: Call, id: AdapterId, data: Document): Promise<Document> {
  const { collection, query, options, kept } = call;
  const { filter, driver } = await targetOf(call, id);
  const projection = compileProjection(query.select, options);
  const found = await collection.findOneAndUpdate(filter, compilePatch(data, options, kept), {
    ...driver,
    ignoreUndefined: true,
    returnDocument: 'after',
    includeResultMetadata: false,
    ...(projection ? { projection } : {}),
  });
  return found ?? missing(call, id);
}

/**
 * Changes properties of all records that match. What is given back still satisfies the conditions that the change could not have ended: a record that
 * went to another owner meanwhile is not given back (security S37). Of two calls for the same records only one may change them; the other gets none of them.
 */
export async function patchRecords(call: Call, data: Document): Promise<Document[] | WriteCount> {
  const { collection, driver, options, query, filter, kept } = call;
  const changed = compilePatch(data, options, kept);
  const change = driver.upsert === true ? withNewId(changed, filter, options) : changed;
  const settings = { ...driver, ignoreUndefined: true };
  if (options.returning === 'count') {
    await checkCount(call);
    const { modifiedCount, upsertedCount } = await collection.updateMany(filter, change, settings);
    return { count: modifiedCount + upsertedCount };
  }
  const matching = await matchingIds(call);
  const ids = matching.map(({ _id }) => _id as unknown);
  const chosen: Document = { _id: { $in: ids } };
  if (ids.length === 0) return driver.upsert === true ? makeRecord(call, change) : [];
  // What was found is changed, and not made again where it has gone meanwhile.
  const { acknowledged, matchedCount } = await collection.updateMany({ $and: [filter, chosen] }, change, { ...settings, upsert: false });
  if (options.returning === 'ids' && matchedCount === ids.length) return idsOf(matching, options);
  if (acknowledged && matchedCount === 0) return [];
  // Somebody else was faster with some of them: those that were not changed here do not show it.
  const own = acknowledged && matchedCount < ids.length ? shownConditions(change) : [];
  const still = { $and: [...unchangedConditions(filter, change), ...own, chosen] };
  if (options.returning === 'ids') return idsOf(await readPatched(call, still, ids, idProjection(options)), options);
  return readPatched(call, still, ids, compileProjection(query.select, options));
}

/** Makes the record of the conditions, where no record satisfies them; one that another call has made meanwhile is changed. */
async function makeRecord({ collection, driver, options, query, filter }: Call, change: Document | Document[]): Promise<Document[]> {
  const projection = options.returning === 'ids' ? idProjection(options) : compileProjection(query.select, options);
  const made = await collection.findOneAndUpdate(filter, change, {
    ...driver,
    ignoreUndefined: true,
    returnDocument: 'after',
    includeResultMetadata: false,
    ...(projection ? { projection } : {}),
  });
  if (made === null) return [];
  return options.returning === 'ids' ? idsOf([made], options) : [made];
}

/**
 * Ids of the records that match, in the order of the call: one that they do not have is refused before anything is changed.
 *
 * @throws BadRequest (400) when they are more than the service's `maxMulti`
 */
async function matchingIds({ collection, driver, options, query, filter }: Call): Promise<Document[]> {
  const found = await collection
    .find(filter, { ...driver, ...(query.sort ? { sort: query.sort } : {}), projection: idProjection(options), ...oneMore(options) })
    .toArray();
  checkMany(found.length, options);
  return found;
}

/** By the collation of the call, or of the collection, the ids may be those of other records too. */
async function readPatched(
  { collection, query, driver }: Call,
  chosen: Document,
  ids: readonly unknown[],
  projection: Document | undefined,
): Promise<Document[]> {
  const found = await collection
    .find(chosen as Filter<Document>, {
      ...driver,
      ...(query.sort ? { sort: query.sort } : {}),
      ...(projection ? { projection: { ...projection, _id: 1 } } : {}),
    })
    .toArray();
  const patched = new Set(ids.filter(holdsText).map(textOfId));
  return projected(
    found.filter(({ _id: id }) => !holdsText(id) || patched.has(textOfId(id))),
    projection,
  );
}
