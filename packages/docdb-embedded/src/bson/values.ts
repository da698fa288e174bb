import { inOrder, isInOrder } from './field-order.ts';
import { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';

/**
 * How BSON values are held in memory:
 *
 * - 32-bit integers and non-integral or large doubles are numbers; an integral double within 32 bits is a `Double`, so that
 *   its type survives; 64-bit integers are bigints; decimals are `Decimal128`;
 * - documents are plain objects, arrays are arrays, dates are `Date`; the rest are the classes of the `bson` package.
 *
 * Stored values are never changed in place.
 */
export type Value = unknown;

/** A document. */
export type Doc = Record<string, unknown>;

export { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, MaxKey, MinKey, ObjectId, Timestamp };

/** Names of BSON types as `$type` knows them. */
export type TypeName =
  | 'minKey'
  | 'missing'
  | 'null'
  | 'int'
  | 'long'
  | 'double'
  | 'decimal'
  | 'string'
  | 'symbol'
  | 'object'
  | 'array'
  | 'binData'
  | 'objectId'
  | 'bool'
  | 'date'
  | 'timestamp'
  | 'regex'
  | 'javascript'
  | 'javascriptWithScope'
  | 'maxKey';

const MAX_INT = 2147483647;
const MIN_INT = -2147483648;

/** @returns whether a number is written as a 32-bit integer */
export function isInt32(value: number): boolean {
  return Number.isInteger(value) && value <= MAX_INT && value >= MIN_INT && !Object.is(value, -0);
}

/** @returns the name of a value's BSON type; `missing` for `undefined` */
export function typeName(value: Value): TypeName {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return isInt32(value) ? 'int' : 'double';
    case 'bigint':
      return 'long';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return 'missing';
    default:
      return value === null ? 'null' : objectTypeName(value as object);
  }
}

function objectTypeName(value: object): TypeName {
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  const tag = (value as { _bsontype?: unknown })._bsontype;
  // A document may have a field of that name.
  if (typeof tag !== 'string' || Object.hasOwn(value, '_bsontype')) return 'object';
  return value instanceof Code && value.scope ? 'javascriptWithScope' : (TAGS[tag] ?? 'object');
}

const TAGS: Readonly<Record<string, TypeName>> = {
  ObjectId: 'objectId',
  Double: 'double',
  Decimal128: 'decimal',
  Binary: 'binData',
  UUID: 'binData',
  Timestamp: 'timestamp',
  BSONRegExp: 'regex',
  Code: 'javascript',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
  BSONSymbol: 'symbol',
};

/** A date of 64 bits that is further away than dates of JavaScript are: it can be kept and compared, and not be counted with. */
export class FarDate extends Date {
  readonly milliseconds: bigint;

  constructor(milliseconds: bigint) {
    super(Number.NaN);
    this.milliseconds = milliseconds;
  }

  override getTime(): number {
    return Number(this.milliseconds);
  }
}

const FURTHEST = 8_640_000_000_000_000n;

/** @returns the date so many milliseconds after 1970 */
export function dateOf(milliseconds: bigint): Date {
  return milliseconds > FURTHEST || milliseconds < -FURTHEST ? new FarDate(milliseconds) : new Date(Number(milliseconds));
}

/** @returns the milliseconds of a date since 1970 */
export function millisecondsOf(date: Date): bigint {
  return date instanceof FarDate ? date.milliseconds : BigInt(date.getTime() || 0);
}

/** @returns whether a value is a document: not an array, date or class of `bson` */
export function isDocument(value: Value): value is Doc {
  return typeof value === 'object' && value !== null && objectTypeName(value) === 'object';
}

/** @returns whether a value is of one of the four numeric types */
export function isNumber(value: Value): value is number | bigint | Double | Decimal128 {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Decimal128;
}

/** @returns a double that keeps its type when it is written */
export function toDouble(value: number): number | Double {
  return isInt32(value) ? new Double(value) : value;
}

/** Codes of the types, for `$type` with numbers. */
export const TYPE_CODES: Readonly<Record<string, TypeName>> = {
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  13: 'javascript',
  14: 'symbol',
  15: 'javascriptWithScope',
  16: 'int',
  17: 'timestamp',
  18: 'long',
  19: 'decimal',
  '-1': 'minKey',
  255: 'minKey',
  127: 'maxKey',
};

/** Codes of types that are no more in use: no value has them. */
export const FORMER_TYPES: Readonly<Record<string, string>> = { 6: 'undefined', 12: 'dbPointer' };

/** Copies documents and arrays at every depth; other values are shared. */
export function deepCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(deepCopy) as T;
  if (!isDocument(value)) return value;
  const copy = isInOrder(value) ? inOrder({}) : {};
  for (const key of Object.keys(value)) setOwn(copy, key, deepCopy(value[key]));
  return copy as T;
}

/** Sets an own property whatever its name: a field may be called `__proto__`. */
export function setOwn(target: Doc, key: string, value: Value): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}

/** @returns the field's value, `undefined` when the document has no such field of its own */
export function own(doc: Doc, key: string): Value {
  return Object.hasOwn(doc, key) ? doc[key] : undefined;
}
