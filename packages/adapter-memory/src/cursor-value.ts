import { isObjectId, isRecord } from '@framework/query';
import { put } from './copy.ts';

/**
 * Tells a value in JSON, so that {@link decodeValue} gives one that sorts the same: texts, booleans and lists as they are, all else by its kind.
 *
 * @param value of a stored record
 */
export function encodeValue(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return { [typeof value]: String(value) };
    case 'object':
      return value && encodeObject(value);
    default:
      return value ?? null;
  }
}

function encodeObject(value: object): unknown {
  if (value instanceof Date) return { date: String(value.getTime()) };
  if (value instanceof RegExp) return { pattern: [value.source, value.flags] };
  if (Array.isArray(value)) return value.map(encodeValue);
  if (ArrayBuffer.isView(value)) return { bytes: [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)] };
  if (isObjectId(value)) return { ObjectId: value.toHexString() };
  if (isRecord(value)) return { record: Object.entries(value).map(([name, inner]) => [name, encodeValue(inner)]) };
  // Other values of a database's driver are sorted by their text.
  return { other: String(value) };
}

/** @param value what {@link encodeValue} has given, as JSON has it */
export function decodeValue(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(decodeValue);
  const [[kind, told] = ['']] = Object.entries(value);
  // Of a database's driver.
  const text = (): unknown => told;
  return READERS[kind]?.(told as never) ?? { _bsontype: kind, toHexString: text, toString: text };
}

const READERS: Readonly<Record<string, (told: never) => unknown>> = {
  number: Number,
  bigint: (told: string) => BigInt(told),
  date: (told: string) => new Date(Number(told)),
  pattern: (told: [string, string]) => new RegExp(...told),
  bytes: (told: number[]) => new Uint8Array(told),
  record: (told: [string, unknown][]) => {
    const record = {};
    for (const [name, inner] of told) put(record, name, decodeValue(inner));
    return record;
  },
};
