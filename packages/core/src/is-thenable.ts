import { isFunction } from './is-function.ts';

/** @returns whether a function has given a promise, of whatever kind */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && isFunction(value.then);
}
