import { BadRequest } from '@framework/errors';
import { decodeValue, encodeValue, listOf } from './cursor-value.ts';

/** Most letters of a cursor that tells the values of a record; one with longer values names the record. Addresses have little room for more. */
const TOLD = 4096;
/** Longest cursor that is read, in letters. */
const MAX_LENGTH = 12_000;

/** A place in an order that a record shows. */
export interface Landmark {
  /** The values of the record, its id last. */
  readonly position: readonly unknown[];
  /** Whether the record is the place (0), or comes before it (-1) or behind it (1). */
  readonly side: number;
}

/** A landmark that is named by the id of its record. */
interface Named {
  readonly id: unknown;
  readonly digest: string;
  readonly side: number;
}

/** What a cursor says: the place itself, or records that show it, the first of which that is there as it was is taken. */
export type Place = { readonly position: readonly unknown[] } | { readonly landmarks: readonly Named[] };

/**
 * A cursor for a place in an order. It holds values of sort keys, which whoever sorts by them may see.
 *
 * @param keys the order
 * @param landmarks records that show the place; the first is what it is about, the others stand in for it
 */
export function writeCursor(keys: string, landmarks: readonly Landmark[]): string | undefined {
  const order = digestOf(keys);
  const told = textOf([order, landmarks[0]?.position.map(encodeValue)], TOLD);
  if (told !== undefined) return told;
  const named = landmarks.map(({ position, side }) => [encodeValue(position.at(-1)), digestOfPosition(position), side]);
  return namesOf(order, named);
}

/** As many as there is room for: one at least, since ids are short. */
function namesOf(order: string, named: readonly unknown[]): string | undefined {
  return named.length === 0 ? undefined : (textOf([order, null, named], MAX_LENGTH) ?? namesOf(order, named.slice(0, -1)));
}

/**
 * @param name of the filter that it came in
 * @param length number of values that a position has
 * @throws BadRequest (400) for anything but a cursor of the same order
 */
export function readCursor(name: string, keys: string, length: number, cursor: unknown): Place {
  try {
    if (typeof cursor === 'string' && cursor.length <= MAX_LENGTH) {
      const [order, values, named] = listOf(JSON.parse(fromBase64(cursor)));
      if (order === digestOf(keys)) {
        if (values === null) return { landmarks: listOf(named).map(readNamed) };
        const position = listOf(values).map(decodeValue);
        if (position.length === length) return { position };
      }
    }
  } catch {
    // It is none.
  }
  throw new BadRequest(`Invalid value for ${name}: expected a cursor that this service has given for the same $sort`, { parameter: name });
}

function readNamed(named: unknown): Named {
  const [id, digest, side] = listOf(named);
  return { id: decodeValue(id), digest: String(digest), side: Number(side) };
}

/** Tells whether a record is where it was. */
export function digestOfPosition(position: readonly unknown[]): string {
  return digestOf(JSON.stringify(position.map(encodeValue)));
}

/** 64 bits: texts are told apart by it that nobody has made to look alike. */
function digestOf(text: string): string {
  let [one, other] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 2654435761);
    other = Math.imul(other + unit, 1597334677);
  }
  return `${String(one)}${String(other)}`;
}

/** @returns `undefined` where it would have more letters than that */
function textOf(content: unknown, most: number): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  if (bytes.length * 4 > most * 3) return undefined;
  // Base64 takes letters of one byte, and addresses have another meaning for some of its own.
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function fromBase64(cursor: string): string {
  const letters = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
}
