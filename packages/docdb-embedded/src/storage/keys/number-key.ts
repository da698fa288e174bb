import { exactDecimal, type Decimal } from '../../bson/decimal.ts';
import { Decimal128, Double } from '../../bson/values.ts';
import type { KeyWriter } from './key-writer.ts';

const NAN = 0;
const NEGATIVE = 1;
const ZERO = 2;
const POSITIVE = 3;
/** Digits of what a double leaves over: more than two decimals of 34 digits can differ behind. */
const DIGITS = 45;
/** Makes exponents of decimals positive. */
const BIAS = 20_000;

/**
 * Writes a number of any type so that bytes sort as values do: the largest double that is not above it, bit by bit, and
 * behind it what is left over, exactly enough for every 64-bit integer and every decimal.
 */
export function writeNumber(out: KeyWriter, value: number | bigint | Double | Decimal128): void {
  const double = value instanceof Double ? value.value : Number(String(value));
  if (Number.isNaN(double)) {
    out.byte(NAN);
    return;
  }
  const exact = typeof value === 'bigint' || value instanceof Decimal128 ? exactDecimal(value) : undefined;
  const negative = exact ? exact.coefficient < 0n : double < 0;
  if (exact ? exact.coefficient === 0n : double === 0) {
    out.byte(ZERO);
    return;
  }
  out.byte(negative ? NEGATIVE : POSITIVE);
  const from = out.length;
  if (exact) writeExact(out, { ...exact, coefficient: negative ? -exact.coefficient : exact.coefficient }, Math.abs(double));
  else {
    const at = out.take(8);
    out.bytes.writeDoubleBE(Math.abs(double), at);
    out.byte(0);
  }
  if (negative) out.invert(from);
}

/** Writes a positive number that may not be a double. */
function writeExact(out: KeyWriter, exact: Decimal, near: number): void {
  const floor = floorDouble(exact, near);
  const rest = subtract(exact, exactDecimal(floor) as Decimal);
  const at = out.take(8);
  out.bytes.writeDoubleBE(floor, at);
  if (rest.coefficient === 0n) {
    out.byte(0);
    return;
  }
  out.byte(1);
  const digits = String(rest.coefficient);
  const exponentAt = out.take(2);
  out.bytes.writeUInt16BE(digits.length + rest.exponent + BIAS, exponentAt);
  const shown = digits.slice(0, DIGITS).replace(/0+$/, '');
  out.raw(Buffer.from(shown, 'latin1'));
  out.byte(0);
}

/** @returns the largest finite double that is not above a positive number */
function floorDouble(exact: Decimal, near: number): number {
  let floor = Math.min(near, Number.MAX_VALUE);
  while (floor > 0 && subtract(exact, exactDecimal(floor) as Decimal).coefficient < 0n) floor = below(floor);
  return floor;
}

const view = new DataView(new ArrayBuffer(8));

/** @returns the next smaller double of a positive one */
function below(value: number): number {
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) - 1n);
  return view.getFloat64(0);
}

function subtract(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return {
    coefficient: a.coefficient * 10n ** BigInt(a.exponent - exponent) - b.coefficient * 10n ** BigInt(b.exponent - exponent),
    exponent,
  };
}
