import { asDecimal, isZero, kindOf, type Numeric, toNumber } from './arithmetic.ts';
import { exactDecimal } from './decimal.ts';
import { quantized, type Rounding } from './decimal-arithmetic.ts';
import { DECIMAL_DIGITS, type DecimalParts, decimalParts, digitCount, toDecimal128 } from './decimal128.ts';
import { Decimal128, isInt32, isNumber, toDouble, typeName, type Value } from './values.ts';
import { DocDbError } from '../errors.ts';

const LONG_LIMIT = 2 ** 63;

/**
 * A number as a 64-bit integer: a double is cut off, a decimal rounded, its NaN counts as 0.
 *
 * @throws DocDbError (16004) for what is no number; (31109) for what does not fit
 */
export function coercedLong(value: Value): bigint {
  if (!isNumber(value)) throw new DocDbError(16004, `can't convert from BSON type ${typeName(value)} to long`);
  if (typeof value === 'bigint') return value;
  if (value instanceof Decimal128) {
    const parts = quantized(decimalParts(value), 0, 'even');
    if (parts === 'NaN') return 0n;
    const whole = wholeParts(parts);
    if (whole !== undefined) return whole;
  } else {
    const number = Math.trunc(toNumber(value));
    if (number >= -LONG_LIMIT && number < LONG_LIMIT) return BigInt(number);
  }
  throw new DocDbError(31109, `Can't coerce out of range value ${String(value)} to long`);
}

/** @returns a number as an integer, as options take it: a double is cut off, a decimal rounded to the even neighbour; NaN stays */
export function wholeOption(value: Numeric): number {
  const given = toNumber(value);
  return value instanceof Decimal128 && Math.abs(given) < LONG_LIMIT / 2 ? Number(coercedLong(value)) : Math.trunc(given);
}

/** @returns what is before the point of a number, `undefined` where 64 bits do not hold it */
export function cutLong(value: Numeric): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (value instanceof Decimal128) return wholeParts(quantized(decimalParts(value), 0, 'cut'));
  const number = Math.trunc(toNumber(value));
  return number >= -LONG_LIMIT && number < LONG_LIMIT ? BigInt(number) : undefined;
}

/** @returns a decimal without digits behind the point as an integer of 64 bits */
export function wholeParts(parts: DecimalParts): bigint | undefined {
  if (typeof parts === 'string') return undefined;
  const { coefficient, exponent, negative } = parts;
  if (coefficient !== 0n && digitCount(coefficient) + exponent > 19) return undefined;
  const size = exponent < 0 ? coefficient / 10n ** BigInt(-exponent) : coefficient === 0n ? 0n : coefficient * 10n ** BigInt(exponent);
  const whole = negative ? -size : size;
  return BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

/** @returns whether a number has nothing behind its point */
export function isWhole(value: Numeric): boolean {
  if (typeof value === 'bigint') return true;
  if (!(value instanceof Decimal128)) return Number.isInteger(toNumber(value));
  const parts = decimalParts(value);
  if (typeof parts === 'string') return false;
  const cut = quantized(parts, 0, 'cut');
  return typeof cut !== 'string' && cut.coefficient * 10n ** BigInt(Math.max(0, cut.exponent - parts.exponent)) === parts.coefficient;
}

/** The place of a digit, as `$round` and `$trunc` take it. */
function placeOf(name: string, value: Value): number {
  const place = coercedLong(value);
  if (isNumber(value) && !isWhole(value)) throw new DocDbError(51082, `precision argument to ${name} must be an integral value`);
  if (place < -20n || place > 100n)
    throw new DocDbError(51083, `cannot apply ${name} with precision value ${String(place)} value must be in [-20, 100]`);
  return Number(place);
}

/** Below it a double has bits left for what is behind the point. */
const CLEAR = 2 ** 40;
/** How far from the middle, and from a whole number, a double has to be to be rounded without its exact value. */
const MARGIN = 2 ** -10;

/** @returns a double rounded, `undefined` where only its exact value can tell */
function roundedQuickly(value: number, place: number, how: Rounding): number | undefined {
  if (place < 0 || place > 15) return undefined;
  const scaled = Math.abs(place === 0 ? value : value * 10 ** place);
  if (!(scaled < CLEAR)) return undefined;
  const whole = Math.floor(scaled);
  const rest = scaled - whole;
  const near = (other: number): boolean => Math.abs(rest - other) < MARGIN;
  // Without a digit behind the point nothing was multiplied, and nothing is lost.
  if (place > 0 && (near(0) || near(1) || near(0.5))) return undefined;
  const up = how === 'cut' ? false : rest > 0.5 || (rest === 0.5 && whole % 2 === 1);
  const size = up ? whole + 1 : whole;
  const result = place === 0 ? size : Number(`${String(size)}e-${String(place)}`);
  return value < 0 || Object.is(value, -0) ? -result : result;
}

/** @returns a double from its exact value with some digits taken off */
function roundedDouble(value: number, place: number, how: Rounding): number {
  const quick = how === 'even' || how === 'cut' ? roundedQuickly(value, place, how) : undefined;
  if (quick !== undefined) return quick;
  const exact = exactDecimal(value);
  if (!exact || value === 0) return value;
  const negative = value < 0;
  const parts = { negative, coefficient: negative ? -exact.coefficient : exact.coefficient, exponent: exact.exponent };
  // 34 digits of a double decide, as where it is made a decimal first.
  const short = decimalParts(toDecimal128(parts));
  const result = quantized(short, -place, how);
  if (typeof result === 'string') return value;
  return Number(`${negative ? '-' : ''}${String(result.coefficient)}e${String(result.exponent)}`);
}

/**
 * Rounds a number at a place behind the point, or before it when the place is negative.
 *
 * @throws DocDbError (16004, 31109, 51082, 51083) for what is no place; (51080) where an integer would not fit
 */
export function roundedAt(name: string, value: Numeric, place: Value, how: Rounding): Numeric {
  const digits = place === undefined ? 0 : placeOf(name, place);
  switch (kindOf(value)) {
    case 'decimal':
      return toDecimal128(quantized(asDecimal(value), -digits, how));
    case 'double':
      return toDouble(roundedDouble(toNumber(value), digits, how));
    default: {
      if (digits >= 0) return value;
      const parts = quantized(asDecimal(value), -digits, how);
      const whole = wholeParts(parts);
      if (whole === undefined)
        throw new DocDbError(
          51080,
          `invalid conversion from Decimal128 result in ${name} resulting from arguments: [${String(value)}, ${String(digits)}]`,
        );
      return typeof value === 'number' && isInt32(Number(whole)) ? Number(whole) : whole;
    }
  }
}

/** @returns the next whole number up or down; a decimal of more digits than can be written is not a number */
export function wholeNumber(value: Numeric, how: 'up' | 'down'): Numeric {
  if (kindOf(value) === 'double') return toDouble(how === 'up' ? Math.ceil(toNumber(value)) : Math.floor(toNumber(value)));
  if (!(value instanceof Decimal128)) return value;
  const parts = quantized(decimalParts(value), 0, how);
  if (typeof parts === 'string') return toDecimal128('NaN');
  const { coefficient, exponent } = parts;
  if (isZero(value) || exponent <= 0) return toDecimal128({ ...parts, exponent: Math.min(exponent, 0) });
  if (digitCount(coefficient) + exponent > DECIMAL_DIGITS) return toDecimal128('NaN');
  return toDecimal128({ ...parts, coefficient: coefficient * 10n ** BigInt(exponent), exponent: 0 });
}
