import { decimalParts } from './decimal128.ts';
import { Decimal128, Double } from './values.ts';

/** The exact value of a number: an integer times a power of ten. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

/**
 * The exact value of a number: a double is seldom the decimal that it is written as.
 *
 * @returns `undefined` for NaN and infinities
 */
export function exactDecimal(value: number | bigint | Double | Decimal128): Decimal | undefined {
  if (typeof value === 'bigint') return { coefficient: value, exponent: 0 };
  if (value instanceof Decimal128) {
    const parts = decimalParts(value);
    if (typeof parts === 'string') return undefined;
    return { coefficient: parts.negative ? -parts.coefficient : parts.coefficient, exponent: parts.exponent };
  }
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

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.coefficient * 10n ** BigInt(a.exponent - exponent), b.coefficient * 10n ** BigInt(b.exponent - exponent), exponent];
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
