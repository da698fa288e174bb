import type { Paginated } from '@framework/core';
import type { AggregationCursor, Document, FindCursor } from 'mongodb';
import { mergePipeline, queryStages } from '../compile/pipeline.ts';
import { compileProjection } from '../compile/projection.ts';
import type { Call } from './call.ts';

/** A cursor of the driver over the records of a call, from the plain find command. */
export function findCursor({ collection, query, filter, driver, options }: Call): FindCursor<Document> {
  const projection = compileProjection(query.select, options);
  return collection.find(filter, {
    ...driver,
    ...(projection ? { projection } : {}),
    ...(query.sort ? { sort: query.sort } : {}),
    ...(query.skip === undefined ? {} : { skip: query.skip }),
    ...(query.limit === undefined ? {} : { limit: query.limit }),
  });
}

/** A cursor of the driver over the records of a call, from the aggregate command. */
export function aggregateCursor(call: Call): AggregationCursor {
  return call.collection.aggregate(
    mergePipeline(call.params.pipeline ?? [], queryStages(call.filter, call.query, call.options)),
    call.driver,
  );
}

/** Finds records: one command, or two at once when the total is counted (interface 2.3, 4.5). */
export async function findRecords(call: Call): Promise<Document[] | Paginated<Document>> {
  const { query, options } = call;
  const paged = options.paginate !== false && (options.paginate.default !== undefined || options.paginate.max !== undefined);
  if (!paged) return readRecords(call);
  const [data, total] = await Promise.all([readRecords(call), countRecords(call)]);
  return { total, limit: query.limit ?? 0, skip: query.skip ?? 0, data };
}

/** `$limit: 0` asks for no record, and the driver would take it for all. */
async function readRecords(call: Call): Promise<Document[]> {
  if (call.query.limit === 0) return [];
  return (call.params.pipeline ? aggregateCursor(call).toArray() : findCursor(call).toArray()) as Promise<Document[]>;
}

async function countRecords(call: Call): Promise<number> {
  const { collection, filter, driver, options, params } = call;
  if (options.total === 'none') return -1;
  const upTo = typeof options.total === 'object' ? { limit: options.total.upTo } : {};
  if (params.pipeline) {
    const query = { ...call.query, sort: undefined, skip: undefined, limit: undefined, select: undefined };
    const stages = mergePipeline(params.pipeline, queryStages(filter, query, options));
    const [counted] = await collection.aggregate<{ total: number }>([...stages, { $count: 'total' }], driver).toArray();
    return counted?.total ?? 0;
  }
  const empty = Object.keys(filter).length === 0;
  if (options.useEstimatedDocumentCount === true && empty && driver.session === undefined) return collection.estimatedDocumentCount(driver);
  return collection.countDocuments(filter, { ...driver, ...upTo });
}
