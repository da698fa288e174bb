/** What the database holds of a document; the bytes are those of the next one as soon as something else is read. */
export interface PassingBytes {
  bytes: Buffer;
  size: number;
}

/** How lmdb reads keys and values of a table without copies of them. */
export interface ReadForm {
  readonly keyEncoder: { writeKey(key: Buffer, target: Buffer, start: number): number; readKey(key: Buffer, start: number): number };
  readonly encoder: { decode(value: Buffer): unknown; encode(value: never): Buffer };
}

function writeKey(key: Buffer, target: Buffer, start: number): number {
  target.set(key, start);
  return start + key.length;
}

/** Of the key of a document its number is of interest: it stands behind that of the collection. */
export const RECORDS: ReadForm['keyEncoder'] = { writeKey, readKey: (key: Buffer, start: number): number => key.readDoubleBE(start + 4) };
/** An entry leads to a document; its key is known by the range that is read. */
export const UNREAD: ReadForm['keyEncoder'] = { writeKey, readKey: (): number => 0 };
/** A key of an index has numbers of documents, in their order; all have one length. */
export const SETS = { dupSort: true, dupFixed: true };
const record = Buffer.alloc(8);
/** The value of an entry is the number of a document. */
export const ENTRIES = {
  decode: (value: Buffer): number => value.readDoubleBE(0),
  encode(number: number): Buffer {
    // It is written before the next one comes.
    record.writeDoubleBE(number);
    return record;
  },
};

/** Gives the bytes as they lie in the buffer of the database. */
export function passingBytes(): { decode(value: Buffer): PassingBytes; encode(): never } {
  const passing: PassingBytes = { bytes: Buffer.alloc(0), size: 0 };
  return {
    decode(value) {
      passing.bytes = value;
      passing.size = value.length;
      return passing;
    },
    encode: refuse,
  };
}

function refuse(): never {
  throw new TypeError('This is a table to read; what is written goes through the other one');
}
