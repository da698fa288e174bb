import { product, quotient, remainder as decimalRemainder, sum, negate } from './decimal-arithmetic.ts';
import { decimalParts, type DecimalParts, digitCount, shiftRight, toDecimal128 } from './decimal128.ts';
import { exactDecimal } from './decimal.ts';
import { Decimal128, Double, isInt32, toDouble, type Value } from './values.ts';

/** A value of one of the numeric types. */
export type Numeric = number | bigint | Double | Decimal128;

const MAX_LONG = 9223372036854775807n;
const MIN_LONG = -9223372036854775808n;

/** The numeric types, from the narrowest. */
export type Kind = 'int' | 'long' | 'double' | 'decimal';

/** @returns the numeric type of a value */
export function kindOf(value: Numeric): Kind {
  if (typeof value === 'bigint') return 'long';
  if (value instanceof Decimal128) return 'decimal';
  return typeof value === 'number' && isInt32(value) ? 'int' : 'double';
}

const WIDTH: Readonly<Record<Kind, number>> = { int: 0, long: 1, double: 2, decimal: 3 };

/** @returns the wider of two numeric types */
export function widerKind(a: Kind, b: Kind): Kind {
  return WIDTH[a] >= WIDTH[b] ? a : b;
}

/** @returns whether an integer fits 64 bits */
export function fitsLong(value: bigint): boolean {
  return value <= MAX_LONG && value >= MIN_LONG;
}

/** Digits that a double is taken for when it meets a decimal. */
const DOUBLE_DIGITS = 15;

/** @returns a double with 15 digits, as it counts beside decimals */
function doubleParts(value: number): DecimalParts {
  const exact = exactDecimal(value);
  if (!exact) return Number.isNaN(value) ? 'NaN' : value < 0 ? '-Infinity' : 'Infinity';
  const negative = value < 0 || Object.is(value, -0);
  const coefficient = exact.coefficient < 0n ? -exact.coefficient : exact.coefficient;
  if (coefficient === 0n) return { negative, coefficient, exponent: 0 };
  const excess = digitCount(coefficient) - DOUBLE_DIGITS;
  if (excess <= 0) return { negative, coefficient: coefficient * 10n ** BigInt(-excess), exponent: exact.exponent + excess };
  const cut = shiftRight(coefficient, excess);
  // A number of nines is rounded to one that has a digit more.
  const carried = digitCount(cut) > DOUBLE_DIGITS;
  return { negative, coefficient: carried ? cut / 10n : cut, exponent: exact.exponent + excess + (carried ? 1 : 0) };
}

/** @returns a number as a decimal: doubles with 15 digits */
export function asDecimal(value: Numeric): DecimalParts {
  if (value instanceof Decimal128) return decimalParts(value);
  if (typeof value === 'bigint') return { negative: value < 0n, coefficient: value < 0n ? -value : value, exponent: 0 };
  const number = Number(value);
  if (typeof value === 'number' && isInt32(value)) return { negative: value < 0, coefficient: BigInt(Math.abs(value)), exponent: 0 };
  return doubleParts(number);
}

interface Operation {
  readonly integer: (a: bigint, b: bigint) => bigint;
  readonly float: (a: number, b: number) => number;
  readonly decimal: (a: DecimalParts, b: DecimalParts) => DecimalParts;
}

const ADD: Operation = { integer: (a, b) => a + b, float: (a, b) => a + b, decimal: sum };
const SUBTRACT: Operation = { integer: (a, b) => a - b, float: (a, b) => a - b, decimal: (a, b) => sum(a, negate(b)) };
const MULTIPLY: Operation = { integer: (a, b) => a * b, float: (a, b) => a * b, decimal: product };
const REMAINDER: Operation = { integer: (a, b) => a % b, float: (a, b) => a % b, decimal: decimalRemainder };

/** The result has the wider type; 32-bit results that overflow become 64-bit ones, those become doubles. */
function apply(operation: Operation, a: Numeric, b: Numeric): Numeric {
  const kind = widerKind(kindOf(a), kindOf(b));
  if (kind === 'decimal') return toDecimal128(operation.decimal(asDecimal(a), asDecimal(b)));
  if (kind === 'double') return toDouble(operation.float(toNumber(a), toNumber(b)));
  if (typeof a === 'number' && typeof b === 'number') {
    const result = operation.float(a, b);
    if (Number.isSafeInteger(result)) return integer(result);
  }
  const result = operation.integer(wholeOf(a), wholeOf(b));
  if (kind === 'int') return isInt32(Number(result)) ? Number(result) : result;
  return fitsLong(result) ? result : toDouble(Number(result));
}

/** @returns an int where one can hold it, else a long */
function integer(value: number): number | bigint {
  const positive = value === 0 ? 0 : value;
  return isInt32(positive) ? positive : BigInt(positive);
}

/** @returns an integer as one without bounds */
function wholeOf(value: Numeric): bigint {
  return typeof value === 'bigint' ? value : BigInt(toNumber(value));
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

/** @returns the remainder with the sign of the dividend; the divisor must not be zero */
export function remainder(a: Numeric, b: Numeric): Numeric {
  return apply(REMAINDER, a, b);
}

/** @returns the quotient: a decimal when either is one, else a double */
export function divide(a: Numeric, b: Numeric): Numeric {
  if (a instanceof Decimal128 || b instanceof Decimal128) return toDecimal128(quotient(asDecimal(a), asDecimal(b)));
  return toDouble(toNumber(a) / toNumber(b));
}

/** @returns whether a number is zero, whatever its type and its sign */
export function isZero(value: Numeric): boolean {
  if (!(value instanceof Decimal128)) return toNumber(value) === 0;
  const parts = decimalParts(value);
  return typeof parts !== 'string' && parts.coefficient === 0n;
}

/** @returns whether a number is below zero */
export function isBelowZero(value: Numeric): boolean {
  if (!(value instanceof Decimal128)) return toNumber(value) < 0;
  const parts = decimalParts(value);
  return typeof parts === 'string' ? parts === '-Infinity' : parts.negative && parts.coefficient !== 0n;
}
