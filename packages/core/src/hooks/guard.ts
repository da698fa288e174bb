import { isFunction, type AnyFunction } from '../is-function.ts';

/** Copies of this package know each other's guards. */
const GUARD: unique symbol = Symbol.for('@framework/guard');

/**
 * Marks a hook that decides whether a call may go on, such as `authenticate` or a check of permissions. Guards run before what came in is
 * checked and converted: who may not call learns nothing of the schema, and no work is done for them. A guard refuses by throwing; of one that gives `false`
 * the call fails with a TypeError.
 *
 * @param hook a hook; it sees `context.data` and `context.params.query` as they came
 * @returns the same hook
 * @throws TypeError for what is no function, as the context of a call where `guard` itself is listed as a hook
 */
export function guard<H extends (...args: never[]) => unknown>(hook: H): H {
  if (!isFunction(hook))
    throw new TypeError(`guard() takes a hook, and not: ${typeof hook}. List it called, as guard(async (context) => …)`);
  return Object.defineProperty(hook, GUARD, { value: true, configurable: true });
}

/** @returns whether a hook was marked by {@link guard} */
export function isGuard(hook: AnyFunction): boolean {
  return GUARD in hook;
}
