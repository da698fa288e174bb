import { typeMismatch } from '../errors.ts';
import { addDecimals, divideDecimals, fromDecimal, multiplyDecimals, remainderDecimals, toDecimal, type Decimal } from './decimal.ts';
import { Decimal128, Double, isInt32, isNumber, toDouble, type Value } from './values.ts';

/** A value of one of the numeric types. */
export type Numeric = number | bigint | Double | Decimal128;

const MAX_LONG = 9223372036854775807n;
const MIN_LONG = -9223372036854775808n;

type Kind = 'int' | 'long' | 'double' | 'decimal';

function kindOf(value: Numeric): Kind {
  if (typeof value === 'bigint') return 'long';
  if (value instanceof Decimal128) return 'decimal';
  return typeof value === 'number' && isInt32(value) ? 'int' : 'double';
}

const WIDTH: Readonly<Record<Kind, number>> = { int: 0, long: 1, double: 2, decimal: 3 };

interface Operation {
  readonly name: string;
  readonly integer: (a: bigint, b: bigint) => bigint;
  readonly float: (a: number, b: number) => number;
  readonly decimal: (a: Decimal, b: Decimal) => Decimal;
}

const ADD: Operation = { name: '$add', integer: (a, b) => a + b, float: (a, b) => a + b, decimal: addDecimals };
const SUBTRACT: Operation = {
  name: '$subtract',
  integer: (a, b) => a - b,
  float: (a, b) => a - b,
  decimal: (a, b) => addDecimals(a, { ...b, coefficient: -b.coefficient }),
};
const MULTIPLY: Operation = { name: '$multiply', integer: (a, b) => a * b, float: (a, b) => a * b, decimal: multiplyDecimals };
const REMAINDER: Operation = { name: '$mod', integer: (a, b) => a % b, float: (a, b) => a % b, decimal: remainderDecimals };

/** The result has the wider type; 32-bit results that overflow become 64-bit ones, those become doubles. */
function apply(operation: Operation, a: Numeric, b: Numeric): Numeric {
  const left = kindOf(a);
  const right = kindOf(b);
  const kind = WIDTH[left] >= WIDTH[right] ? left : right;
  if (kind === 'decimal') return decimalResult(operation, a, b);
  if (kind === 'double') return toDouble(operation.float(toNumber(a), toNumber(b)));
  const result = operation.integer(BigInt(a as number | bigint), BigInt(b as number | bigint));
  if (kind === 'int') return isInt32(Number(result)) ? Number(result) : result;
  return result > MAX_LONG || result < MIN_LONG ? toDouble(Number(result)) : result;
}

function decimalResult(operation: Operation, a: Numeric, b: Numeric): Decimal128 {
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (left && right) return fromDecimal(operation.decimal(left, right));
  return Decimal128.fromString(String(operation.float(toNumber(a), toNumber(b))));
}

/** @returns the value as a JavaScript number */
export function toNumber(value: Value): number {
  return typeof value === 'number' ? value : Number(String(value));
}

/** @returns the sum */
export function add(a: Numeric, b: Numeric): Numeric {
  return apply(ADD, a, b);
}

/** @returns the difference */
export function subtract(a: Numeric, b: Numeric): Numeric {
  return apply(SUBTRACT, a, b);
}

/** @returns the product */
export function multiply(a: Numeric, b: Numeric): Numeric {
  return apply(MULTIPLY, a, b);
}

/** @returns the remainder with the sign of the dividend */
export function remainder(a: Numeric, b: Numeric): Numeric {
  return apply(REMAINDER, a, b);
}

/** @returns the quotient: a decimal when either is one, else a double */
export function divide(a: Numeric, b: Numeric): Numeric {
  if (a instanceof Decimal128 || b instanceof Decimal128) {
    const left = toDecimal(a);
    const right = toDecimal(b);
    if (left && right) return fromDecimal(divideDecimals(left, right));
  }
  return toDouble(toNumber(a) / toNumber(b));
}

/** @returns the value, when it is a number */
export function numeric(value: Value, name: string): Numeric {
  if (isNumber(value)) return value;
  throw typeMismatch(`${name} only supports numeric types, not ${typeof value}`);
}

/** Applies a function of floating-point numbers; the result keeps the type class of the argument. */
export function mapNumber(value: Numeric, of: (value: number) => number): Numeric {
  if (typeof value === 'bigint') return BigInt(of(Number(value)));
  const result = of(toNumber(value));
  if (value instanceof Decimal128) return Decimal128.fromString(String(result));
  return kindOf(value) === 'int' && isInt32(result) ? result : toDouble(result);
}
