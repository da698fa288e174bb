import { decode } from '../bson/decode.ts';
import { decodeFields, type FieldNames } from '../bson/decode-fields.ts';
import type { Doc } from '../bson/values.ts';

/** Bytes before a stored document: its version. */
export const HEADER = 8;

/** A stored document that is looked at. */
export interface DocumentView {
  /** Its number in the collection; grows in the natural order. */
  readonly record: number;
  /** Number of the change that wrote it. */
  readonly version: number;
  /** Its BSON, until the next one is read. */
  readonly bytes: Buffer;
  /** Bytes of that. */
  readonly size: number;
  /** All of it, decoded. */
  readonly doc: Doc;
  /** @returns some of its fields; all of them for `undefined` */
  fields(names: FieldNames | undefined): Doc;
  /** @returns the document for longer than until the next one is read */
  kept(): Stored;
}

/** A stored document; decoded when somebody asks for it. */
export class Stored implements DocumentView {
  readonly record: number;
  readonly version: number;
  /** Its BSON. */
  readonly bytes: Buffer;
  #doc: Doc | undefined;

  /** @param doc what the bytes say, where it is known */
  constructor(record: number, version: number, bytes: Buffer, doc?: Doc) {
    this.record = record;
    this.version = version;
    this.bytes = bytes;
    this.#doc = doc;
  }

  get size(): number {
    return this.bytes.length;
  }

  get doc(): Doc {
    return (this.#doc ??= decode(this.bytes));
  }

  fields(names: FieldNames | undefined): Doc {
    return names && !this.#doc ? decodeFields(this.bytes, 0, names) : this.doc;
  }

  kept(): this {
    return this;
  }
}

/** The document that a reader stands at: its bytes are those of the database, which are others when it goes on. */
export class CurrentDocument implements DocumentView {
  record = 0;
  #value: Buffer = Buffer.alloc(0);
  #size = 0;
  #doc: Doc | undefined;

  /**
   * Moves on to another document.
   *
   * @param value what the database holds, maybe with other bytes behind it
   * @param size bytes of it
   */
  at(record: number, value: Buffer, size: number): this {
    this.record = record;
    this.#value = value;
    this.#size = size;
    this.#doc = undefined;
    return this;
  }

  get version(): number {
    return this.#value.readDoubleBE(0);
  }

  get size(): number {
    return this.#size - HEADER;
  }

  get bytes(): Buffer {
    return this.#value.subarray(HEADER, this.#size);
  }

  get doc(): Doc {
    return (this.#doc ??= decode(this.#value, HEADER));
  }

  fields(names: FieldNames | undefined): Doc {
    return names ? decodeFields(this.#value, HEADER, names) : this.doc;
  }

  kept(): Stored {
    return new Stored(this.record, this.version, Buffer.from(this.bytes), this.#doc);
  }
}
