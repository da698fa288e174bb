import { checkMany } from '@framework/core/adapter';
import type { Document, Filter } from 'mongodb';
import { compileProjection } from '../compile/projection.ts';
import { compilePatch } from '../compile/write-data.ts';
import type { AdapterId, WriteCount } from '../docdb-types.ts';
import type { Call } from './call.ts';
import { checkCount, oneMore } from './max-multi.ts';
import { missing, targetOf } from './target.ts';
import { unchangedConditions } from './unchanged-conditions.ts';

/**
 * Changes properties of one record: one command.
 *
 * @throws NotFound (404) when there is none that satisfies the caller's conditions, PreconditionFailed (412)
 */
export async function patchRecord(call: Call, id: AdapterId, data: Document): Promise<Document> {
  const { collection, query, options, kept } = call;
  const { filter, driver } = targetOf(call, id);
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
 * went to another owner meanwhile is not given back (security S37).
 */
export async function patchRecords(call: Call, data: Document): Promise<Document[] | WriteCount> {
  const { collection, driver, options, filter, kept } = call;
  const change = compilePatch(data, options, kept);
  const settings = { ...driver, ignoreUndefined: true };
  if (options.returning === 'count') {
    await checkCount(call);
    const { modifiedCount } = await collection.updateMany(filter, change, settings);
    return { count: modifiedCount };
  }
  const ids = await matchingIds(call);
  const chosen: Document = { _id: { $in: ids } };
  if (ids.length > 0) await collection.updateMany({ $and: [filter, chosen] }, change, settings);
  if (options.returning === 'ids') return ids.map((_id) => ({ _id }));
  return ids.length === 0 ? [] : readChosen(call, { $and: [...unchangedConditions(filter, change), chosen] });
}

/**
 * Ids of the records that match.
 *
 * @throws BadRequest (400) when they are more than the service's `maxMulti`
 */
async function matchingIds({ collection, driver, options, filter }: Call): Promise<unknown[]> {
  const found = await collection.find(filter, { ...driver, projection: { _id: 1 }, ...oneMore(options) }).toArray();
  checkMany(found.length, options);
  return found.map((record) => record._id as unknown);
}

async function readChosen({ collection, query, driver, options }: Call, chosen: Document): Promise<Document[]> {
  const projection = compileProjection(query.select, options);
  return collection
    .find(chosen as Filter<Document>, { ...driver, ...(query.sort ? { sort: query.sort } : {}), ...(projection ? { projection } : {}) })
    .toArray();
}
