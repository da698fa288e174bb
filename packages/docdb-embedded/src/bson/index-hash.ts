import { createHash, type Hash } from 'node:crypto';
import { tick } from '../interrupt.ts';
import { type Numeric, toNumber } from './arithmetic.ts';
import { encode } from './encode.ts';
import { cutLong } from './rounding.ts';
import { isDocument, isNumber, typeName, type Value } from './values.ts';

/** Numbers of kinds of values: one for all that can be equal. */
const KINDS: Readonly<Record<string, number>> = {
  minKey: -1,
  null: 5,
  string: 15,
  symbol: 15,
  object: 20,
  array: 25,
  binData: 30,
  objectId: 35,
  bool: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  javascript: 60,
  maxKey: 127,
};
const NUMBER = 10;
/** Bytes of a document with one field without a name before the value of that, and behind it. */
const [BEFORE, BEHIND] = [6, 1];

/** @returns what a hashed index of MongoDB has for a value: of a missing one that of null, and of a number that of its whole part */
export function indexHash(value: Value): bigint {
  const hash = createHash('md5').update(int(0));
  add(hash, value ?? null, '');
  return hash.digest().readBigInt64LE();
}

function add(hash: Hash, value: Value, name: string): void {
  tick();
  hash.update(int(isNumber(value) ? NUMBER : (KINDS[typeName(value)] ?? 0))).update(name);
  if (Array.isArray(value)) addParts(hash, Object.entries(value as Value[]));
  else if (isDocument(value)) addParts(hash, Object.entries(value));
  else if (isNumber(value)) hash.update(long(wholePart(value)));
  else hash.update(encode({ '': value }).subarray(BEFORE, -BEHIND));
}

function addParts(hash: Hash, parts: readonly (readonly [string, Value])[]): void {
  for (const [name, value] of parts) add(hash, value ?? null, `${name}\0`);
  // The end of a document counts as one part more.
  hash.update(int(0));
}

/** What is before the point, or the nearest of 64 bits. */
function wholePart(value: Numeric): bigint {
  const whole = cutLong(value);
  if (whole !== undefined) return whole;
  const number = toNumber(value);
  return Number.isNaN(number) ? 0n : number > 0 ? 2n ** 63n - 1n : -(2n ** 63n);
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function long(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}
