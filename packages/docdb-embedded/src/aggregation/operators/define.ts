import type { Collator } from '../../bson/collation.ts';
import type { Value } from '../../bson/values.ts';
import type { Operator } from '../operators.ts';

/** An operator with a number of arguments. */
export function fixed(count: number, of: (args: readonly Value[], collator: Collator | undefined) => Value): Operator {
  return { min: count, max: count, of };
}

/** An operator with a range of numbers of arguments. */
export function between(min: number, max: number, of: (args: readonly Value[], collator: Collator | undefined) => Value): Operator {
  return { min, max, of };
}

/** An operator that takes an object of parameters. */
export function named(parameters: readonly string[], of: (args: readonly Value[], collator: Collator | undefined) => Value): Operator {
  return { min: 1, max: 1, named: parameters, of };
}

/** @returns whether a value is null or missing */
export function isNullish(value: Value): value is null | undefined {
  return value === null || value === undefined;
}
