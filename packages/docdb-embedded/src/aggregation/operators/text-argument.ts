import { shortText } from '../../bson/number-text.ts';
import { BSONSymbol, Code, Decimal128, Double, isNumber, Timestamp, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { isNullish } from './define.ts';

/** @throws DocDbError for a value that is no text */
export function textOf(value: Value, code: number, name: string, what: string): string {
  if (typeof value === 'string') return value;
  throw new DocDbError(code, `${name} requires that ${what} be a string, found: ${typeName(value)}`);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function timestampText({ t, i }: Timestamp): string {
  const date = new Date(t * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
  return `${MONTHS[date.getUTCMonth()] ?? ''} ${String(date.getUTCDate()).padStart(2)} ${time}:${String(i)}`;
}

function dateText(date: Date): string {
  const year = date.getUTCFullYear();
  if (year >= 0 && year <= 9999) return date.toISOString();
  throw new DocDbError(18537, `a date is written for the years 0 to 9999 only, found: ${String(year)}`);
}

/**
 * The text that operators on text take in place of values of other types.
 *
 * @throws DocDbError (16007, 18537)
 */
export function coercedText(value: Value): string {
  if (isNullish(value)) return '';
  if (typeof value === 'string') return value;
  if (isNumber(value)) {
    if (typeof value === 'bigint' || value instanceof Decimal128) return String(value);
    const type = typeName(value);
    return type === 'int' ? String(value) : shortText(value instanceof Double ? value.value : value);
  }
  if (value instanceof Date) return dateText(value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof BSONSymbol) return value.value;
  if (value instanceof Code && !value.scope) return value.code;
  throw new DocDbError(16007, `can't convert from BSON type ${typeName(value)} to String`);
}
