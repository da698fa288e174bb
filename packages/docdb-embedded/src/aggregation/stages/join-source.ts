import { isDocument, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import type { JoinName, PipelineCollection, PipelineContext } from '../pipeline-types.ts';

/** How many documents may be joined one by one before a table of the other collection pays. */
export const FEW = 4;

/** @returns the collection that a stage names */
export function source(name: JoinName, from: Value, context: PipelineContext): PipelineCollection {
  if (from === '') throw new DocDbError(73, `the 'from' of ${name} may not be empty`);
  if (typeof from === 'string') return context.host.collection(from);
  if (isDocument(from) && typeof from.coll === 'string' && (from.db === undefined || typeof from.db === 'string'))
    return context.host.collection(from.coll, from.db === '' ? undefined : from.db);
  throw failedToParse(`missing or invalid 'from' option to ${name} stage specification`);
}

/** What the pipeline of a stage is compiled with: in a branch of a `$facet` the stage of the branch counts, however deep it goes. */
export function insideOf(name: JoinName, context: PipelineContext): PipelineContext {
  return context.facet === 'branch' ? { ...context, facet: name } : context;
}
