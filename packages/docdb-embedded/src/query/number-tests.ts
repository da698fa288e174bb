import type { Numeric } from '../bson/arithmetic.ts';
import { coercedLong, cutLong, isWhole } from '../bson/rounding.ts';
import { Binary, Decimal128, isInt32, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { anyElement, type ValuesTest } from './element-tests.ts';

/** @returns whether a value is the number that is none */
export function isNaNValue(value: Value): boolean {
  return (typeof value === 'number' && Number.isNaN(value)) || (value instanceof Decimal128 && value.toString() === 'NaN');
}

/** The test of `{ $mod: [divisor, remainder] }`. */
export function modTest(operand: Value): ValuesTest {
  const list = Array.isArray(operand) ? (operand as Value[]) : [];
  if (list.length !== 2) throw badValue(list.length < 2 ? 'malformed mod, not enough elements' : 'malformed mod, too many elements');
  const divisor = modPart('divisor', list[0]);
  const remainder = modPart('remainder', list[1]);
  if (divisor === 0n) throw badValue('divisor cannot be 0');
  return anyElement((value) => {
    const whole = isNumber(value) ? cutLong(value) : undefined;
    return whole !== undefined && whole % divisor === remainder;
  });
}

/** @throws DocDbError (2) for what 64 bits do not hold */
function modPart(name: string, value: Value): bigint {
  if (!isNumber(value)) throw badValue(`malformed mod, ${name} not a number`);
  const whole = cutLong(value);
  if (whole === undefined) throw badValue(`malformed mod, ${name} value is invalid: ${String(value)} does not fit 64 bits`);
  return whole;
}

/** The tests of `$bitsAllSet` and its kin. */
export function bitsTest(name: string, operand: Value): ValuesTest {
  const positions = bitPositions(operand);
  const [wanted, every] = [name.endsWith('Set'), name.startsWith('$bitsAll')];
  // Bits beyond the width of a number are those of its sign.
  const int = positions.reduce((mask, position) => mask | (1 << Math.min(position, 31)), 0);
  const long = positions.reduce((mask, position) => mask | (1n << BigInt(Math.min(position, WIDTH - 1))), 0n);
  return anyElement((value) => {
    if (typeof value === 'number' && isInt32(value)) {
      const found = (wanted ? value : ~value) & int;
      return every ? found === int : found !== 0;
    }
    if (value instanceof Binary) {
      const bytes = value.value();
      const fits = (position: number): boolean => isBitSet(bytes, position) === wanted;
      return every ? positions.every(fits) : positions.some(fits);
    }
    const whole = isNumber(value) ? wholeLong(value) : undefined;
    if (whole === undefined) return false;
    const found = BigInt.asUintN(WIDTH, wanted ? whole : ~whole) & long;
    return every ? found === long : found !== 0n;
  });
}

/** Bits of a number of the widest type. */
const WIDTH = 64;

/** @throws DocDbError (9) for a number that is no mask, (2) for what names no bits */
function bitPositions(operand: Value): number[] {
  if (Array.isArray(operand)) return (operand as Value[]).map(bitPosition);
  if (operand instanceof Binary) {
    const bytes = operand.value();
    return setBits(operand.length() * 8, (position) => isBitSet(bytes, position));
  }
  if (!isNumber(operand)) throw badValue('bits are asked for by a number, a list of positions or binary data');
  const mask = wholeLong(operand);
  if (mask === undefined || mask < 0n)
    throw new DocDbError(9, `a mask of bits must be a whole number that is not negative and fits 64 bits: ${String(operand)}`);
  return setBits(WIDTH, (position) => ((mask >> BigInt(position)) & 1n) === 1n);
}

function setBits(count: number, isSet: (position: number) => boolean): number[] {
  return Array.from({ length: count }, (_unused, position) => position).filter(isSet);
}

/** Beyond their end binary data has no bit that is set. */
function isBitSet(bytes: Uint8Array, position: number): boolean {
  return (((bytes[position >> 3] ?? 0) >> (position & 7)) & 1) === 1;
}

function bitPosition(value: Value): number {
  const position = isNumber(value) ? wholeLong(value) : undefined;
  if (position === undefined || position < 0n || position > 2_147_483_647n)
    throw badValue(`bit positions must be whole numbers from 0 to 2147483647, found: ${String(value)}`);
  return Number(position);
}

/** @returns a number as an integer of 64 bits, `undefined` for one that is none */
function wholeLong(value: Numeric): bigint | undefined {
  if (!isWhole(value)) return undefined;
  try {
    return coercedLong(value);
  } catch {
    return undefined;
  }
}
