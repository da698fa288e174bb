import { addCallSignal, unreadSignal } from './call-signal.ts';

const NOTHING: readonly PropertyKey[] = [];

/**
 * A copy of the parameters of a call, with other properties besides: for a hook that adds some, or for a call on behalf of another. It has all that a
 * copy by spreading has, symbols too, but does not make the `signal` of a call that nobody reads.
 *
 * @param params parameters of a call; not changed
 * @param changes further properties of the copy, also in place of those of `params`. Default: none
 * @param without names of properties that are left out. Default: none
 * @returns a new object
 */
export function copyParams<P extends object, C extends object = object>(
  params: P,
  changes?: C,
  without: readonly PropertyKey[] = NOTHING,
): P & C {
  const source = unreadSignal(params);
  if (source === undefined && without.length === 0) return Object.assign({}, params, changes);
  const given = params as Readonly<Record<PropertyKey, unknown>>;
  const copy: Record<PropertyKey, unknown> = {};
  // By hand: a copy by `Object.assign` or spreading reads every property.
  for (const name in given) {
    if (!Object.hasOwn(given, name) || without.includes(name)) continue;
    if (source !== undefined && name === 'signal') addCallSignal(copy, source);
    else copy[name] = given[name];
  }
  for (const symbol of Object.getOwnPropertySymbols(given)) {
    if (Object.prototype.propertyIsEnumerable.call(given, symbol) && !without.includes(symbol)) copy[symbol] = given[symbol];
  }
  return Object.assign(copy, changes) as P & C;
}
