import { isNumber, type Value } from '../bson/values.ts';

/** @returns whether an option that is no boolean counts as true */
export function isTruthy(value: Value): boolean {
  if (isNumber(value)) return Number(String(value)) !== 0;
  return value !== false && value !== null && value !== undefined;
}
