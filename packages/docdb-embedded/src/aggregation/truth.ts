import { isZero } from '../bson/arithmetic.ts';
import { isNumber, type Value } from '../bson/values.ts';

/** @returns whether a value counts as true in an expression */
export function isTrue(value: Value): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumber(value) || !isZero(value);
}
