import { isWhole } from '../../bson/rounding.ts';
import { toNumber } from '../../bson/arithmetic.ts';
import { bytesOf } from '../../bson/text.ts';
import { Binary, Double, isNumber, toDouble, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';

/** How bytes are written as text. */
export type BinaryFormat = 'base64' | 'base64url' | 'hex' | 'uuid' | 'utf8' | 'auto';
/** Which byte of a number comes first. */
export type ByteOrder = 'little' | 'big';

const FORMATS: readonly string[] = ['base64', 'base64url', 'hex', 'uuid', 'utf8', 'auto'];
const UUID_TYPE = 4;

function failed(why: string): DocDbError {
  return new DocDbError(241, `${why} in $convert with no onError value`);
}

/** @throws DocDbError (4341114) for no text, (4341125) for no format */
export function formatOf(value: Value): BinaryFormat | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new DocDbError(4341114, `$convert requires that 'format' be a string, found: ${typeName(value)}`);
  if (!isFormat(value)) throw new DocDbError(4341125, `Invalid 'format' argument for $convert: ${value}`);
  return value;
}

function isFormat(value: string): value is BinaryFormat {
  return FORMATS.includes(value);
}

/** @throws DocDbError (9130001) for no text, (9130002) for no order of bytes */
export function byteOrderOf(value: Value): ByteOrder {
  if (value === undefined || value === null) return 'little';
  if (typeof value !== 'string') throw new DocDbError(9130001, `$convert requires that 'byteOrder' be a string, found: ${typeName(value)}`);
  if (value !== 'little' && value !== 'big') throw new DocDbError(9130002, `Invalid 'byteOrder' argument for $convert: ${value}`);
  return value;
}

/** @throws DocDbError (4341106, 4341107, 4341108) for what is no subtype of binary data */
export function subtypeOf(value: Value): number {
  if (value === undefined) return 0;
  if (!isNumber(value)) throw new DocDbError(4341108, `$convert requires that 'subtype' be a number, found: ${typeName(value)}`);
  if (!isWhole(value)) throw new DocDbError(4341106, '$convert requires that a subtype be an integer');
  const subtype = toNumber(value) + 0;
  if (!(subtype >= 0 && subtype <= 255) || (subtype > 9 && subtype < 128))
    throw new DocDbError(4341107, `In $convert, numeric value for 'subtype' does not correspond to a BinData type: ${String(subtype)}`);
  return subtype;
}

function ordered(bytes: Buffer, order: ByteOrder): Buffer {
  return order === 'big' ? Buffer.from(bytes).reverse() : bytes;
}

/** @returns a number of 32 or 64 bits as binary data */
export function numberToBinary(value: number | bigint | Double, subtype: number, order: ByteOrder): Binary {
  const bytes = Buffer.alloc(typeName(value) === 'int' ? 4 : 8);
  if (typeof value === 'bigint') bytes.writeBigInt64LE(value);
  else if (typeName(value) === 'int') bytes.writeInt32LE(toNumber(value));
  else bytes.writeDoubleLE(toNumber(value));
  return new Binary(ordered(bytes, order), subtype);
}

const SIZES: Readonly<Record<'int' | 'long' | 'double', readonly number[]>> = { int: [1, 2, 4], long: [1, 2, 4, 8], double: [4, 8] };

/** @throws DocDbError (241) for a number of bytes that the type has not */
export function binaryToNumber(value: Binary, type: 'int' | 'long' | 'double', order: ByteOrder): Value {
  const bytes = ordered(Buffer.from(value.value()), order);
  if (!SIZES[type].includes(bytes.length)) throw failed(`Can't convert ${String(bytes.length)} bytes of binary data to ${type}`);
  if (type === 'double') return toDouble(bytes.length === 4 ? bytes.readFloatLE() : bytes.readDoubleLE());
  const whole = bytes.length === 8 ? bytes.readBigInt64LE() : BigInt(bytes.readIntLE(0, bytes.length));
  return type === 'long' ? whole : Number(whole);
}

const UUID = /^([\da-f]{8})-([\da-f]{4})-([\da-f]{4})-([\da-f]{4})-([\da-f]{12})$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64URL = /^[A-Za-z0-9_-]*={0,2}$/;

/**
 * Bytes as text.
 *
 * @throws DocDbError (241) where they can not be written so
 */
export function binaryToText(value: Binary, format: BinaryFormat): string {
  const bytes = Buffer.from(value.value());
  const uuid = value.sub_type === UUID_TYPE && bytes.length === 16;
  switch (format) {
    case 'auto':
      return binaryToText(value, value.sub_type === UUID_TYPE ? 'uuid' : 'base64');
    case 'base64':
    case 'base64url':
      return bytes.toString(format);
    case 'hex':
      return bytes.toString('hex').toUpperCase();
    case 'uuid':
      if (!uuid) throw failed('Only binary data of subtype 4 can be written as a UUID');
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    default: {
      if (value.sub_type === UUID_TYPE) throw failed('A UUID can not be written as text of UTF-8');
      const text = bytes.toString('utf8');
      if (!Buffer.from(text).equals(bytes)) throw failed('The binary data is no text of UTF-8');
      return text;
    }
  }
}

/**
 * Text as bytes.
 *
 * @throws DocDbError (241) for a text that is not of the format
 */
export function textToBinary(text: string, subtype: number, format: BinaryFormat): Binary {
  const uuid = format === 'uuid' || (format === 'auto' && subtype === UUID_TYPE);
  if (uuid !== (subtype === UUID_TYPE)) throw failed('Only a UUID makes binary data of subtype 4');
  if (uuid) {
    if (!UUID.test(text)) throw failed(`'${text}' is no UUID`);
    return new Binary(Buffer.from(text.replaceAll('-', ''), 'hex'), UUID_TYPE);
  }
  if (format === 'utf8') return new Binary(bytesOf(text), subtype);
  if (format === 'hex') {
    if (text.length % 2 !== 0 || !/^[\da-f]*$/i.test(text)) throw failed(`'${text}' is no hexadecimal text`);
    return new Binary(Buffer.from(text, 'hex'), subtype);
  }
  const url = format === 'base64url';
  if (!(url ? BASE64URL : BASE64).test(text)) throw failed(`'${text}' is no text of ${url ? 'base64url' : 'base64'}`);
  return new Binary(Buffer.from(text, url ? 'base64url' : 'base64'), subtype);
}
