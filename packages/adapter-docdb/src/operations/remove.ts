import { checkMany } from '@framework/core/adapter';
import type { Document } from 'mongodb';
import { compileProjection } from '../compile/projection.ts';
import type { AdapterId, WriteCount } from '../docdb-types.ts';
import type { Call } from './call.ts';
import { checkCount, oneMore } from './max-multi.ts';
import { idProjection, idsOf, projected, textOfId } from './record-ids.ts';
import { missing, targetOf } from './target.ts';

/**
 * Removes one record: one command.
 *
 * @throws NotFound (404) when there is none that satisfies the caller's conditions, PreconditionFailed (412)
 */
export async function removeRecord(call: Call, id: AdapterId): Promise<Document> {
  const { collection, query, options } = call;
  const {
    filter,
    driver: { upsert: _upsert, ...driver },
  } = await targetOf(call, id);
  const projection = compileProjection(query.select, options);
  const settings = { ...driver, includeResultMetadata: false as const, ...(projection ? { projection } : {}) };
  const found = await collection.findOneAndDelete(filter, settings);
  return found ?? missing(call, id);
}

/**
 * Removes all records that match, and gives them back as they were. A record that went to another owner before it could be removed stays, and is not
 * given back (security S37). Of two calls at once for the same records, the one that comes too late for all of them gets none.
 */
export async function removeRecords(call: Call): Promise<Document[] | WriteCount> {
  const { collection, query, driver, options, filter } = call;
  if (options.returning === 'count') {
    await checkCount(call);
    const { deletedCount } = await collection.deleteMany(filter, driver);
    return { count: deletedCount };
  }
  const projection = options.returning === 'ids' ? idProjection(options) : compileProjection(query.select, options);
  const found = await collection
    .find(filter, {
      ...driver,
      ...oneMore(options),
      ...(query.sort ? { sort: query.sort } : {}),
      ...(projection ? { projection: { ...projection, _id: 1 } } : {}),
    })
    .toArray();
  checkMany(found.length, options);
  if (found.length === 0) return [];
  const ids = found.map((record) => record._id as unknown);
  const { acknowledged, deletedCount } = await collection.deleteMany({ $and: [filter, { _id: { $in: ids } }] }, driver);
  if (acknowledged && deletedCount === 0) return [];
  const left = acknowledged && deletedCount < ids.length ? await idsLeft(call, ids) : NONE;
  const removed = left.size === 0 ? found : found.filter(({ _id }) => !left.has(textOfId(_id)));
  return options.returning === 'ids' ? idsOf(removed, options) : projected(removed, projection);
}

const NONE: ReadonlySet<string> = new Set();

/** What the conditions did not hold for by the time of the removal. Not by the collation of the call, by which these ids might be those of other records too. */
async function idsLeft({ collection, driver }: Call, ids: readonly unknown[]): Promise<ReadonlySet<string>> {
  const { hint: _hint, ...asked } = driver;
  const chosen: Document = { _id: { $in: ids } };
  const left = await collection.find(chosen, { ...asked, collation: { locale: 'simple' }, projection: { _id: 1 } }).toArray();
  return new Set(left.map(({ _id }) => textOfId(_id)));
}
