import { compareDecimals, exactDecimal, trimmed } from './decimal.ts';
import { tick } from '../interrupt.ts';
import {
  type Binary,
  type BSONRegExp,
  type BSONSymbol,
  type Code,
  type Decimal128,
  type Doc,
  Double,
  type ObjectId,
  type Timestamp,
  typeName,
  type Value,
  FarDate,
} from './values.ts';

/**
 * A text that is the same for two values exactly when they are equal (without a collation).
 *
 * @param value any value; missing counts as null
 */
export function hashKey(value: Value): string {
  switch (typeName(value)) {
    case 'string':
      return `s${value as string}`;
    case 'symbol':
      return `s${(value as BSONSymbol).value}`;
    case 'int':
      return `n${String(value)}`;
    case 'double':
    case 'long':
    case 'decimal':
      return numberKey(value as number | bigint | Double | Decimal128);
    case 'objectId':
      return `o${(value as ObjectId).toHexString()}`;
    case 'missing':
    case 'null':
      return 'z';
    case 'bool':
      return value === true ? 'b1' : 'b0';
    case 'date':
      return `d${String(value instanceof FarDate ? value.milliseconds : (value as Date).getTime())}`;
    case 'array':
      tick();
      return `[${(value as Value[]).map(contained).join('')}]`;
    case 'object':
      tick();
      return `{${Object.keys(value as Doc)
        .map((name) => contained(name) + contained((value as Doc)[name]))
        .join('')}}`;
    case 'binData':
      return `x${String((value as Binary).sub_type)}:${(value as Binary).toString('base64')}`;
    case 'timestamp':
      return `t${String((value as Timestamp).t)}:${String((value as Timestamp).i)}`;
    case 'regex':
      return `r${contained((value as BSONRegExp).pattern)}${(value as BSONRegExp).options}`;
    case 'minKey':
      return '<';
    case 'maxKey':
      return '>';
    default:
      return `j${contained((value as Code).code)}${(value as Code).scope ? hashKey((value as Code).scope) : ''}`;
  }
}

/** With its length before it, so that no two lists give the same text. */
function contained(value: Value): string {
  const key = hashKey(value);
  return `${String(key.length)}:${key}`;
}

/** Numbers that a double holds exactly are named by it, whatever their type. */
function numberKey(value: number | bigint | Double | Decimal128): string {
  const double = Number(String(value));
  if (typeof value === 'number' || value instanceof Double) return `n${String(double + 0)}`;
  if (typeof value === 'bigint' && Number.isSafeInteger(double)) return `n${String(double)}`;
  const exact = exactDecimal(value);
  const near = exactDecimal(double);
  if (!exact || (near && compareDecimals(exact, near) === 0)) return `n${String(double + 0)}`;
  const { coefficient, exponent } = trimmed(exact);
  return `n${String(coefficient)}e${String(exponent)}`;
}
