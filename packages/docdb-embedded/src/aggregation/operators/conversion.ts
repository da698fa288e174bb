import { toNumber } from '../../bson/arithmetic.ts';
import { sizeOf } from '../../bson/encode.ts';
import {
  Binary,
  Decimal128,
  isDocument,
  isInt32,
  isNumber,
  ObjectId,
  Timestamp,
  toDouble,
  TYPE_CODES,
  typeName,
  type Value,
} from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { fixed, isNullish } from './define.ts';
import { parseDate } from './date-parts.ts';

function failed(value: Value, to: string, why = ''): DocDbError {
  return new DocDbError(241, `Unsupported conversion from ${typeName(value)} to ${to} in $convert with no onError value${why}`);
}

/** @returns the value as text, as `$toString` gives it */
export function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (isNumber(value) || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Binary) return value.toString('base64');
  if (value instanceof Timestamp) return new Date(value.t * 1000).toISOString();
  throw failed(value, 'string');
}

function toBoolean(value: Value): boolean {
  return isNumber(value) ? toNumber(value) !== 0 : value !== false;
}

function parsedNumber(value: Value, to: string): number {
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Date) return value.getTime();
  if (isNumber(value)) return toNumber(value);
  if (typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) return Number(value);
  if (typeof value === 'string') throw new DocDbError(241, `Failed to parse number '${value}' in $convert with no onError value`);
  throw failed(value, to);
}

function toInt(value: Value): Value {
  if (value instanceof Date || (typeof value === 'string' && !/^[+-]?\d+$/.test(value)))
    throw typeof value === 'string'
      ? new DocDbError(241, `Failed to parse number '${value}' in $convert with no onError value: Bad digit`)
      : failed(value, 'int');
  const number = Math.trunc(parsedNumber(value, 'int'));
  if (!isInt32(number === 0 ? 0 : number))
    throw new DocDbError(241, `Conversion would overflow target type in $convert with no onError value: ${toText(value)}`);
  return number === 0 ? 0 : number;
}

function toLong(value: Value): Value {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string') {
    if (!/^[+-]?\d+$/.test(value))
      throw new DocDbError(241, `Failed to parse number '${value}' in $convert with no onError value: Bad digit`);
    return BigInt(value);
  }
  const number = Math.trunc(parsedNumber(value, 'long'));
  if (!Number.isFinite(number) || Math.abs(number) > 2 ** 63)
    throw new DocDbError(241, `Conversion would overflow target type in $convert with no onError value: ${String(number)}`);
  return BigInt(number);
}

function toDecimalValue(value: Value): Value {
  if (value instanceof Decimal128) return value;
  if (typeof value === 'bigint') return Decimal128.fromString(String(value));
  return Decimal128.fromString(String(parsedNumber(value, 'decimal')));
}

function toDate(value: Value): Value {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.t * 1000);
  if (typeof value === 'string') return parseDate(value);
  if (isNumber(value) && typeName(value) !== 'int') return new Date(Math.trunc(toNumber(value)));
  throw failed(value, 'date');
}

function toObjectId(value: Value): Value {
  if (value instanceof ObjectId) return value;
  if (typeof value === 'string') {
    if (/^[0-9a-f]{24}$/i.test(value)) return new ObjectId(value);
    throw new DocDbError(241, `Failed to parse objectId '${value}' in $convert with no onError value`);
  }
  throw failed(value, 'objectId');
}

const CONVERTERS: Readonly<Record<string, (value: Value) => Value>> = {
  double: (value) => toDouble(parsedNumber(value, 'double')),
  string: toText,
  objectId: toObjectId,
  bool: toBoolean,
  date: toDate,
  int: toInt,
  long: toLong,
  decimal: toDecimalValue,
};

function convertTo(type: string): Operator {
  return fixed(1, ([value]) => (isNullish(value) ? null : CONVERTERS[type]?.(value)));
}

function convert([input, to, onError, onNull]: readonly Value[]): Value {
  if (isNullish(input)) return onNull ?? null;
  if (isNullish(to)) return null;
  const name = typeof to === 'string' ? to : isNumber(to) ? TYPE_CODES[toNumber(to)] : undefined;
  const converter = name === undefined ? undefined : CONVERTERS[name];
  if (!converter) throw new DocDbError(2, `Unknown type name: ${String(to)}`);
  try {
    return converter(input);
  } catch (error) {
    if (error instanceof DocDbError && onError !== undefined) return onError;
    throw error;
  }
}

/** Operators on types. */
export const conversionOperators: Readonly<Record<string, Operator>> = {
  $type: fixed(1, ([value]) => typeName(value)),
  $convert: { min: 1, max: 1, named: ['input', 'to', 'onError', 'onNull'], of: convert },
  $toDouble: convertTo('double'),
  $toString: convertTo('string'),
  $toObjectId: convertTo('objectId'),
  $toBool: convertTo('bool'),
  $toDate: convertTo('date'),
  $toInt: convertTo('int'),
  $toLong: convertTo('long'),
  $toDecimal: convertTo('decimal'),
  $bsonSize: fixed(1, ([value]) => {
    if (isNullish(value)) return null;
    if (!isDocument(value)) throw new DocDbError(31393, `$bsonSize requires a document input, found: ${typeName(value)}`);
    return sizeOf(value);
  }),
  $binarySize: fixed(1, ([value]) =>
    isNullish(value) ? null : typeof value === 'string' ? Buffer.byteLength(value) : value instanceof Binary ? value.length() : null,
  ),
};
