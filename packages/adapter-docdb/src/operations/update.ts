import type { Document } from 'mongodb';
import { recordId } from '../compile/criteria.ts';
import { keeping } from '../compile/keep.ts';
import { compileProjection } from '../compile/projection.ts';
import { compileUpdate } from '../compile/write-data.ts';
import type { AdapterId } from '../docdb-types.ts';
import type { Call } from './call.ts';
import { isCollated } from './collated.ts';
import { missing, targetOf } from './target.ts';

/**
 * Replaces one record, or applies update operators to it: one command.
 *
 * @throws NotFound (404) when there is none that satisfies the caller's conditions, PreconditionFailed (412)
 */
export async function updateRecord(call: Call, id: AdapterId, data: Document): Promise<Document> {
  const { collection, query, options, kept } = call;
  const { filter, driver } = await targetOf(call, id);
  const projection = compileProjection(query.select, options);
  const settings = {
    ...driver,
    ignoreUndefined: true,
    returnDocument: 'after' as const,
    includeResultMetadata: false as const,
    ...(projection ? { projection } : {}),
  };
  const change = compileUpdate(data, options);
  if (change.kind === 'operators') return (await collection.findOneAndUpdate(filter, change.update, settings)) ?? missing(call, id);
  // The database keeps `_id` by itself. By a collation another id is found by texts that it is not.
  const staysOther = options.id !== '_id' && typeof id === 'string' && (await isCollated(call));
  const document = options.id === '_id' || staysOther ? change.document : { ...change.document, [options.id]: recordId(id, options) };
  const staying = staysOther ? [...kept, options.id] : kept;
  const found =
    staying.length === 0
      ? await collection.findOneAndReplace(filter, document, settings)
      : await collection.findOneAndUpdate(filter, [{ $replaceWith: keeping(document, '', staying) }], settings);
  return found ?? missing(call, id);
}
