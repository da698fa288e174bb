import { isDate, isPattern } from '../built-in.ts';
import { isPlainObject } from '../plain-object.ts';

/** A record as it is stored: plain data. */
export type StoredRecord = Record<string, unknown>;

/** Object ids of the document database's driver, which are values and not records. */
export interface ObjectIdLike {
  readonly _bsontype: 'ObjectId' | 'ObjectID';
  toHexString(): string;
}

/** @returns whether a value is an object id of the document database's driver, of whatever version: those before 5 say `ObjectID` on their prototype */
export function isObjectId(value: unknown): value is ObjectIdLike {
  // JSON has no functions: what comes from outside is never taken for one.
  const id = value as Readonly<Record<string, unknown>> | null | undefined;
  return (
    typeof id?.toHexString === 'function' &&
    (id._bsontype === 'ObjectId' || (id._bsontype === 'ObjectID' && !Object.hasOwn(id, '_bsontype')))
  );
}

/** @returns whether a value has properties of its own: no list, and no value such as a date */
export function isRecord(value: unknown): value is StoredRecord {
  return typeof value === 'object' && value !== null && rankOf(value) === OBJECT;
}

/** @returns the record, or of an instance of a class its own properties, as they would be stored */
export function plainRecord(record: StoredRecord): StoredRecord {
  const isPlain: boolean = isPlainObject(record);
  return isPlain ? record : { ...record };
}

// The order of types. One constant for each, which bundlers put in where it stands.
const NOTHING = 0;
const NUMBER = 1;
const TEXT = 2;
const OBJECT = 3;
const LIST = 4;
const BYTES = 5;
const OBJECT_ID = 6;
const BOOLEAN = 7;
const DATE = 8;
const PATTERN = 9;
const OTHER = 10;

/** @returns the place of a value's type in the order of types, which is that of the document database */
export function rankOf(value: unknown): number {
  switch (typeof value) {
    case 'undefined':
      return NOTHING;
    case 'number':
    case 'bigint':
      return NUMBER;
    case 'string':
      return TEXT;
    case 'boolean':
      return BOOLEAN;
    case 'object':
      return value === null ? NOTHING : rankOfObject(value);
    default:
      return OTHER;
  }
}

function rankOfObject(value: object): number {
  // Most are plain, and nothing else of the following.
  if (Object.getPrototypeOf(value) === Object.prototype && !('_bsontype' in value)) return OBJECT;
  if (Array.isArray(value)) return LIST;
  if (isObjectId(value)) return OBJECT_ID;
  if (isDate(value)) return DATE;
  if (isPattern(value)) return PATTERN;
  if (ArrayBuffer.isView(value)) return BYTES;
  return '_bsontype' in value ? OTHER : OBJECT;
}

/**
 * Compares two values of any type: by type first, texts by code points, lists and objects part by part.
 *
 * @returns a negative number, 0 or a positive number
 */
export function compareValues(a: unknown, b: unknown): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  const rank = rankOf(a);
  const byType = rank - rankOf(b);
  if (byType !== 0 || rank === NOTHING) return byType;
  if (rank === DATE || rank === BOOLEAN) return compareNumbers(Number(a), Number(b));
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isObjectId(a) && isObjectId(b)) return compareTexts(a.toHexString(), b.toHexString());
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return compareBytes(a, b);
  if (isRecord(a) && isRecord(b)) return compareRecords(a, b);
  return compareTexts(String(a), String(b));
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Exactly, also a whole number beside a double that can not tell it from its neighbour. Not-a-number is below all numbers, and equal to itself. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return codePointOrder(left) - codePointOrder(right);
  }
  return a.length - b.length;
}

/** Halves of what lies outside of the basic plane come last, as its code points do. */
function codePointOrder(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const order = compareValues(a[index], b[index]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Type of the value, name, value; one property after another in their order. */
function compareRecords(a: StoredRecord, b: StoredRecord): number {
  const [left, right] = [Object.keys(a), Object.keys(b)];
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [one = '', other = ''] = [left[index], right[index]];
    const order = rankOf(a[one]) - rankOf(b[other]) || compareTexts(one, other) || compareValues(a[one], b[other]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareBytes(a: ArrayBufferView, b: ArrayBufferView): number {
  const [left, right] = [bytesOf(a), bytesOf(b)];
  if (left.length !== right.length) return left.length - right.length;
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
