import type { Paginated } from '@framework/core';
import { isPaged } from '@framework/query';
import type { AggregationCursor, Document, FindCursor } from 'mongodb';
import { mergePipeline } from '../compile/pipeline.ts';
import { compileProjection } from '../compile/projection.ts';
import type { CursorTokens } from '../paging/cursor-token.ts';
import { findPage } from '../paging/find-page.ts';
import type { Call, Stages } from './call.ts';
import { countMatching, isByDistance } from './count-matching.ts';

/** A cursor of the driver over the records of a call, from the plain find command. */
export function findCursor(call: Call): FindCursor<Document> {
  const { collection, query, filter, driver, options } = limited(call);
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
export function aggregateCursor(call: Call, stages: Stages): AggregationCursor {
  const page = limited(call);
  const { collection, params, driver } = page;
  return collection.aggregate(mergePipeline(params.pipeline ?? [], stages(page)), driver);
}

/** `$limit: 0` asks for no record: the find command would take it for all, and the aggregate command does not take it. */
function limited(call: Call): Call {
  const { query, filter } = call;
  return query.limit === 0 ? { ...call, query: { ...query, limit: undefined }, filter: { $and: [filter, { _id: { $in: [] } }] } } : call;
}

/**
 * Finds records: one command, or two when the total is counted, at once except in a session, which takes one at a time (interface 2.3, 4.5).
 *
 * @param read reads the records of a call
 * @param stages gives the stages of the query of a call
 */
export async function findRecords(
  call: Call,
  tokens: CursorTokens | undefined,
  read: (call: Call) => Promise<Document[]>,
  stages: Stages,
): Promise<Document[] | Paginated<Document>> {
  const { query, options } = call;
  // `$limit: 0` asks for no record, and the driver would take it for all.
  const readRecords = (page: Call): Promise<Document[]> => (page.query.limit === 0 ? Promise.resolve([]) : read(page));
  const paged = isPaged(options.paginate);
  const hasCursor = Object.keys(query.extra).some((name) => name === '$after' || name === '$before');
  // What is sorted by distance has no place in the order of a cursor.
  const nearestFirst = Object.keys(query.sort ?? {}).length === 0 && isByDistance(call.filter);
  const byCursor = hasCursor || (paged && call.params.pipeline === undefined && !nearestFirst);
  const reading = tokens && byCursor ? findPage(call, tokens, readRecords) : readRecords(call).then((data) => ({ data }));
  if (!paged) return (await reading).data;
  const count = (): Promise<number> => countRecords(call, stages);
  const counting = call.driver.session === undefined ? count() : reading.then(count);
  const [{ data, ...cursors }, counted] = await Promise.all([reading, counting]);
  const { total: option } = options;
  const capped = typeof option === 'object' && counted > option.upTo;
  const total = capped ? { total: option.upTo, capped } : { total: counted };
  return { ...total, limit: query.limit ?? 0, skip: query.skip ?? 0, data, ...cursors };
}

async function countRecords(call: Call, stagesOf: Stages): Promise<number> {
  const { collection, filter, driver, options, params } = call;
  if (options.total === 'none') return -1;
  // One more tells whether there are more.
  const limit = typeof options.total === 'object' ? options.total.upTo + 1 : undefined;
  if (params.pipeline) {
    const query = { ...call.query, sort: undefined, skip: undefined, limit: undefined, select: undefined };
    const stages = mergePipeline(params.pipeline, stagesOf({ ...call, query }));
    const [counted] = await collection
      .aggregate<{ total: number }>([...stages, ...(limit === undefined ? [] : [{ $limit: limit }]), { $count: 'total' }], driver)
      .toArray();
    return counted?.total ?? 0;
  }
  const empty = Object.keys(filter).length === 0;
  const estimated = options.useEstimatedDocumentCount === true || options.total === 'estimated';
  if (estimated && empty && driver.session === undefined) return collection.estimatedDocumentCount(driver);
  return countMatching(call, limit);
}
