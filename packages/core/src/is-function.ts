/** A function whose arguments and result are not known. */
export type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** @returns whether a value can be called */
export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/**
 * Reads a method of an object, own or inherited.
 *
 * @returns the function, or `undefined` when there is none of that name
 */
export function functionOf(target: object, name: string | symbol): AnyFunction | undefined {
  const value: unknown = Reflect.get(target, name);
  return isFunction(value) ? value : undefined;
}
