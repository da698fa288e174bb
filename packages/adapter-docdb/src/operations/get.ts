import type { Document } from 'mongodb';
import { mergePipeline } from '../compile/pipeline.ts';
import { compileProjection } from '../compile/projection.ts';
import type { AdapterId } from '../docdb-types.ts';
import type { Call, Stages } from './call.ts';
import { filterOf, missing } from './target.ts';

/**
 * Reads one record: one command.
 *
 * @param stagesOf gives the stages of the query of a call
 * @throws NotFound (404) when there is none that satisfies the caller's conditions
 */
export async function getRecord(call: Call, id: AdapterId, stagesOf: Stages): Promise<Document> {
  const { collection, query, driver, options, params } = call;
  const filter = await filterOf(call, id);
  const projection = compileProjection(query.select, options);
  if (params.pipeline) {
    const stages = mergePipeline(
      params.pipeline,
      stagesOf({ ...call, filter, query: { ...query, sort: undefined, skip: undefined, limit: undefined } }),
    );
    const [found] = await collection.aggregate([...stages, { $limit: 1 }], driver).toArray();
    return found ?? missing({ ...call, params: {} }, id);
  }
  const found = await collection.findOne(filter, { ...driver, ...(projection ? { projection } : {}) });
  return found ?? missing({ ...call, params: {} }, id);
}
