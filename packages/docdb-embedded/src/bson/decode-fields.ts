import { decodeValue } from './decode.ts';
import { isMoved } from './field-order.ts';
import { bytesOf, readText } from './text.ts';
import { type Doc, setOwn } from './values.ts';

/** Names that are compared one by one with each of a document; of more each is read, and looked up. */
const FEW = 32;

/** Names of the first level of a document: what is looked at of it. */
export class FieldNames {
  readonly names: ReadonlySet<string>;
  readonly #bytes: readonly (readonly [name: string, bytes: Buffer])[];

  private constructor(names: ReadonlySet<string>) {
    this.names = names;
    this.#bytes = [...names].map((name) => [name, bytesOf(name)]);
  }

  /** @returns the names; `undefined` where fields would not come in the order of the document, so that all of it is needed */
  static of(names: Iterable<string>): FieldNames | undefined {
    const set = new Set(names);
    return [...set].some(isMoved) ? undefined : new FieldNames(set);
  }

  /** @returns the one of the names that stands between two places, if one does */
  at(bytes: Buffer, from: number, to: number): string | undefined {
    if (this.#bytes.length > FEW) {
      const read = readText(bytes, from, to);
      return this.names.has(read) ? read : undefined;
    }
    for (const [name, wanted] of this.#bytes) {
      if (wanted.length !== to - from) continue;
      let place = 0;
      while (place < wanted.length && bytes[from + place] === wanted[place]) place += 1;
      if (place === wanted.length) return name;
    }
    return undefined;
  }
}

/**
 * Reads some fields of a stored document and skips the others.
 *
 * @param bytes contains BSON that {@link encode} has written: it is not checked again
 * @param start where the document begins
 * @returns a document that has those of the fields that are there, in their order
 */
export function decodeFields(bytes: Buffer, start: number, fields: FieldNames): Doc {
  const doc: Doc = {};
  let missing = fields.names.size;
  let at = start + 4;
  while (missing > 0) {
    const type = bytes[at];
    if (type === undefined) throw new RangeError('A stored document is cut off');
    if (type === 0) break;
    const name = at + 1;
    let end = name;
    while ((bytes[end] ?? 0) !== 0) end += 1;
    const known = fields.at(bytes, name, end);
    if (known !== undefined) {
      setOwn(doc, known, decodeValue(bytes, type, end + 1));
      missing -= 1;
    }
    at = end + 1 + sizeOfValue(bytes, type, end + 1);
  }
  return doc;
}

/** Bytes of the types whose values have one size; the others say theirs. */
const FIXED: Readonly<Record<number, number>> = {
  0x01: 8,
  0x06: 0,
  0x07: 12,
  0x08: 1,
  0x09: 8,
  0x0a: 0,
  0x10: 4,
  0x11: 8,
  0x12: 8,
  0x13: 16,
  0x7f: 0,
  0xff: 0,
};

function sizeOfValue(bytes: Buffer, type: number, at: number): number {
  switch (type) {
    case 0x02:
    case 0x0d:
    case 0x0e:
      return 4 + bytes.readInt32LE(at);
    case 0x03:
    case 0x04:
    case 0x0f:
      return bytes.readInt32LE(at);
    case 0x05:
      return 5 + bytes.readInt32LE(at);
    case 0x0b:
      return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
    default:
      return FIXED[type] as number;
  }
}
