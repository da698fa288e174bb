import type { Document } from 'mongodb';
import { withId } from '../compile/criteria.ts';
import { compileProjection } from '../compile/projection.ts';
import { compileUpdate } from '../compile/write-data.ts';
import type { AdapterId } from '../docdb-types.ts';
import type { Call } from './call.ts';
import { notFound } from './get.ts';

/**
 * Replaces one record, or applies update operators to it: one command.
 *
 * @throws NotFound (404) when there is none that satisfies the caller's conditions
 */
export async function updateRecord(call: Call, id: AdapterId, data: Document): Promise<Document> {
  const { collection, query, driver, options } = call;
  const filter = withId(call.filter, id, options);
  const projection = compileProjection(query.select, options.id);
  const settings = {
    ...driver,
    ignoreUndefined: true,
    returnDocument: 'after' as const,
    includeResultMetadata: false as const,
    ...(projection ? { projection } : {}),
  };
  const change = compileUpdate(data, options);
  const found =
    change.kind === 'operators'
      ? await collection.findOneAndUpdate(filter, change.update, settings)
      : await collection.findOneAndReplace(
          filter,
          options.id === '_id' ? change.document : { ...change.document, [options.id]: id },
          settings,
        );
  return found ?? notFound(id);
}
