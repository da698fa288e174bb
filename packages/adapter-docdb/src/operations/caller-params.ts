import type { DocDbParams } from '../docdb-types.ts';

/**
 * The parameters of a call that hold for another call on behalf of the same caller: without what was asked of one collection, and in
 * the same transaction as long as that lasts.
 *
 * @param params parameters of any service
 */
export function callerParams(params: DocDbParams): DocDbParams {
  const { adapter: _adapter, pipeline: _pipeline, collation: _collation, docdb, ...caller } = params;
  const session = docdb?.session;
  return session && !session.hasEnded ? { ...caller, docdb: { session } } : caller;
}
