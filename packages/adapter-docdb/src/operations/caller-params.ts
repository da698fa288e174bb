import { copyParams } from '@framework/core';
import type { DocDbParams } from '../docdb-types.ts';

const OF_ONE_COLLECTION = ['adapter', 'pipeline', 'collation', 'docdb'];

/**
 * The parameters of a call that hold for another call on behalf of the same caller: without what was asked of one collection, and in
 * the same transaction as long as that lasts.
 *
 * @param params parameters of any service
 */
export function callerParams(params: DocDbParams): DocDbParams {
  const session = params.docdb?.session;
  return copyParams(params, session && !session.hasEnded ? { docdb: { session } } : {}, OF_ONE_COLLECTION);
}
