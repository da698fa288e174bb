import { copyParams, type Params } from '@framework/core';

const OF_THE_CALL = ['provider', 'authentication'];

/**
 * The parameters of a call as the calls on its behalf get them: without where it came from and what it authenticates with.
 *
 * @param params parameters of the call from outside
 * @param changes further properties, also in place of those of `params`. Default: none
 */
export function innerParams<P extends Params, C extends object = object>(params: P, changes?: C): P & C {
  return copyParams(params, changes, OF_THE_CALL);
}
