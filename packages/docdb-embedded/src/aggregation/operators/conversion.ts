import { indexHash } from '../../bson/index-hash.ts';
import { toNumber } from '../../bson/arithmetic.ts';
import { sizeOf } from '../../bson/encode.ts';
import { MOST_OF_ONE } from '../../bson/limits.ts';
import { isWhole } from '../../bson/rounding.ts';
import { bytesOf } from '../../bson/text.ts';
import { Binary, FORMER_TYPES, isDocument, isNumber, TYPE_CODES, type TypeName, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { byteOrderOf, formatOf, subtypeOf } from './binary-conversion.ts';
import { type Conversion, CONVERTERS, PLAIN } from './convert-values.ts';
import { fixed, isNullish, named } from './define.ts';

function convertTo(type: TypeName): Operator {
  return { ...fixed(1, ([value]) => (isNullish(value) ? null : CONVERTERS[type]?.(value, PLAIN))), arity: 50723 };
}

/** The type that `to` names, `undefined` when it is null. */
function targetOf(to: Value): { readonly type: Value; readonly subtype: number } {
  if (!isDocument(to)) return { type: to, subtype: 0 };
  for (const name of Object.keys(to))
    if (name !== 'type' && name !== 'subtype') throw new DocDbError(9, `Unrecognized field '${name}' in $convert's 'to'`);
  if (isNullish(to.type)) throw new DocDbError(9, "Missing 'type' in $convert's 'to'");
  return { type: to.type, subtype: subtypeOf(to.subtype === undefined ? undefined : to.subtype) };
}

/** With the types that are no more in use: nothing can be converted to them. */
const CODES: Readonly<Record<string, string>> = { 0: 'missing', ...TYPE_CODES, ...FORMER_TYPES };
const NAMES: ReadonlySet<string> = new Set(Object.values(CODES));

/** @throws DocDbError (2, 9) for what names no type */
function typeOf(value: Value): string {
  if (typeof value === 'string' && NAMES.has(value)) return value;
  if (typeof value === 'string') throw new DocDbError(2, `Unknown type name: ${value}`);
  if (!isNumber(value) || !isWhole(value))
    throw new DocDbError(9, `$convert's 'to' must be a string or a whole number, found: ${typeName(value)}`);
  const code = String(toNumber(value) + 0);
  // 255 is the byte of the least key, and not its number.
  const name = code === '255' ? undefined : CODES[code];
  if (name === undefined)
    throw new DocDbError(9, `In $convert, numeric value for 'to' does not correspond to a BSON type: ${String(value)}`);
  return name;
}

function convert(args: readonly Value[], given: ReadonlySet<string> | undefined): Value {
  const [input, to, onError, onNull, format, byteOrder] = args;
  if (isNullish(to)) return isNullish(input) && given?.has('onNull') === true ? onNull : null;
  const target = targetOf(to);
  const type = isNullish(target.type) ? undefined : typeOf(target.type);
  const conversion: Conversion = { subtype: target.subtype, format: formatOf(format), order: byteOrderOf(byteOrder) };
  if (isNullish(input)) return given?.has('onNull') === true ? onNull : null;
  if (type === undefined) return null;
  try {
    const converter = CONVERTERS[type];
    if (!converter)
      throw new DocDbError(241, `Unsupported conversion from ${typeName(input)} to ${type} in $convert with no onError value`);
    return converter(input, conversion);
  } catch (error) {
    if (given?.has('onError') === true && error instanceof DocDbError && error.code === 241) return onError;
    throw error;
  }
}

/** Operators on types. */
export const conversionOperators: Readonly<Record<string, Operator>> = {
  $toHashedIndexKey: fixed(1, ([value]) => indexHash(value)),
  $type: fixed(1, ([value]) => typeName(value)),
  $convert: named(['input', 'to', 'onError', 'onNull', 'format', 'byteOrder'], (args, _collator, given) => convert(args, given), {
    shape: 9,
    unknown: 9,
    missing: { input: 9, to: 9 },
  }),
  $toDouble: convertTo('double'),
  $toString: convertTo('string'),
  $toObjectId: convertTo('objectId'),
  $toBool: convertTo('bool'),
  $toDate: convertTo('date'),
  $toInt: convertTo('int'),
  $toLong: convertTo('long'),
  $toDecimal: convertTo('decimal'),
  $toUUID: {
    ...fixed(1, ([value]) => (isNullish(value) ? null : CONVERTERS.binData?.(value, { subtype: 4, format: 'uuid', order: 'little' }))),
    arity: 50723,
  },
  $bsonSize: fixed(1, ([value]) => {
    if (isNullish(value)) return null;
    if (!isDocument(value)) throw new DocDbError(31393, `$bsonSize requires a document input, found: ${typeName(value)}`);
    return sizeOf(value, MOST_OF_ONE);
  }),
  $binarySize: fixed(1, ([value]) => {
    if (isNullish(value)) return null;
    if (typeof value === 'string') return bytesOf(value).length;
    if (value instanceof Binary) return value.length();
    throw new DocDbError(51276, `$binarySize requires a string or BinData argument, found: ${typeName(value)}`);
  }),
};
