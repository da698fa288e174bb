import { coercedLong, isWhole } from '../bson/rounding.ts';
import { isNumber, typeName, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/**
 * How many values `$firstN` and its kin take.
 *
 * @throws DocDbError (`noNumber`, 5787903, `notPositive`) for what counts none, (31109) for what 64 bits do not hold
 */
export function countOf(value: Value, noNumber: number, notPositive: number): number {
  if (!isNumber(value)) throw new DocDbError(noNumber, `Value for 'n' must be of integral type, but found ${typeName(value)}`);
  if (!isWhole(value)) throw new DocDbError(5787903, `Value for 'n' must be of integral type, but found ${String(value)}`);
  const given = Number(coercedLong(value));
  if (given <= 0) throw new DocDbError(notPositive, `'n' must be greater than 0, found ${String(given)}`);
  return given;
}
