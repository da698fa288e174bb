import { Decimal128, Double } from './values.ts';

/** A decimal as an integer times a power of ten. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

/** @returns the parts of a finite number, or `undefined` for NaN and infinities */
export function toDecimal(value: number | bigint | Double | Decimal128): Decimal | undefined {
  if (typeof value === 'bigint') return { coefficient: value, exponent: 0 };
  const text = value instanceof Decimal128 ? value.toString() : String(Number(value));
  const match = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  if (!match || (match[2] === '' && match[3] === '')) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const digits = BigInt(`${whole}${fraction}` || '0');
  return { coefficient: sign === '-' ? -digits : digits, exponent: Number(power) - fraction.length };
}

/**
 * The exact value of a number: a double is seldom the decimal that it is written as.
 *
 * @returns `undefined` for NaN and infinities
 */
export function exactDecimal(value: number | bigint | Double | Decimal128): Decimal | undefined {
  if (typeof value === 'bigint' || value instanceof Decimal128) return toDecimal(value);
  const number = Number(value);
  if (!Number.isFinite(number)) return undefined;
  if (Number.isInteger(number)) return { coefficient: BigInt(number), exponent: 0 };
  bits.setFloat64(0, number);
  const raw = bits.getBigUint64(0);
  const power = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  const mantissa = power === 0 ? fraction : fraction | (1n << 52n);
  // A whole number of halves, quarters ... is one of fives, twenty-fives ... with the point moved.
  const halvings = 1075 - Math.max(power, 1);
  const coefficient = mantissa * 5n ** BigInt(halvings);
  return { coefficient: number < 0 ? -coefficient : coefficient, exponent: -halvings };
}

const bits = new DataView(new ArrayBuffer(8));

/** @returns the decimal, rounded to the 34 digits that BSON has */
export function fromDecimal({ coefficient, exponent }: Decimal): Decimal128 {
  return Decimal128.fromStringWithRounding(`${String(coefficient)}E${String(exponent)}`);
}

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.coefficient * 10n ** BigInt(a.exponent - exponent), b.coefficient * 10n ** BigInt(b.exponent - exponent), exponent];
}

/** @returns the sum */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const [left, right, exponent] = aligned(a, b);
  return { coefficient: left + right, exponent };
}

/** @returns the product */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

/** @returns the quotient to 40 digits */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  return trimmed({ coefficient: (a.coefficient * 10n ** 40n) / b.coefficient, exponent: a.exponent - b.exponent - 40 });
}

/** @returns the remainder of a division with the sign of the dividend */
export function remainderDecimals(a: Decimal, b: Decimal): Decimal {
  const [left, right, exponent] = aligned(a, b);
  return { coefficient: left % right, exponent };
}

/** @returns a negative number, 0 or a positive number */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.coefficient === 0n || b.coefficient === 0n || a.coefficient < 0n !== b.coefficient < 0n) {
    return a.coefficient < b.coefficient ? -1 : a.coefficient > b.coefficient ? 1 : 0;
  }
  const magnitude = digits(a) + a.exponent - (digits(b) + b.exponent);
  if (magnitude !== 0) return a.coefficient < 0n ? -magnitude : magnitude;
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function digits({ coefficient }: Decimal): number {
  return String(coefficient < 0n ? -coefficient : coefficient).length;
}

/** @returns the decimal without zeros at its end */
export function trimmed({ coefficient, exponent }: Decimal): Decimal {
  if (coefficient === 0n) return { coefficient, exponent: 0 };
  let value = coefficient;
  let power = exponent;
  while (value % 10n === 0n) {
    value /= 10n;
    power += 1;
  }
  return { coefficient: value, exponent: power };
}
