import {
  add,
  asDecimal,
  divide,
  fitsLong,
  isZero,
  kindOf,
  multiply,
  type Numeric,
  remainder,
  subtract,
  toNumber,
} from '../../bson/arithmetic.ts';
import { absolute } from '../../bson/decimal-arithmetic.ts';
import { toDecimal128 } from '../../bson/decimal128.ts';
import { coercedLong, roundedAt, wholeNumber } from '../../bson/rounding.ts';
import { Decimal128, isInt32, isNumber, toDouble, typeName, type Value, dateOf, millisecondsOf } from '../../bson/values.ts';
import { DocDbError, ZeroDivision } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { between, fixed, isNullish } from './define.ts';

/** An operator on one number. */
function unary(name: string, of: (value: Numeric) => Value): Operator {
  return fixed(1, ([value]) => {
    if (isNullish(value)) return null;
    if (!isNumber(value)) throw new DocDbError(28765, `${name} only supports numeric types, not ${typeName(value)}`);
    return of(value);
  });
}

/** Milliseconds from the first to the last date that can be written. */
function shiftedDate(milliseconds: bigint): Date {
  if (!fitsLong(milliseconds)) throw new DocDbError(15, 'date overflow in $add');
  return dateOf(milliseconds);
}

function awayFromZero(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value);
}

/** @throws DocDbError (15) where a number of milliseconds does not fit 64 bits */
function milliseconds(value: Numeric): bigint {
  const double = kindOf(value) === 'double';
  if (!Number.isFinite(toNumber(value))) throw new DocDbError(15, 'date overflow in $add');
  try {
    return double ? BigInt(awayFromZero(toNumber(value))) : coercedLong(value);
  } catch (error) {
    if (error instanceof DocDbError) throw new DocDbError(15, 'date overflow in $add');
    throw error;
  }
}

/** @returns the sum of numbers, a date moved by them where one is among them; null where a value is missing */
export function sum(args: readonly Value[]): Value {
  let total: Numeric = 0;
  let date: Date | undefined;
  for (const value of args) {
    if (isNullish(value)) return null;
    if (value instanceof Date) {
      if (date) throw new DocDbError(16612, 'only one date allowed in an $add expression');
      date = value;
    } else if (isNumber(value)) total = add(total, value);
    else throw new DocDbError(14, `$add only supports numeric or date types, not ${typeName(value)}`);
  }
  return date ? shiftedDate(millisecondsOf(date) + milliseconds(total)) : total;
}

/** @returns the difference of two numbers, the milliseconds between two dates, or a date moved by a number; null where a value is missing */
export function difference([a, b]: readonly Value[]): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date) {
    if (b instanceof Date) return BigInt.asIntN(64, millisecondsOf(a) - millisecondsOf(b));
    if (isNumber(b)) return shiftedDate(millisecondsOf(a) - milliseconds(b));
  }
  if (isNumber(a) && isNumber(b)) return subtract(a, b);
  throw new DocDbError(14, `can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

/** @returns the product of numbers; null where a value is missing */
export function product(args: readonly Value[]): Value {
  let total: Numeric = 1;
  for (const value of args) {
    if (isNullish(value)) return null;
    if (!isNumber(value)) throw new DocDbError(14, `$multiply only supports numeric types, not ${typeName(value)}`);
    total = multiply(total, value);
  }
  return total;
}

/** @returns the quotient of two numbers; null where a value is missing */
export function quotient([a, b]: readonly Value[]): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumber(a) || !isNumber(b)) throw new DocDbError(14, `$divide only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  if (isZero(b)) throw new ZeroDivision(2, 4848401, "can't $divide by zero");
  return divide(a, b);
}

function modulo([a, b]: readonly Value[]): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumber(a) || !isNumber(b)) throw new DocDbError(16611, `$mod only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  if (isZero(b))
    throw new ZeroDivision(a instanceof Decimal128 || b instanceof Decimal128 ? 5733415 : 16610, 4848403, "can't $mod by zero");
  return remainder(a, b);
}

function rounded(name: string, how: 'even' | 'cut'): Operator {
  return between(1, 2, (args) => {
    const [value, place] = args;
    if (isNullish(value) || (args.length > 1 && isNullish(place))) return null;
    if (!isNumber(value)) throw new DocDbError(51081, `${name} only supports numeric types, not ${typeName(value)}`);
    return roundedAt(name, value, place, how);
  });
}

function magnitude(value: Numeric): Value {
  if (value instanceof Decimal128) return toDecimal128(absolute(asDecimal(value)));
  if (typeof value !== 'bigint') {
    const size = Math.abs(toNumber(value));
    if (kindOf(value) === 'double') return toDouble(size);
    return isInt32(size) ? size : BigInt(size);
  }
  if (!fitsLong(-value)) throw new DocDbError(28680, "can't take $abs of long long min");
  return value < 0n ? -value : value;
}

function bits(name: string, of: (a: bigint, b: bigint) => bigint, start: bigint): Operator {
  return between(0, Infinity, (args) => {
    let wide = false;
    let result = start;
    for (const value of args) {
      if (isNullish(value)) return null;
      result = of(result, integerOf(name, value));
      wide ||= typeof value === 'bigint';
    }
    return wide ? BigInt.asIntN(64, result) : Number(BigInt.asIntN(32, result));
  });
}

function integerOf(name: string, value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && isInt32(value)) return BigInt(value);
  throw new DocDbError(14, `${name} only supports int and long operands.`);
}

/** Operators on numbers; roots, powers and angles are beside them. */
export const arithmeticOperators: Readonly<Record<string, Operator>> = {
  $add: between(0, Infinity, sum),
  $subtract: fixed(2, difference),
  $multiply: between(0, Infinity, product),
  $divide: fixed(2, quotient),
  $mod: fixed(2, modulo),
  $abs: unary('$abs', magnitude),
  $ceil: unary('$ceil', (value) => wholeNumber(value, 'up')),
  $floor: unary('$floor', (value) => wholeNumber(value, 'down')),
  $round: rounded('$round', 'even'),
  $trunc: rounded('$trunc', 'cut'),
  $bitAnd: bits('$bitAnd', (a, b) => a & b, -1n),
  $bitOr: bits('$bitOr', (a, b) => a | b, 0n),
  $bitXor: bits('$bitXor', (a, b) => a ^ b, 0n),
  $bitNot: fixed(1, ([value]) => {
    if (isNullish(value)) return null;
    const flipped = ~integerOf('$bitNot', value);
    return typeof value === 'bigint' ? flipped : Number(flipped);
  }),
};
