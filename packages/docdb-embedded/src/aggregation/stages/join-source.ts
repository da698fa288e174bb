import { isDocument, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import type { CollectionName, JoinName, PipelineCollection, PipelineContext } from '../pipeline-types.ts';

/** How many documents may be joined one by one before a table of the other collection pays. */
export const FEW = 4;

/** @returns the name of the collection that a stage reads */
export function sourceName(name: JoinName, from: Value): CollectionName {
  const parts = typeof from === 'string' ? { coll: from } : from;
  if (!isDocument(parts) || typeof parts.coll !== 'string' || (parts.db !== undefined && typeof parts.db !== 'string'))
    throw failedToParse(`missing or invalid 'from' option to ${name} stage specification`);
  if (parts.coll === '') throw new DocDbError(73, `the collection of ${name} may not be empty`);
  return { name: parts.coll, database: parts.db === '' ? undefined : parts.db };
}

/** @returns the collection that a stage reads */
export function source({ name, database }: CollectionName, context: PipelineContext): PipelineCollection {
  return context.host.collection(name, database);
}

/**
 * What the pipeline of a stage is compiled with: names in it are those of the database that the stage names, which is where they are asked for. In a branch of a
 * `$facet` the stage of the branch counts, however deep it goes.
 */
export function insideOf(name: JoinName, on: CollectionName | undefined, context: PipelineContext): PipelineContext {
  const host = on === undefined ? context.host : context.host.on(on.name, on.database);
  return { ...context, host, ...(context.facet === 'branch' ? { facet: name } : {}) };
}
