import { BadRequest } from '@framework/errors';
import { isObjectId } from '@framework/query';

/** Longest cursor that is read, in letters. */
const MAX_LENGTH = 4096;

/**
 * A cursor for a position in an order. It holds values of sort keys, which whoever sorts by them may see.
 *
 * @param keys the order
 * @param position the values of a record
 * @returns `undefined` where a value can not be told in it
 */
export function writeCursor(keys: string, position: readonly unknown[]): string | undefined {
  const parts = position.map(encode);
  return parts.includes(undefined) ? undefined : toBase64(JSON.stringify([keys, parts]));
}

/**
 * @param name of the filter that it came in
 * @throws BadRequest (400) for anything but a cursor of the same order
 */
export function readCursor(name: string, keys: string, cursor: unknown): readonly unknown[] {
  const read = parse(cursor);
  if (Array.isArray(read) && read.length === 2 && read[0] === keys && Array.isArray(read[1])) {
    const position = read[1].map(decode);
    if (!position.includes(NONE)) return position;
  }
  throw new BadRequest(`Invalid value for ${name}: expected a cursor that this service has given for the same $sort`, { parameter: name });
}

const NONE = Symbol('no value');

function encode(value: unknown): unknown {
  if (value === null || value === undefined) return ['v', null];
  if (typeof value === 'string' || typeof value === 'boolean') return ['v', value];
  if (typeof value === 'number') return ['n', String(value)];
  if (typeof value === 'bigint') return ['b', String(value)];
  if (value instanceof Date) return ['d', value.getTime()];
  return isObjectId(value) ? ['o', value.toHexString()] : undefined;
}

function decode(part: unknown): unknown {
  const [kind, value] = Array.isArray(part) ? (part as readonly unknown[]) : [];
  if (kind === 'v' && (value === null || typeof value === 'string' || typeof value === 'boolean')) return value;
  if (kind === 'n' && typeof value === 'string') return Number(value);
  if (kind === 'b' && typeof value === 'string' && /^-?\d{1,100}$/.test(value)) return BigInt(value);
  if (kind === 'd' && typeof value === 'number') return new Date(value);
  if (kind === 'o' && typeof value === 'string') return { _bsontype: 'ObjectId', toHexString: () => value };
  return NONE;
}

function parse(cursor: unknown): unknown {
  if (typeof cursor !== 'string' || cursor.length > MAX_LENGTH) return undefined;
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
