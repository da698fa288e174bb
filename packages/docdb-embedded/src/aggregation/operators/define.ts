import type { Value } from '../../bson/values.ts';
import type { NamedRules, Operator } from '../operators.ts';

type Of = Operator['of'];

/** An operator with a number of arguments. */
export function fixed(count: number, of: Of): Operator {
  return { min: count, max: count, of };
}

/** An operator with a number of arguments that keeps something from one document to the next: each expression has a function of its own. */
export function keeping(count: number, ofOne: () => Of): Operator {
  return { min: count, max: count, of: ofOne(), ofOne };
}

/** An operator with a range of numbers of arguments. */
export function between(min: number, max: number, of: Of): Operator {
  return { min, max, of };
}

/** An operator that takes an object of parameters; those that are missing are `undefined`. */
export function named(parameters: readonly string[], of: Of, rules: NamedRules = {}): Operator {
  return { min: 1, max: 1, named: parameters, rules, of };
}

/** @returns whether a value is null or missing */
export function isNullish(value: Value): value is null | undefined {
  return value === null || value === undefined;
}

/** @returns whether a parameter that the caller wrote is null or missing */
export function givenNullish(given: ReadonlySet<string> | undefined, name: string, value: Value): boolean {
  return given?.has(name) === true && isNullish(value);
}
