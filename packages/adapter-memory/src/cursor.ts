import { BadRequest } from '@framework/errors';
import { isObjectId, isRecord } from '@framework/query';

/** Longest cursor that is read, in letters. */
const MAX_LENGTH = 4096;

/** Letters of base64 that mean something in addresses, and what stands for them. */
const FOR_ADDRESSES: Readonly<Record<string, string>> = { '+': '-', '/': '_', '=': '' };
const FROM_ADDRESSES: Readonly<Record<string, string>> = { '-': '+', _: '/' };

/**
 * A cursor for a position in an order. It holds values of sort keys, which whoever sorts by them may see.
 *
 * @param keys the order
 * @param position the values of a record
 * @returns `undefined` where a value can not be told in it
 */
export function writeCursor(keys: string, position: readonly unknown[]): string | undefined {
  const values = position.map(encode);
  if (values.includes(undefined)) return undefined;
  // Base64 takes letters of one byte.
  const text = JSON.stringify([keys, values]).replace(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return btoa(text).replace(/[+/=]/g, (letter) => FOR_ADDRESSES[letter] ?? '');
}

/**
 * @param name of the filter that it came in
 * @param length number of values that a position has
 * @throws BadRequest (400) for anything but a cursor of the same order
 */
export function readCursor(name: string, keys: string, length: number, cursor: unknown): readonly unknown[] {
  const [order, values] = parse(cursor);
  if (order === keys && Array.isArray(values) && values.length === length) {
    const position = values.map(decode);
    if (!position.includes(NONE)) return position;
  }
  throw new BadRequest(`Invalid value for ${name}: expected a cursor that this service has given for the same $sort`, { parameter: name });
}

function parse(cursor: unknown): readonly unknown[] {
  try {
    if (typeof cursor === 'string' && cursor.length <= MAX_LENGTH) {
      const read: unknown = JSON.parse(atob(cursor.replace(/[-_]/g, (letter) => FROM_ADDRESSES[letter] ?? '')));
      if (Array.isArray(read)) return read;
    }
  } catch {
    // It is none.
  }
  return [];
}

const NONE = Symbol('no value');

/** Texts and booleans as they are, what JSON does not have by its type. */
function encode(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return { [typeof value]: String(value) };
  if (value instanceof Date) return { date: value.getTime() };
  if (isObjectId(value)) return { id: value.toHexString() };
  return value === undefined || value === null ? null : undefined;
}

function decode(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (!isRecord(value)) return NONE;
  const { number, bigint, date, id } = value;
  if (typeof number === 'string') return Number(number);
  if (typeof bigint === 'string' && /^-?\d{1,100}$/.test(bigint)) return BigInt(bigint);
  if (typeof date === 'number') return new Date(date);
  return typeof id === 'string' ? { _bsontype: 'ObjectId', toHexString: () => id } : NONE;
}
