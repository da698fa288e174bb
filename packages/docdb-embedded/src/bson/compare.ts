import type { Collator } from './collation.ts';
import { compareDecimals, exactDecimal } from './decimal.ts';
import { tick } from '../interrupt.ts';
import {
  type BSONRegExp,
  type BSONSymbol,
  type Binary,
  type Code,
  Decimal128,
  type Doc,
  Double,
  type ObjectId,
  type Timestamp,
  typeName,
  type TypeName,
  type Value,
  FarDate,
  millisecondsOf,
} from './values.ts';

/** Order of the types (manual: comparison and sort order). Numbers compare with numbers, text with symbols. */
const RANK: Readonly<Record<TypeName, number>> = {
  minKey: 0,
  missing: 1,
  null: 2,
  int: 3,
  long: 3,
  double: 3,
  decimal: 3,
  string: 4,
  symbol: 4,
  object: 5,
  array: 6,
  binData: 7,
  objectId: 8,
  bool: 9,
  date: 10,
  timestamp: 11,
  regex: 12,
  javascript: 13,
  javascriptWithScope: 14,
  maxKey: 15,
};

/** @returns the place of a value's type in the order of types; equal for types that compare by value */
export function typeRank(value: Value): number {
  return RANK[typeName(value)];
}

/**
 * Compares two values as MongoDB orders them.
 *
 * @param collator compares text; without it text compares by code points
 * @returns a negative number, 0 or a positive number
 */
export function compare(a: Value, b: Value, collator?: Collator): number {
  if (typeof a === 'number' && typeof b === 'number') return compareFloats(a, b);
  if (typeof a === 'string' && typeof b === 'string') return collator ? collator(a, b) : compareText(a, b);
  const type = typeName(a);
  const rank = RANK[type] - RANK[typeName(b)];
  if (rank !== 0) return rank;
  return compareSameRank(type, a, b, collator);
}

function compareSameRank(type: TypeName, a: Value, b: Value, collator: Collator | undefined): number {
  switch (type) {
    case 'int':
    case 'long':
    case 'double':
    case 'decimal':
      return compareNumbers(a as Numeric, b as Numeric);
    case 'string':
    case 'symbol': {
      const left = textOf(a);
      const right = textOf(b);
      return collator ? collator(left, right) : compareText(left, right);
    }
    case 'object':
      return compareDocuments(a as Doc, b as Doc, collator);
    case 'array':
      return compareArrays(a as Value[], b as Value[], collator);
    case 'binData':
      return compareBinaries(a as Binary, b as Binary);
    case 'objectId':
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case 'bool':
      return Number(a) - Number(b);
    case 'date':
      return compareDates(a as Date, b as Date);
    case 'timestamp':
      return compareFloats((a as Timestamp).t, (b as Timestamp).t) || compareFloats((a as Timestamp).i, (b as Timestamp).i);
    case 'regex':
      return (
        compareText((a as BSONRegExp).pattern, (b as BSONRegExp).pattern) ||
        compareText((a as BSONRegExp).options, (b as BSONRegExp).options)
      );
    case 'javascript':
    case 'javascriptWithScope':
      return (
        compareText((a as Code).code, (b as Code).code) || compareDocuments((a as Code).scope ?? {}, (b as Code).scope ?? {}, undefined)
      );
    default:
      return 0;
  }
}

type Numeric = number | bigint | Double | Decimal128;

function textOf(value: Value): string {
  return typeof value === 'string' ? value : (value as BSONSymbol).value;
}

/** Code points and not UTF-16 units: text outside the basic plane sorts last. */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return fixSurrogate(left) - fixSurrogate(right);
  }
  return a.length - b.length;
}

function fixSurrogate(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareFloats(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  // NaN is equal to itself and below all other numbers.
  return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : -1) : 1;
}

function compareNumbers(a: Numeric, b: Numeric): number {
  if (a instanceof Decimal128 || b instanceof Decimal128) return compareWithDecimal(a, b);
  const left = a instanceof Double ? a.value : a;
  const right = b instanceof Double ? b.value : b;
  if (typeof left === 'number' && typeof right === 'number') return compareFloats(left, right);
  if (Number.isNaN(left)) return -1;
  if (Number.isNaN(right)) return 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareWithDecimal(a: Numeric, b: Numeric): number {
  const left = exactDecimal(a);
  const right = exactDecimal(b);
  if (left && right) return compareDecimals(left, right);
  // A decimal may be larger than each double and not be infinite.
  return compareFloats(left ? 0 : Number(String(a)), right ? 0 : Number(String(b)));
}

function compareDocuments(a: Doc, b: Doc, collator: Collator | undefined): number {
  tick();
  const left = Object.keys(a);
  const right = Object.keys(b);
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const leftName = left[index] as string;
    const rightName = right[index] as string;
    const order =
      RANK[typeName(a[leftName])] - RANK[typeName(b[rightName])] ||
      compareText(leftName, rightName) ||
      compare(a[leftName], b[rightName], collator);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareArrays(a: readonly Value[], b: readonly Value[], collator: Collator | undefined): number {
  tick();
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compare(a[index], b[index], collator);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareBinaries(a: Binary, b: Binary): number {
  return a.length() - b.length() || a.sub_type - b.sub_type || Buffer.compare(a.value(), b.value());
}

/** @returns whether two values are equal: the same type class and the same value, fields in the same order */
export function equal(a: Value, b: Value, collator?: Collator): boolean {
  return a === b || compare(a, b, collator) === 0;
}

function compareDates(a: Date, b: Date): number {
  if (!(a instanceof FarDate || b instanceof FarDate)) return compareFloats(a.getTime(), b.getTime());
  const [left, right] = [millisecondsOf(a), millisecondsOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
