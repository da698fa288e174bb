import type { ParsedQuery } from '@framework/query';
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

/**
 * Puts the stages of a query into a pipeline: at the stage `{ $framework: {} }`, or else before all others.
 *
 * @see interface 4.5
 */
export function mergePipeline(pipeline: readonly Document[], stages: readonly Document[]): Document[] {
  const marker = pipeline.findIndex((stage) => '$framework' in stage);
  if (marker < 0) return [...stages, ...pipeline];
  return [...pipeline.slice(0, marker), ...stages, ...pipeline.slice(marker + 1)];
}
