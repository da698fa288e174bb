import { copyParams } from './copy-params.ts';
import type { Params } from './service-types.ts';

/**
 * Key of what a service says of parameters that were meant for another call: a function that takes them and gives those that hold
 * for a call of this service on behalf of the same caller. Copies of this package know each other's.
 */
export const passedOnParams: unique symbol = Symbol.for('@framework/passed-on-params');

const OF_THE_FIRST = ['query', 'precondition', 'paginate', 'adapter'];

/**
 * The parameters of a call as they are passed on to another service: who calls and from where, so that its restrictions hold for the
 * same caller; not what the first call asked for.
 *
 * @param service the service that is called next
 * @param params of the call that is answered
 */
export function paramsFor(service: object, params: Params): Params {
  const kept = copyParams(params, undefined, OF_THE_FIRST);
  const own: unknown = Reflect.get(service, passedOnParams);
  return typeof own === 'function' ? (Reflect.apply(own, service, [kept]) as Params) : kept;
}
