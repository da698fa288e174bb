import type { AnyFunction } from '../is-function.ts';
import type { HookedMethod } from './authenticating.ts';

/** Key of what a hook adds to a method. Copies of this package know each other's. */
const ADDS: unique symbol = Symbol.for('@framework/hook-description');

/** What a hook adds to a method, or takes from it, for callers over HTTP. */
export interface HookDescription {
  /** Request headers that it reads: what each means, by its name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that it may give an answer: what each means, by its name. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Statuses of the errors that it may fail a call with. */
  readonly errors?: readonly number[];
  /** Whether it refuses all calls from outside: the method is for the server alone, and is described to nobody. Default: `false`. */
  readonly serverOnly?: boolean;
}

/** A method, and the registered service that has it. */
export interface DescribedMethod extends HookedMethod {
  readonly service: object;
}

/** Tells for a method what a hook adds; `undefined` for nothing. */
export type DescribesHook = (called: DescribedMethod) => HookDescription | undefined;

/**
 * Says what a hook adds to methods, for tools that describe an application, such as `@framework/openapi`:
 * `describing(hook, { headers: { 'X-Tenant': 'Whose records are meant.' }, errors: [403] })`.
 *
 * @param hook a hook
 * @param description what it adds, or for which methods it adds what
 * @returns the same hook
 */
export function describing<H extends object>(hook: H, description: HookDescription | DescribesHook): H {
  const value: DescribesHook = typeof description === 'function' ? description : () => description;
  return Object.defineProperty(hook, ADDS, { value, configurable: true });
}

/** @returns what a hook says that it adds to a method */
export function addedBy(hook: AnyFunction, called: DescribedMethod): HookDescription | undefined {
  const describes: unknown = Reflect.get(hook, ADDS);
  return isDescribing(describes) ? describes(called) : undefined;
}

function isDescribing(value: unknown): value is DescribesHook {
  return typeof value === 'function';
}
