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
  if (isObjectId(value)) return { id: value.toHexString() };
  if (isRecord(value)) return { record: Object.entries(value).map(([name, inner]) => [name, encodeValue(inner)]) };
  // Other values of a database's driver are sorted by their text.
  return { other: String(value) };
}

/** @throws Error for what {@link encodeValue} does not give */
export function decodeValue(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(decodeValue);
  const [[kind, told] = ['', null]] = isRecord(value) ? Object.entries(value) : [];
  const read = Object.hasOwn(READERS, kind) ? READERS[kind] : undefined;
  if (!read) throw new TypeError('no value');
  return read(told);
}

const READERS: Readonly<Record<string, (told: unknown, text?: string) => unknown>> = {
  number: Number,
  bigint: (told) => BigInt(String(told)),
  date: (told) => new Date(Number(told)),
  pattern: (told) => new RegExp(String(listOf(told)[0]), String(listOf(told)[1])),
  bytes: (told) => Uint8Array.from(listOf(told), Number),
  // Texts are made at once: what has none is no value, and not found out by a comparison.
  id: (told, text = String(told)) => ({ _bsontype: 'ObjectId', toHexString: () => text }),
  record: (told) => {
    const record = {};
    for (const [name, inner] of listOf(told).map(listOf)) put(record, String(name), decodeValue(inner));
    return record;
  },
  other: (told, text = String(told)) => ({ _bsontype: 'other', toString: () => text }),
};

/** @throws TypeError for what is no list */
export function listOf(told: unknown): readonly unknown[] {
  if (Array.isArray(told)) return told;
  throw new TypeError('no list');
}
