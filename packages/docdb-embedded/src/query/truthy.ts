import { compare } from '../bson/compare.ts';
import { Decimal128, isNumber, type Value } from '../bson/values.ts';

/** @returns whether an option that is no boolean counts as true */
export function isTruthy(value: Value): boolean {
  // A double would make zero of a small decimal.
  if (value instanceof Decimal128) return compare(value, 0) !== 0;
  if (isNumber(value)) return Number(String(value)) !== 0;
  return value !== false && value !== null && value !== undefined;
}
