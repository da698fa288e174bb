import { DECIMAL_DIGITS, type DecimalParts, digitCount, type FiniteDecimal, shiftRight } from './decimal128.ts';

type Finite = FiniteDecimal;

function isNegative(parts: DecimalParts): boolean {
  return typeof parts === 'string' ? parts === '-Infinity' : parts.negative;
}

function infinity(negative: boolean): DecimalParts {
  return negative ? '-Infinity' : 'Infinity';
}

/** @returns the decimal with the other sign */
export function negate(parts: DecimalParts): DecimalParts {
  if (typeof parts !== 'string') return { ...parts, negative: !parts.negative };
  return parts === 'NaN' ? parts : infinity(parts === 'Infinity');
}

/** @returns the decimal without its sign */
export function absolute(parts: DecimalParts): DecimalParts {
  return isNegative(parts) ? negate(parts) : parts;
}

/** What decides a sum lies within so many digits of the larger number. */
const SIGNIFICANT = 3 * DECIMAL_DIGITS;

/** Brings two numbers to one exponent; the smaller one counts as a single unit where it is too far away to matter more. */
function aligned(a: Finite, b: Finite): readonly [bigint, bigint, number] {
  const [wide, narrow] = a.exponent >= b.exponent ? [a, b] : [b, a];
  const far = wide.coefficient !== 0n && narrow.coefficient !== 0n && wide.exponent - narrow.exponent > SIGNIFICANT;
  const exponent = far ? wide.exponent - SIGNIFICANT : narrow.exponent;
  const scaled = (value: Finite): bigint => {
    const size =
      value.exponent < exponent ? 1n : value.coefficient === 0n ? 0n : value.coefficient * 10n ** BigInt(value.exponent - exponent);
    return value.negative ? -size : size;
  };
  return [scaled(a), scaled(b), exponent];
}

/** @returns the sum: its exponent is the smaller of both */
export function sum(a: DecimalParts, b: DecimalParts): DecimalParts {
  if (a === 'NaN' || b === 'NaN') return 'NaN';
  if (typeof a === 'string') return typeof b === 'string' && a !== b ? 'NaN' : a;
  if (typeof b === 'string') return b;
  const [left, right, exponent] = aligned(a, b);
  const total = left + right;
  return { negative: total === 0n ? a.negative && b.negative : total < 0n, coefficient: total < 0n ? -total : total, exponent };
}

/** @returns the product: its exponent is the sum of both */
export function product(a: DecimalParts, b: DecimalParts): DecimalParts {
  if (a === 'NaN' || b === 'NaN') return 'NaN';
  const negative = isNegative(a) !== isNegative(b);
  if (typeof a === 'string' || typeof b === 'string') {
    const other = typeof a === 'string' ? b : a;
    return typeof other !== 'string' && other.coefficient === 0n ? 'NaN' : infinity(negative);
  }
  return { negative, coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

/** Takes zeros from the end while the exponent stays at most the one that is wanted. */
function towards(value: Finite, exponent: number): Finite {
  let { coefficient, exponent: power } = value;
  while (power < exponent && coefficient % 10n === 0n) {
    coefficient /= 10n;
    power += 1;
  }
  return { ...value, coefficient, exponent: power };
}

/** @returns the quotient; one that is exact has the exponent nearest to the difference of both */
export function quotient(a: DecimalParts, b: DecimalParts): DecimalParts {
  if (a === 'NaN' || b === 'NaN') return 'NaN';
  const negative = isNegative(a) !== isNegative(b);
  if (typeof a === 'string') return typeof b === 'string' ? 'NaN' : infinity(negative);
  if (typeof b === 'string') return { negative, coefficient: 0n, exponent: -6176 };
  if (b.coefficient === 0n) return a.coefficient === 0n ? 'NaN' : infinity(negative);
  const wanted = a.exponent - b.exponent;
  if (a.coefficient === 0n) return { negative, coefficient: 0n, exponent: wanted };
  const more = Math.max(0, DECIMAL_DIGITS + 2 + digitCount(b.coefficient) - digitCount(a.coefficient));
  const scaled = a.coefficient * 10n ** BigInt(more);
  const whole = scaled / b.coefficient;
  const exact = scaled % b.coefficient === 0n;
  const result = { negative, coefficient: exact ? whole : whole * 10n + 1n, exponent: wanted - more - (exact ? 0 : 1) };
  return exact ? towards(result, wanted) : result;
}

/** @returns what a division to a whole number leaves over, with the sign of the dividend; `b` must not be zero */
export function remainder(a: DecimalParts, b: DecimalParts): DecimalParts {
  if (a === 'NaN' || b === 'NaN' || typeof a === 'string') return 'NaN';
  if (typeof b === 'string') return a;
  const exponent = Math.min(a.exponent, b.exponent);
  const divisor = b.coefficient * 10n ** BigInt(b.exponent - exponent);
  return { negative: a.negative, coefficient: (a.coefficient * power(a.exponent - exponent, divisor)) % divisor, exponent };
}

/** @returns a power of ten, without what divides by the modulus */
function power(exponent: number, modulus: bigint): bigint {
  let result = 1n % modulus;
  let base = 10n % modulus;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}

function rootOf(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** @returns the square root; an exact one has half the exponent where it can */
export function squareRoot(a: DecimalParts): DecimalParts {
  if (a === 'NaN' || a === '-Infinity') return 'NaN';
  if (a === 'Infinity') return a;
  const wanted = Math.floor(a.exponent / 2);
  if (a.coefficient === 0n) return { ...a, exponent: wanted };
  if (a.negative) return 'NaN';
  const odd = a.exponent - wanted * 2;
  const more = DECIMAL_DIGITS + 2;
  const scaled = a.coefficient * 10n ** BigInt(odd + 2 * more);
  const root = rootOf(scaled);
  const exact = root * root === scaled;
  const result = { negative: false, coefficient: exact ? root : root * 10n + 1n, exponent: wanted - more - (exact ? 0 : 1) };
  return exact ? towards(result, wanted) : result;
}

/** How a number is made whole. */
export type Rounding = 'even' | 'down' | 'up' | 'cut';

/** @returns the number with an exponent of at least the one given; one that has fewer digits behind the point stays as it is */
export function quantized(a: DecimalParts, exponent: number, how: Rounding): DecimalParts {
  if (typeof a === 'string' || a.exponent >= exponent) return a;
  const drop = exponent - a.exponent;
  const unit = drop > digitCount(a.coefficient) ? undefined : 10n ** BigInt(drop);
  const cut = unit === undefined ? 0n : a.coefficient / unit;
  const rest = unit === undefined ? a.coefficient : a.coefficient % unit;
  const away = rest !== 0n && ((how === 'up' && !a.negative) || (how === 'down' && a.negative));
  return { negative: a.negative, coefficient: how === 'even' ? shiftRight(a.coefficient, drop) : away ? cut + 1n : cut, exponent };
}
