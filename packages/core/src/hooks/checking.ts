import type { HookedMethod } from '../description/authenticating.ts';
import type { HookType } from './hook-types.ts';

/** Key of what a hook checks of its application. Copies of this package know each other's. */
const CHECK: unique symbol = Symbol.for('@framework/checking');

/** A method that a hook runs for, and the application whose service it is. */
export interface CheckedMethod extends HookedMethod {
  /** The application whose service has the method. */
  readonly app: object;
  /** When the hook runs. */
  readonly type: HookType;
}

/**
 * Marks a hook that needs something of its application, so that what is missing is told when the application is set up, and not by the first call.
 * `authenticate` is marked: its strategies have to be registered.
 *
 * @param hook a hook
 * @param check is asked once for each method that the hook runs for, when all services are set up; what it throws fails the setup
 * @returns the same hook
 */
export function checking<H extends object>(hook: H, check: (called: CheckedMethod) => void): H {
  return Object.defineProperty(hook, CHECK, { value: check, configurable: true });
}

/** @throws what {@link checking} was told to */
export function checkHook(hook: object, called: CheckedMethod): void {
  const check: unknown = Reflect.get(hook, CHECK);
  if (typeof check === 'function') Reflect.apply(check, undefined, [called]);
}
