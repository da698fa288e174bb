import { Decimal128 } from './values.ts';

/** A finite decimal: `coefficient` is not negative, and zero has a sign as well. */
export interface FiniteDecimal {
  readonly negative: boolean;
  readonly coefficient: bigint;
  /** The power of ten that the coefficient is multiplied by. */
  readonly exponent: number;
}

/** What a 128-bit decimal holds. */
export type DecimalParts = FiniteDecimal | 'NaN' | 'Infinity' | '-Infinity';

/** Most digits of a coefficient. */
export const DECIMAL_DIGITS = 34;
/** The exponents that can be written. */
export const LEAST_EXPONENT = -6176;
const GREATEST_EXPONENT = 6111;
const BIAS = 6176;
const COEFFICIENT_LIMIT = 10n ** BigInt(DECIMAL_DIGITS);

/** @returns what a decimal holds, read from its bytes (IEEE 754-2008, binary integer significand) */
export function decimalParts(value: Decimal128): DecimalParts {
  const { buffer, byteOffset, byteLength } = value.bytes;
  const view = new DataView(buffer, byteOffset, byteLength);
  const high = view.getBigUint64(8, true);
  const negative = high >> 63n === 1n;
  const combination = Number((high >> 58n) & 0x1fn);
  if (combination === 31) return 'NaN';
  if (combination === 30) return negative ? '-Infinity' : 'Infinity';
  // The form with a coefficient over 113 bits holds no value of 34 digits: it stands for zero.
  if (combination >> 3 === 3) return { negative, coefficient: 0n, exponent: Number((high >> 47n) & 0x3fffn) - BIAS };
  const coefficient = ((high & 0x1ffffffffffffn) << 64n) | view.getBigUint64(0, true);
  return {
    negative,
    coefficient: coefficient < COEFFICIENT_LIMIT ? coefficient : 0n,
    exponent: Number((high >> 49n) & 0x3fffn) - BIAS,
  };
}

/** @returns how many digits a number that is not negative has */
export function digitCount(coefficient: bigint): number {
  return String(coefficient).length;
}

/** @returns a number divided by a power of ten: to the nearest, from the middle to the even one */
export function shiftRight(coefficient: bigint, digits: number): bigint {
  if (digits <= 0) return coefficient;
  if (digits > digitCount(coefficient)) return 0n;
  const unit = 10n ** BigInt(digits);
  const whole = coefficient / unit;
  const twice = (coefficient % unit) * 2n;
  return twice > unit || (twice === unit && (whole & 1n) === 1n) ? whole + 1n : whole;
}

function pack(negative: boolean, coefficient: bigint, exponent: number): Decimal128 {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, coefficient & 0xffffffffffffffffn, true);
  view.setBigUint64(8, ((negative ? 1n : 0n) << 63n) | (BigInt(exponent + BIAS) << 49n) | (coefficient >> 64n), true);
  return new Decimal128(bytes);
}

function special(high: bigint): Decimal128 {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(8, high, true);
  return new Decimal128(bytes);
}

const NAN = 0x7c00000000000000n;
const INFINITE = 0x7800000000000000n;
const SIGN = 0x8000000000000000n;

/**
 * Writes a decimal: rounded to 34 digits, from the middle to the even one; what is too large is infinite, what is too small
 * loses digits, then is zero.
 */
export function toDecimal128(parts: DecimalParts): Decimal128 {
  if (parts === 'NaN') return special(NAN);
  if (parts === 'Infinity') return special(INFINITE);
  if (parts === '-Infinity') return special(INFINITE | SIGN);
  const { negative } = parts;
  let { coefficient, exponent } = parts;
  const excess = Math.max(digitCount(coefficient) - DECIMAL_DIGITS, LEAST_EXPONENT - exponent);
  if (excess > 0) {
    coefficient = shiftRight(coefficient, excess);
    exponent += excess;
    if (coefficient === COEFFICIENT_LIMIT) {
      coefficient /= 10n;
      exponent += 1;
    }
  }
  if (exponent > GREATEST_EXPONENT) {
    const missing = exponent - GREATEST_EXPONENT;
    if (coefficient !== 0n && digitCount(coefficient) + missing > DECIMAL_DIGITS) return special(negative ? INFINITE | SIGN : INFINITE);
    if (coefficient !== 0n) coefficient *= 10n ** BigInt(missing);
    exponent = GREATEST_EXPONENT;
  }
  return pack(negative, coefficient, exponent);
}

/** @returns what is left of a number when it is written */
export function rounded(parts: DecimalParts): DecimalParts {
  return decimalParts(toDecimal128(parts));
}

const TEXT = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d{1,20}))?$/i;
const SPECIAL = /^([+-]?)(?:(nan)|inf(?:inity)?)$/i;

/**
 * Reads the text of a decimal.
 *
 * @returns `undefined` for what is no number; `rounded` tells whether its digits or its exponent had to change
 */
export function parseDecimal(text: string): { readonly value: Decimal128; readonly fits: boolean } | undefined {
  const named = SPECIAL.exec(text);
  if (named) {
    const [, sign, nan] = named;
    return { value: toDecimal128(nan !== undefined ? 'NaN' : sign === '-' ? '-Infinity' : 'Infinity'), fits: true };
  }
  const match = TEXT.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', behind = '', alone = '', power = '0'] = match;
  const fraction = behind + alone;
  const digits = (whole + fraction).replace(/^0+/, '');
  // Digits that do not fit are cut off: a text may have millions of them.
  const coefficient = BigInt(digits.slice(0, DECIMAL_DIGITS));
  const excess = Math.max(0, digits.length - DECIMAL_DIGITS);
  const exponent = Number(power) - fraction.length + excess;
  const value = toDecimal128({ negative: sign === '-', coefficient, exponent });
  const parts = decimalParts(value);
  const lost = typeof parts === 'string' || (parts.coefficient === 0n && coefficient !== 0n);
  return { value, fits: !lost };
}
