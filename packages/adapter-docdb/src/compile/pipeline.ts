import { isPlainObject, type ParsedQuery } from '@framework/query';
import type { Document } from 'mongodb';
import type { ResolvedOptions } from '../docdb-types.ts';
import type { CompiledFilter } from './criteria.ts';
import { compileProjection } from './projection.ts';

/**
 * The stages of a query, in the order `$match`, `$sort`, `$skip`, `$limit`, `$project`; those with nothing to do are left
 * out (interface 4.5, decisions: pipeline order).
 */
export function queryStages(filter: CompiledFilter, query: ParsedQuery, options: ResolvedOptions): Document[] {
  const projection = compileProjection(query.select, options);
  const stages: Document[] = [];
  if (Object.keys(filter).length > 0) stages.push({ $match: filter });
  if (query.sort && Object.keys(query.sort).length > 0) stages.push({ $sort: query.sort });
  if (query.skip !== undefined && query.skip > 0) stages.push({ $skip: query.skip });
  if (query.limit !== undefined) stages.push({ $limit: query.limit });
  if (projection) stages.push({ $project: projection });
  return stages;
}

const MARKER = '$framework';

/**
 * Puts the stages of a query into a pipeline: at the stage `{ $framework: {} }`, or else before all others.
 *
 * @throws Error for a pipeline in which the query has no place, or of which a stage would be left out
 * @see interface 4.5
 */
export function mergePipeline(pipeline: readonly Document[], stages: readonly Document[]): Document[] {
  checkStages(pipeline);
  const marker = pipeline.findIndex(isMarker);
  if (marker < 0) return [...stages, ...pipeline];
  return [...pipeline.slice(0, marker), ...stages, ...pipeline.slice(marker + 1)];
}

/** Callers without types may give anything, and the database names neither the marker nor what is wrong with it. */
function checkStages(pipeline: unknown): void {
  if (!Array.isArray(pipeline) || !pipeline.every(isStage))
    throw new TypeError("params.pipeline is a list of stages, for example [{ $match: { city: 'Rome' } }, { $framework: {} }]");
  const markers = pipeline.filter(isMarker);
  // What stands beside the marker may be what keeps others' records out.
  const beside = Object.keys(markers[0] ?? {}).find((name) => name !== MARKER);
  if (beside !== undefined)
    throw new Error(`params.pipeline has ${beside} beside ${MARKER} in one stage: a stage has one name, so make two of it`);
  if (markers.length > 1)
    throw new Error(
      `params.pipeline has { ${MARKER}: {} } more than once: the query is asked in one place. makeFrameworkPipeline() gives its stages for others`,
    );
  for (const stage of pipeline) {
    const name = Object.keys(stage)[0] ?? '';
    if (pipelinesWithin(stage).some((inner) => Array.isArray(inner) && inner.some((one) => isStage(one) && isMarker(one))))
      throw new Error(
        `params.pipeline has { ${MARKER}: {} } within ${name}: it stands between the stages of params.pipeline. makeFrameworkPipeline() gives the stages of a query for other places`,
      );
  }
}

/** The driver sends maps and objects of classes too. */
function isStage(given: unknown): given is Document {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function isMarker(stage: Document): boolean {
  return MARKER in stage;
}

/** @returns the pipelines that a stage has of its own */
function pipelinesWithin({ $facet, $lookup, $unionWith }: Document): unknown[] {
  const joined = [$lookup, $unionWith].map((stage: unknown) => (isPlainObject(stage) ? stage.pipeline : undefined));
  return isPlainObject($facet) ? [...joined, ...Object.values($facet)] : joined;
}
