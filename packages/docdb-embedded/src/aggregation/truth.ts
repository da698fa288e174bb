import { isNumber, type Value } from '../bson/values.ts';

/** @returns whether a value counts as true in an expression */
export function isTrue(value: Value): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumber(value) || Number(String(value)) !== 0;
}
