import { Binary, Double, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { anyElement, type ValuesTest } from './element-tests.ts';

/** The test of `{ $mod: [divisor, remainder] }`. */
export function modTest(operand: Value): ValuesTest {
  const list = Array.isArray(operand) ? (operand as Value[]) : [];
  if (list.length !== 2) throw badValue(list.length < 2 ? 'malformed mod, not enough elements' : 'malformed mod, too many elements');
  if (!list.every(isNumber)) throw badValue('malformed mod, divisor and remainder must be numbers');
  const [divisor, remainder] = list.map((value) => BigInt(Math.trunc(Number(String(value))))) as [bigint, bigint];
  if (divisor === 0n) throw badValue('divisor cannot be 0');
  return anyElement((value) => {
    if (!isNumber(value)) return false;
    const number = typeof value === 'bigint' ? value : Number(String(value));
    if (typeof number === 'number' && !Number.isFinite(number)) return false;
    return (typeof number === 'bigint' ? number : BigInt(Math.trunc(number))) % divisor === remainder;
  });
}

/** The tests of `$bitsAllSet` and its kin. */
export function bitsTest(name: string, operand: Value): ValuesTest {
  const mask = bitMask(operand);
  return anyElement((value) => {
    const bits = bitsOf(value);
    if (bits === undefined) return false;
    const set = bits & mask;
    if (name === '$bitsAllSet') return set === mask;
    if (name === '$bitsAnySet') return set !== 0n;
    return name === '$bitsAllClear' ? set === 0n : set !== mask;
  });
}

function bitMask(operand: Value): bigint {
  if (Array.isArray(operand)) return (operand as Value[]).reduce<bigint>((mask, bit) => mask | (1n << BigInt(Number(bit))), 0n);
  const bits = bitsOf(operand);
  if (bits === undefined || (isNumber(operand) && bits < 0n))
    throw new DocDbError(9, 'bit positions must be a non-negative number, an array or binary data');
  return bits;
}

function bitsOf(value: Value): bigint | undefined {
  if (value instanceof Binary) return [...value.value()].reduceRight<bigint>((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
  if (typeof value === 'bigint') return value;
  const number = value instanceof Double ? value.value : value;
  return typeof number === 'number' && Number.isInteger(number) ? BigInt(number) : undefined;
}
