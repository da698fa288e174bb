import type { Value } from '../bson/values.ts';

/** Tests what a path leads to. */
export interface ValuesTest {
  /** Tests all values at the end of the path. */
  readonly many: (values: readonly Value[]) => boolean;
  /** The same for exactly one value, where that is simpler. */
  readonly one?: ((value: Value) => boolean) | undefined;
}

/** Any value, or any element of an array among the values, passes. */
export function anyElement(test: (value: Value) => boolean): ValuesTest {
  const one = (value: Value): boolean => test(value) || (Array.isArray(value) && (value as Value[]).some(test));
  return { one, many: (values) => values.some(one) };
}
