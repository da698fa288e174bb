import { toNumber } from '../../bson/arithmetic.ts';
import { findPart } from '../../bson/find-part.ts';
import { bytesOf, readText } from '../../bson/text.ts';
import { Decimal128, isInt32, isNumber, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { between, fixed, isNullish } from './define.ts';
import { coercedText, textOf } from './text-argument.ts';

/** A position in bytes: a double is cut off, a decimal rounded. */
function byteCount(value: Value, code: number): number {
  if (!isNumber(value)) throw new DocDbError(code, `$substrBytes: a position must be a numeric type, found: ${typeName(value)}`);
  const given = toNumber(value);
  if (typeof value === 'bigint') return given;
  // A decimal that no integer of 64 bits can hold is the least one.
  if (value instanceof Decimal128) return Math.abs(given) < 2 ** 63 ? roundHalfEven(given) : -(2 ** 63);
  if (!(given >= -(2 ** 63) && given < 2 ** 63)) throw new DocDbError(31109, "Can't coerce out of range value to long");
  return Math.trunc(given);
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function substringOfBytes([source, start, length]: readonly Value[]): Value {
  const text = coercedText(source);
  const from = byteCount(start, 16034);
  let count = byteCount(length, 16035);
  // A text is sent to the end when its length is negative.
  if (count < 0) count = Infinity;
  if (from < 0) throw new DocDbError(50752, '$substrBytes: starting index must be non-negative');
  const bytes = bytesOf(text);
  if (from >= bytes.length) return '';
  if (isContinuation(bytes[from])) throw new DocDbError(28656, '$substrBytes: Invalid range, starting index is a UTF-8 continuation byte.');
  const end = Math.min(bytes.length, from + count);
  if (isContinuation(bytes[end]))
    throw new DocDbError(28657, '$substrBytes: Invalid range, ending index is in the middle of a UTF-8 character.');
  return readText(bytes, from, end);
}

function pointCount(value: Value, type: number, integral: number): number {
  if (!isNumber(value)) throw new DocDbError(type, `$substrCP: a position must be a numeric type, found: ${typeName(value)}`);
  const given = toNumber(value);
  if (!isInt32(given + 0)) throw new DocDbError(integral, '$substrCP: a position must be a 32-bit integer');
  return given;
}

function substringOfPoints([source, start, length]: readonly Value[]): Value {
  const text = coercedText(source);
  const from = pointCount(start, 34450, 34451);
  const count = pointCount(length, 34452, 34453);
  if (count < 0) throw new DocDbError(34454, '$substrCP: the length must not be negative');
  if (from < 0) throw new DocDbError(34455, '$substrCP: the starting index must not be negative');
  return [...text].slice(from, from + count).join('');
}

/**
 * A position at which a search begins or ends.
 *
 * @throws DocDbError (40096, 40097)
 */
function searchBound(value: Value, name: string): number {
  const given = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!isInt32(given + 0)) throw new DocDbError(40096, `${name} requires an integral index, found a value of type: ${typeName(value)}`);
  if (given < 0) throw new DocDbError(40097, `${name} requires a nonnegative index, found: ${String(given)}`);
  return given + 0;
}

function search(
  name: string,
  codes: readonly [number, number],
  points: boolean,
  split: (value: string) => ArrayLike<string | number>,
): Operator {
  return between(2, 4, (args) => {
    const [source, wanted, start, end] = args;
    if (isNullish(source)) return null;
    const text = textOf(source, codes[0], name, 'its first argument');
    const part = split(textOf(wanted, codes[1], name, 'its second argument'));
    const from = args.length < 3 ? 0 : searchBound(start, name);
    const units = split(text);
    const to = Math.min(args.length < 4 ? units.length : searchBound(end, name), units.length);
    if (from > units.length || (args.length > 2 && from >= units.length && part.length === 0)) return -1;
    const last = points ? to - 1 : to - part.length;
    // A place in code points is one at which the part begins, wherever it ends.
    return findPart(units, part, from, points && args.length < 3 && part.length === 0 ? Math.max(last, 0) : last);
  });
}

/** Operators on parts of texts. */
export const substringOperators: Readonly<Record<string, Operator>> = {
  $substr: fixed(3, substringOfBytes),
  $substrBytes: fixed(3, substringOfBytes),
  $substrCP: fixed(3, substringOfPoints),
  $indexOfCP: search('$indexOfCP', [40093, 40094], true, (value) => [...value]),
  $indexOfBytes: search('$indexOfBytes', [40091, 40092], false, bytesOf),
};
