import type { Numeric } from '../bson/arithmetic.ts';
import { coercedLong, cutLong, isWhole } from '../bson/rounding.ts';
import { Binary, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { anyElement, type ValuesTest } from './element-tests.ts';

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
  return anyElement((value) => {
    const isSet = bitsOf(value);
    if (!isSet) return false;
    const fits = (position: number): boolean => isSet(position) === wanted;
    return every ? positions.every(fits) : positions.some(fits);
  });
}

/** Bits of a number of the widest type. */
const WIDTH = 64;

/** @throws DocDbError (9) for a number that is no mask, (2) for what names no bits */
function bitPositions(operand: Value): number[] {
  if (Array.isArray(operand)) return (operand as Value[]).map(bitPosition);
  if (operand instanceof Binary) return setBits(operand.length() * 8, operand);
  if (!isNumber(operand)) throw badValue('bits are asked for by a number, a list of positions or binary data');
  const mask = wholeLong(operand);
  if (mask === undefined || mask < 0n)
    throw new DocDbError(9, `a mask of bits must be a whole number that is not negative and fits 64 bits: ${String(operand)}`);
  return setBits(WIDTH, mask);
}

function setBits(count: number, value: bigint | Binary): number[] {
  const isSet = bitsOf(value);
  return Array.from({ length: count }, (_unused, position) => position).filter((position) => isSet?.(position) === true);
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

/** Tells whether a bit of a value is set; beyond its width a number has its sign, binary data has none. */
function bitsOf(value: Value): ((position: number) => boolean) | undefined {
  if (value instanceof Binary) {
    const bytes = value.value();
    return (position) => (((bytes[position >> 3] ?? 0) >> (position & 7)) & 1) === 1;
  }
  const whole = isNumber(value) ? wholeLong(value) : undefined;
  if (whole === undefined) return undefined;
  return (position) => (position >= WIDTH ? whole < 0n : ((whole >> BigInt(position)) & 1n) === 1n);
}
