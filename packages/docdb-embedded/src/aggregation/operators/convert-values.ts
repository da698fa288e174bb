import { asDecimal, fitsLong, isZero, kindOf, type Numeric, toNumber } from '../../bson/arithmetic.ts';
import { quantized } from '../../bson/decimal-arithmetic.ts';
import { decimalParts, parseDecimal, toDecimal128 } from '../../bson/decimal128.ts';
import { exactText } from '../../bson/number-text.ts';
import { wholeParts } from '../../bson/rounding.ts';
import {
  Binary,
  Decimal128,
  Double,
  isInt32,
  isNumber,
  ObjectId,
  toDouble,
  typeName,
  type Value,
  dateOf,
  millisecondsOf,
} from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { type BinaryFormat, binaryToNumber, binaryToText, type ByteOrder, numberToBinary, textToBinary } from './binary-conversion.ts';
import { momentOf } from './date-arguments.ts';
import { parseDate } from './date-text.ts';

/** How a value is converted, beside the type that it becomes. */
export interface Conversion {
  readonly subtype: number;
  readonly format: BinaryFormat | undefined;
  readonly order: ByteOrder;
}

/** What `$toString` and its kin use. */
export const PLAIN: Conversion = { subtype: 0, format: 'auto', order: 'little' };

function failed(why: string): DocDbError {
  return new DocDbError(241, `${why} in $convert with no onError value`);
}

function unsupported(value: Value, to: string): DocDbError {
  return failed(`Unsupported conversion from ${typeName(value)} to ${to}`);
}

function overflow(value: Value): DocDbError {
  return failed(`Conversion of ${String(value)} would overflow target type`);
}

function noNumber(text: string): DocDbError {
  return failed(`Failed to parse number '${text}'`);
}

/** @throws DocDbError (4341115) where bytes and text need a format */
function formatFor({ format }: Conversion): BinaryFormat {
  if (format === undefined) throw new DocDbError(4341115, "$convert between text and binary data requires 'format'");
  return format;
}

function toText(value: Value, conversion: Conversion): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint' || value instanceof Decimal128) return String(value);
  if (typeof value === 'number' || value instanceof Double) return exactText(toNumber(value));
  if (value instanceof Date) return dateText(value);
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Binary) return binaryToText(value, formatFor(conversion));
  throw unsupported(value, 'string');
}

function dateText(date: Date): string {
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) throw failed(`A date of the year ${String(year)} can not be written`);
  return date.toISOString();
}

/** @returns the integer that a number is without what follows the point */
function cutOff(value: Numeric): bigint {
  if (typeof value === 'bigint') return value;
  if (value instanceof Decimal128) {
    const whole = wholeParts(quantized(decimalParts(value), 0, 'cut'));
    if (whole === undefined) throw overflow(value);
    return whole;
  }
  const number = Math.trunc(toNumber(value));
  if (!Number.isFinite(number) || !fitsLong(BigInt(number))) throw overflow(value);
  return BigInt(number);
}

function wholeOf(value: Value, to: 'int' | 'long', conversion: Conversion): bigint {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (isNumber(value)) return cutOff(value);
  if (value instanceof Binary) return BigInt(String(binaryToNumber(value, to, conversion.order)));
  if (value instanceof Date && to === 'long') return millisecondsOf(value);
  if (typeof value !== 'string') throw unsupported(value, to);
  if (!/^[+-]?\d{1,100}$/.test(value)) throw noNumber(value);
  const whole = BigInt(value.replace(/^\+/, ''));
  if (!fitsLong(whole)) throw overflow(value);
  return whole;
}

function toInt(value: Value, conversion: Conversion): Value {
  const whole = Number(wholeOf(value, 'int', conversion));
  if (!isInt32(whole)) throw overflow(value);
  return whole;
}

const DECIMAL_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const HEX_TEXT = /^([+-]?)0x(?:([\da-f]+)\.?([\da-f]*)|\.([\da-f]+))(?:p([+-]?\d+))?$/i;

function doubleOf(text: string): number {
  if (DECIMAL_TEXT.test(text)) {
    const number = Number(text);
    const lost = number === 0 && /[1-9]/.test(text.replace(/e.*$/i, ''));
    if (!Number.isFinite(number) || lost) throw overflow(text);
    return number;
  }
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  const match = HEX_TEXT.exec(text);
  if (!match) throw noNumber(text);
  const [, sign, whole = '', behind = '', alone = '', power = '0'] = match;
  const fraction = behind + alone;
  const number = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(power) - 4 * fraction.length);
  if (!Number.isFinite(number)) throw overflow(text);
  return sign === '-' ? -number : number;
}

function toFloat(value: Value, conversion: Conversion): Value {
  if (typeof value === 'boolean') return toDouble(Number(value));
  if (value instanceof Date) return toDouble(value.getTime());
  if (typeof value === 'string') return toDouble(doubleOf(value));
  if (value instanceof Binary) return binaryToNumber(value, 'double', conversion.order);
  if (!isNumber(value)) throw unsupported(value, 'double');
  const number = toNumber(value);
  if (value instanceof Decimal128 && !Number.isFinite(number) && typeof decimalParts(value) !== 'string') throw overflow(value);
  return toDouble(number);
}

function toDecimal(value: Value): Value {
  if (isNumber(value)) return value instanceof Decimal128 ? value : toDecimal128(asDecimal(value));
  if (typeof value === 'boolean') return toDecimal128(asDecimal(Number(value)));
  if (value instanceof Date) return toDecimal128(asDecimal(millisecondsOf(value)));
  if (typeof value !== 'string') throw unsupported(value, 'decimal');
  const parsed = parseDecimal(value);
  if (!parsed) throw noNumber(value);
  if (!parsed.fits) throw overflow(value);
  return parsed.value;
}

function toDate(value: Value): Value {
  if (value instanceof Date) return value;
  const moment = momentOf(value);
  if (moment !== undefined) return new Date(moment);
  if (typeof value === 'string') return parseDate(value);
  if (!isNumber(value) || kindOf(value) === 'int') throw unsupported(value, 'date');
  return dateOf(cutOff(value));
}

function toObjectId(value: Value): Value {
  if (value instanceof ObjectId) return value;
  if (typeof value !== 'string') throw unsupported(value, 'objectId');
  if (!/^[0-9a-f]{24}$/i.test(value)) throw failed(`Failed to parse objectId '${value}'`);
  return new ObjectId(value);
}

function toBinary(value: Value, conversion: Conversion): Value {
  const { subtype, order } = conversion;
  if (value instanceof Binary) {
    if (value.sub_type !== subtype)
      throw failed(`Conversion of binary data of subtype ${String(value.sub_type)} to ${String(subtype)} is not supported`);
    return value;
  }
  if (typeof value === 'string') return textToBinary(value, subtype, formatFor(conversion));
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Double) {
    if (subtype === 4) throw failed('A number can not become a UUID');
    return numberToBinary(value, subtype, order);
  }
  throw unsupported(value, 'binData');
}

/** Converters by the type that a value becomes. */
export const CONVERTERS: Readonly<Partial<Record<string, (value: Value, conversion: Conversion) => Value>>> = {
  double: toFloat,
  string: toText,
  objectId: toObjectId,
  bool: (value) => (isNumber(value) ? !isZero(value) : value !== false),
  date: toDate,
  int: toInt,
  long: (value, conversion) => wholeOf(value, 'long', conversion),
  decimal: toDecimal,
  binData: toBinary,
};
