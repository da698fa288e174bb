import { DocDbError } from '../errors.ts';
import { tick } from '../interrupt.ts';
import { checkSize, MAX_DOCUMENT_SIZE, MAX_LEVELS, MAX_SENT_SIZE, MOST_OF_ONE, STORED_LEVELS, tooDeep } from './limits.ts';
import { writeText } from './text.ts';
import {
  type Binary,
  type BSONRegExp,
  type BSONSymbol,
  type Code,
  type Decimal128,
  type Doc,
  Double,
  isInt32,
  type ObjectId,
  type Timestamp,
  typeName,
  type Value,
  millisecondsOf,
} from './values.ts';

/** A document that is in bytes already; it is written as it is. */
export class Encoded {
  readonly bytes: Buffer;

  /** @param bytes the BSON of one document */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/**
 * Writes one document as BSON, its fields in their order. Fields that are `undefined` are left out.
 *
 * @param most bytes that it may have; more is for several documents that are kept together, or an answer
 * @throws DocDbError (15, Overflow) for a document that is nested too deeply, and 10334 for one that is too large
 */
export function encode(doc: Doc, most: number = MOST_BYTES): Buffer {
  return write(doc, most, MAX_LEVELS);
}

/**
 * Writes a document as it is kept in a collection.
 *
 * @throws DocDbError (15, Overflow) for one that is nested too deeply, and 10334 for one that is too large
 */
export function encodeStored(doc: Doc): Buffer {
  const bytes = write(doc, MOST_OF_ONE, STORED_LEVELS);
  checkSize(bytes.length, MAX_DOCUMENT_SIZE);
  return bytes;
}

/**
 * Writes a document as a client gets it.
 *
 * @throws DocDbError (15, Overflow) for one that is nested too deeply, and 10334 for one that is too large
 */
export function encodeSent(doc: Doc): Buffer {
  const bytes = write(doc, MOST_OF_ONE, MAX_LEVELS);
  checkSize(bytes.length, MAX_SENT_SIZE);
  return bytes;
}

function write(doc: Doc, most: number, levels: number): Buffer {
  // A writer that is in use belongs to a call further out.
  const writer = idle ?? new Writer();
  idle = undefined;
  try {
    writer.at = 0;
    writer.most = most;
    writer.levels = levels;
    writer.mostBefore = most === MOST_OF_ONE ? TOO_LARGE : most;
    writer.document(doc, 0);
    return Buffer.from(writer.bytes.subarray(0, writer.at));
  } finally {
    idle = writer.bytes.length > KEPT ? new Writer() : writer;
  }
}

/** @returns the size of a document in bytes */
export function sizeOf(doc: Doc, most?: number): number {
  return encode(doc, most).length;
}

/** Fields or elements that are written between two looks at the time. */
const SHARE = 1024;
/** Bytes of a buffer that is kept for the next document. */
const KEPT = 1_048_576;
let idle: Writer | undefined;

/** Bytes that are written at once, for whatever purpose: several documents that are kept together, or an answer. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Bytes of one document in front of a part of it, where no text takes more than its length, at which it is given up. */
const TOO_LARGE = MAX_DOCUMENT_SIZE + KEPT;

class Writer {
  bytes: Buffer = Buffer.allocUnsafeSlow(4096);
  at = 0;
  most = MOST_BYTES;
  levels = MAX_LEVELS;
  mostBefore = MOST_BYTES;

  document(doc: Doc, depth: number): void {
    const start = this.#begin(depth);
    let written = 0;
    for (const name of Object.keys(doc)) {
      const value = doc[name];
      if (value !== undefined) this.#field(name, value, depth);
      if (++written % SHARE === 0) tick(SHARE);
    }
    this.#end(start);
  }

  #array(list: readonly Value[], depth: number): void {
    const start = this.#begin(depth);
    for (let index = 0; index < list.length; index++) {
      this.#field(String(index), list[index] ?? null, depth);
      if (index % SHARE === SHARE - 1) tick(SHARE);
    }
    this.#end(start);
  }

  #begin(depth: number): number {
    tick();
    if (depth >= this.levels) throw tooDeep(this.levels);
    this.#check(this.mostBefore);
    return this.#take(4);
  }

  #end(start: number): void {
    this.#byte(0);
    this.bytes.writeInt32LE(this.at - start, start);
  }

  /** @returns where so many bytes may be written; asked for first, because it may move the bytes */
  #take(size: number): number {
    const from = this.at;
    this.at += size;
    if (this.at > this.bytes.length) {
      // One text, or one document, that is in a list again and again takes its room each time.
      this.#check(this.most);
      const larger = Buffer.allocUnsafeSlow(Math.max(this.at, this.bytes.length * 2));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    return from;
  }

  #check(most: number): void {
    if (this.at > most) throw new DocDbError(10334, `BSONObj size: what was made has more than ${String(most)} bytes`);
  }

  #name(name: string): void {
    if (name.includes('\0')) throw new DocDbError(2, 'A name may not contain a null byte');
    this.#utf8(name);
    this.#byte(0);
  }

  #utf8(text: string): number {
    // Three bytes hold any UTF-16 unit.
    const from = this.#take(text.length * 3);
    const length = writeText(text, this.bytes, from);
    this.at = from + length;
    return length;
  }

  #text(text: string): void {
    const start = this.#take(4);
    const length = this.#utf8(text);
    this.#byte(0);
    this.bytes.writeInt32LE(length + 1, start);
  }

  #raw(bytes: Uint8Array): void {
    const from = this.#take(bytes.length);
    this.bytes.set(bytes, from);
  }

  #field(name: string, value: Value, depth: number): void {
    const tag = this.#take(1);
    this.#name(name);
    const type = this.#value(value, depth);
    this.bytes[tag] = type;
  }

  /** @returns the code of the value's type */
  #value(value: Value, depth: number): number {
    switch (typeof value) {
      case 'string':
        this.#text(value);
        return 0x02;
      case 'number':
        if (!isInt32(value)) return this.#double(value);
        return this.#int(value);
      case 'bigint':
        this.#long(BigInt.asIntN(64, value));
        return 0x12;
      case 'boolean':
        this.#byte(value ? 1 : 0);
        return 0x08;
      default:
        return value === null || typeof value !== 'object' ? 0x0a : this.#object(value, depth);
    }
  }

  #byte(value: number): void {
    const at = this.#take(1);
    this.bytes[at] = value;
  }

  #int(value: number): number {
    const at = this.#take(4);
    this.bytes.writeInt32LE(value, at);
    return 0x10;
  }

  #long(value: bigint): void {
    const at = this.#take(8);
    this.bytes.writeBigInt64LE(value, at);
  }

  #double(value: number): number {
    const at = this.#take(8);
    this.bytes.writeDoubleLE(value, at);
    return 0x01;
  }

  #object(value: object, depth: number): number {
    if (value instanceof Encoded) {
      this.#raw(value.bytes);
      return 0x03;
    }
    if (value instanceof Double) return this.#double(value.value);
    switch (typeName(value)) {
      case 'object':
        this.document(value as Doc, depth + 1);
        return 0x03;
      case 'array':
        this.#array(value as Value[], depth + 1);
        return 0x04;
      case 'binData':
        return this.#binary(value as Binary);
      case 'objectId':
        this.#raw((value as ObjectId).id);
        return 0x07;
      case 'date':
        this.#long(millisecondsOf(value as Date));
        return 0x09;
      case 'timestamp': {
        const from = this.#take(8);
        this.bytes.writeUInt32LE((value as Timestamp).i, from);
        this.bytes.writeUInt32LE((value as Timestamp).t, from + 4);
        return 0x11;
      }
      case 'regex':
        this.#name((value as BSONRegExp).pattern);
        this.#name((value as BSONRegExp).options);
        return 0x0b;
      case 'decimal':
        this.#raw((value as Decimal128).bytes);
        return 0x13;
      case 'symbol':
        this.#text((value as BSONSymbol).value);
        return 0x0e;
      case 'javascript':
      case 'javascriptWithScope':
        return this.#code(value as Code, depth);
      case 'minKey':
        return 0xff;
      default:
        return 0x7f;
    }
  }

  #binary(value: Binary): number {
    const bytes = value.value();
    const from = this.#take(5);
    this.bytes.writeInt32LE(bytes.length, from);
    this.bytes[from + 4] = value.sub_type;
    this.#raw(bytes);
    return 0x05;
  }

  #code({ code, scope }: Code, depth: number): number {
    if (!scope) {
      this.#text(code);
      return 0x0d;
    }
    const start = this.#take(4);
    this.#text(code);
    this.document(scope, depth + 1);
    this.bytes.writeInt32LE(this.at - start, start);
    return 0x0f;
  }
}
