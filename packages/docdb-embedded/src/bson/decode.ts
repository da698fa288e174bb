import { DocDbError } from '../errors.ts';
import { MAX_LEVELS, SENT_LEVELS, tooDeep } from './limits.ts';
import { inOrder, isMoved } from './field-order.ts';
import { readText } from './text.ts';
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  type Doc,
  isInt32,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  setOwn,
  Timestamp,
  type Value,
  dateOf,
} from './values.ts';

/**
 * Reads one BSON document into the values of `values.ts`.
 *
 * @param bytes contains the document
 * @param start where it begins
 * @throws DocDbError (22, InvalidBSON) for bytes that are no BSON, and 15 for a document that is nested deeper than {@link encode} writes any
 */
export function decode(bytes: Buffer, start = 0): Doc {
  return readDocument({ bytes, at: start, levels: MAX_LEVELS, isSent: false }, 0);
}

/**
 * Reads one BSON document that a client has sent. Documents of some drivers are lists that may have a name twice: of such fields one would be lost.
 *
 * @param start where it begins
 * @throws DocDbError (22, InvalidBSON) for bytes that are no BSON, 15 for a document that is nested too deeply, and 40413 for one with two fields of
 *   one name
 */
export function decodeSent(bytes: Buffer, start: number): Doc {
  return readDocument({ bytes, at: start, levels: SENT_LEVELS, isSent: true }, 0);
}

/** @returns the value of a type that begins at a place */
export function decodeValue(bytes: Buffer, type: number, at: number): Value {
  return readValue({ bytes, at, levels: MAX_LEVELS, isSent: false }, type, 0);
}

function givenTwice(name: string): DocDbError {
  const advice = 'give it one value, in one operator, or join conditions by $and';
  return new DocDbError(
    40413,
    `BSON field '${name}' is a duplicate field: a document with two of one name is not supported by this database, ${advice}`,
  );
}

interface Reader {
  readonly bytes: Buffer;
  readonly levels: number;
  readonly isSent: boolean;
  at: number;
}

function invalid(what: string): DocDbError {
  return new DocDbError(22, `invalid BSON: ${what}`);
}

function readDocument(reader: Reader, depth: number): Doc {
  const end = bounds(reader, depth);
  const doc: Doc = {};
  let names: string[] | undefined;
  for (let type = readType(reader, end); type !== 0; type = readType(reader, end)) {
    const name = readName(reader, end);
    if (reader.isSent && Object.hasOwn(doc, name)) throw givenTwice(name);
    if (isMoved(name)) names ??= Object.keys(doc);
    names?.push(name);
    setOwn(doc, name, readValue(reader, type, depth));
  }
  if (reader.at !== end) throw invalid('a document ends early');
  return names ? inOrder(doc, names) : doc;
}

function readArray(reader: Reader, depth: number): Value[] {
  const end = bounds(reader, depth);
  const list: Value[] = [];
  for (let type = readType(reader, end); type !== 0; type = readType(reader, end)) {
    readName(reader, end);
    list.push(readValue(reader, type, depth));
  }
  if (reader.at !== end) throw invalid('an array ends early');
  return list;
}

function bounds(reader: Reader, depth: number): number {
  if (depth >= reader.levels) throw tooDeep(reader.levels);
  if (reader.at + 5 > reader.bytes.length) throw invalid('a document is cut off');
  const size = reader.bytes.readInt32LE(reader.at);
  const end = reader.at + size;
  if (size < 5 || end > reader.bytes.length) throw invalid('a document has a wrong size');
  reader.at += 4;
  return end;
}

function readType(reader: Reader, end: number): number {
  if (reader.at >= end) throw invalid('a document has no end');
  return reader.bytes[reader.at++] as number;
}

function readName(reader: Reader, end: number): string {
  const stop = reader.bytes.indexOf(0, reader.at);
  if (stop < 0 || stop >= end) throw invalid('a name has no end');
  const name = readText(reader.bytes, reader.at, stop);
  reader.at = stop + 1;
  return name;
}

function take(reader: Reader, size: number): number {
  const from = reader.at;
  if (size < 0 || from + size > reader.bytes.length) throw invalid('a value is cut off');
  reader.at = from + size;
  return from;
}

function readString(reader: Reader): string {
  const size = reader.bytes.readInt32LE(take(reader, 4));
  const from = take(reader, size);
  if (size < 1 || reader.bytes[from + size - 1] !== 0) throw invalid('a string has no end');
  return readText(reader.bytes, from, from + size - 1);
}

function readValue(reader: Reader, type: number, depth: number): Value {
  const { bytes } = reader;
  switch (type) {
    case 0x01: {
      const value = bytes.readDoubleLE(take(reader, 8));
      return isInt32(value) ? new Double(value) : value;
    }
    case 0x02:
      return readString(reader);
    case 0x03:
      return readDocument(reader, depth + 1);
    case 0x04:
      return readArray(reader, depth + 1);
    case 0x05:
      return readBinary(reader);
    case 0x06:
      throw new DocDbError(
        22,
        'undefined (BSON type 6, which is deprecated) can not be stored, and a condition cannot compare to undefined: give null, or leave the field out',
      );
    case 0x0a:
      return null;
    case 0x07:
      return new ObjectId(Uint8Array.prototype.slice.call(bytes, take(reader, 12), reader.at));
    case 0x08: {
      const value = bytes[take(reader, 1)] as number;
      if (value > 1) throw invalid('a boolean is neither false nor true');
      return value === 1;
    }
    case 0x09:
      return dateOf(bytes.readBigInt64LE(take(reader, 8)));
    case 0x0b:
      return readPattern(reader);
    case 0x0c:
      throw new DocDbError(
        22,
        'A DBPointer (BSON type 12, which is deprecated) can not be stored: use a document { $ref, $id } in its place',
      );
    case 0x0d:
      return new Code(readString(reader));
    case 0x0e:
      return new BSONSymbol(readString(reader));
    case 0x0f: {
      const end = reader.at + bytes.readInt32LE(take(reader, 4));
      const code = new Code(readString(reader), readDocument(reader, depth + 1));
      if (reader.at !== end) throw invalid('code with a scope has a wrong size');
      return code;
    }
    case 0x10:
      return bytes.readInt32LE(take(reader, 4));
    case 0x11: {
      const at = take(reader, 8);
      return new Timestamp({ i: bytes.readUInt32LE(at), t: bytes.readUInt32LE(at + 4) });
    }
    case 0x12:
      return bytes.readBigInt64LE(take(reader, 8));
    case 0x13:
      return new Decimal128(Uint8Array.prototype.slice.call(bytes, take(reader, 16), reader.at));
    case 0x7f:
      return new MaxKey();
    case 0xff:
      return new MinKey();
    default:
      throw invalid(`unknown type ${String(type)}`);
  }
}

/** Other drivers send options that their library does not know; they are kept, and refused where somebody searches by them. */
function readPattern(reader: Reader): BSONRegExp {
  const pattern = new BSONRegExp(readName(reader, reader.bytes.length));
  pattern.options = readName(reader, reader.bytes.length);
  return pattern;
}

function readBinary(reader: Reader): Binary {
  const size = reader.bytes.readInt32LE(take(reader, 4));
  const subType = reader.bytes[take(reader, 1)] as number;
  const from = take(reader, size);
  return new Binary(Uint8Array.prototype.slice.call(reader.bytes, from, from + size), subType);
}
