import type { Collator } from '../../bson/collation.ts';
import { typeRank } from '../../bson/compare.ts';
import {
  type Binary,
  type BSONRegExp,
  type BSONSymbol,
  type Code,
  type Decimal128,
  type Doc,
  type Double,
  type ObjectId,
  type Timestamp,
  typeName,
  type Value,
  millisecondsOf,
} from '../../bson/values.ts';
import { EMPTY_ARRAY_KEY } from '../../query/path-values.ts';
import type { KeyWriter } from './key-writer.ts';
import { writeNumber } from './number-key.ts';
import { writeTextPlace } from './text-place.ts';

/** First bytes of types leave room below for the end of lists. */
const FIRST = 0x10;

/** @returns the byte that the keys of all values begin with that compare with this one by value */
export function typeByte(value: Value): number {
  return FIRST + (value === EMPTY_ARRAY_KEY ? typeRank(undefined) : typeRank(value ?? null));
}

/**
 * Writes a value so that the order of bytes is the order of `compareKeys`, and no key begins another.
 *
 * @param collator orders text; then keys are coarse: see `writeTextPlace`
 * @returns whether the key tells the value apart from all that are not equal to it
 */
export function writeValue(out: KeyWriter, value: Value, collator: Collator | undefined): boolean {
  out.byte(typeByte(value));
  if (value === EMPTY_ARRAY_KEY) return true;
  switch (typeName(value)) {
    case 'int':
    case 'long':
    case 'double':
    case 'decimal':
      writeNumber(out, value as number | bigint | Double | Decimal128);
      return true;
    case 'string':
      return writeText(out, value as string, collator);
    case 'symbol':
      return writeText(out, (value as BSONSymbol).value, collator);
    case 'object':
      return writeDocument(out, value as Doc, collator);
    case 'array':
      return writeArray(out, value as Value[], collator);
    default:
      writeFixed(out, value);
      return true;
  }
}

function writeText(out: KeyWriter, text: string, collator: Collator | undefined): boolean {
  if (!collator) {
    out.text(text);
    return true;
  }
  writeTextPlace(out, collator, text);
  return false;
}

/** What follows a coarse text would sort by itself and not by the text: the key ends there. */
function writeDocument(out: KeyWriter, doc: Doc, collator: Collator | undefined): boolean {
  for (const name of Object.keys(doc)) {
    if (doc[name] === undefined) continue;
    out.byte(typeByte(doc[name]));
    out.text(name);
    if (!writeValue(out, doc[name], collator)) return false;
  }
  out.byte(0);
  return true;
}

function writeArray(out: KeyWriter, list: readonly Value[], collator: Collator | undefined): boolean {
  for (const entry of list) if (!writeValue(out, entry, collator)) return false;
  out.byte(0);
  return true;
}

function writeFixed(out: KeyWriter, value: Value): void {
  switch (typeName(value)) {
    case 'objectId':
      out.raw((value as ObjectId).id);
      return;
    case 'bool':
      out.byte(value === true ? 1 : 0);
      return;
    case 'date':
      writeDate(out, value as Date);
      return;
    case 'timestamp': {
      const at = out.take(8);
      out.bytes.writeUInt32BE((value as Timestamp).t, at);
      out.bytes.writeUInt32BE((value as Timestamp).i, at + 4);
      return;
    }
    case 'binData': {
      const bytes = (value as Binary).value();
      const at = out.take(5);
      out.bytes.writeUInt32BE(bytes.length, at);
      out.bytes[at + 4] = (value as Binary).sub_type;
      out.raw(bytes);
      return;
    }
    case 'regex':
      out.text((value as BSONRegExp).pattern);
      out.text((value as BSONRegExp).options);
      return;
    case 'javascript':
    case 'javascriptWithScope':
      out.text((value as Code).code);
      if ((value as Code).scope) writeDocument(out, (value as Code).scope ?? {}, undefined);
      return;
    default:
  }
}

function writeDate(out: KeyWriter, date: Date): void {
  out.byte(1);
  const sign = out.take(8);
  out.bytes.writeBigInt64BE(millisecondsOf(date), sign);
  out.bytes[sign] = (out.bytes[sign] as number) ^ 0x80;
}
