import { checkMany } from '@framework/core/adapter';
import type { Document } from 'mongodb';
import { compileProjection } from '../compile/projection.ts';
import type { AdapterId, WriteCount } from '../docdb-types.ts';
import type { Call } from './call.ts';
import { checkCount, oneMore } from './max-multi.ts';
import { idProjection, idsOf, projected } from './record-ids.ts';
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

/** Removes all records that match, and gives them back as they were. */
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
  if (found.length > 0)
    await collection.deleteMany({ $and: [filter, { _id: { $in: found.map((record) => record._id as unknown) } }] }, driver);
  return options.returning === 'ids' ? idsOf(found, options) : projected(found, projection);
}
