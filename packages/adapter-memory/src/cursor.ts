import { BadRequest } from '@framework/errors';
import { encodeValue } from './cursor-value.ts';

/** Most bytes of a cursor that tells the values of a record; one with longer values names the record. Addresses have little room for more. */
const TOLD = 3_000;
/** Most bytes of any: with what encryption adds, and as letters, 12,000. */
const MOST = 8_900;

/** A place in an order that a record shows. */
export interface Landmark {
  /** The values of the record, its id last. */
  readonly position: readonly unknown[];
  /** Whether the record is the place (0), or comes before it (-1) or behind it (1). */
  readonly side: number;
}

/** A landmark that is named by the id of its record. */
type Named = readonly [id: unknown, digest: number, side: number];

/** What a cursor says, each value as JSON has it: its order, and the place itself, or records that show it, of which the first is taken that is there as it was. */
export type Place = readonly [order: number, position: readonly unknown[] | null | undefined, named: readonly Named[]];

/**
 * A cursor for a place in an order. Callers can neither read nor change it: there may be values in it that the server keeps from them.
 *
 * @param keys the order
 * @param landmarks records that show the place; the first is what it is about, the others stand in for it
 */
export async function writeCursor(keys: string, landmarks: readonly Landmark[]): Promise<string | undefined> {
  const order = digestOf(keys);
  const named = landmarks.map(({ position, side }): Named => [encodeValue(position.at(-1)), digestOfPosition(position), side]);
  let cursor = await sealed([order, landmarks[0]?.position.map(encodeValue), []], TOLD);
  // As many as there is room for: one at least, since ids are short.
  while (cursor === undefined && named.length > 0) {
    cursor = await sealed([order, null, named], MOST);
    named.pop();
  }
  return cursor;
}

/**
 * @param name of the filter that it came in
 * @throws BadRequest (400) for anything but a cursor of the same order
 */
export async function readCursor(name: string, keys: string, cursor: unknown): Promise<Place> {
  const place = await opened(cursor as string).catch(() => undefined);
  if (place?.[0] === digestOf(keys)) return place;
  throw new BadRequest(`Invalid value for ${name}: expected a cursor that this service has given for the same $sort`, { parameter: name });
}

/** Tells whether a record is where it was. */
export function digestOfPosition(position: readonly unknown[]): number {
  return digestOf(JSON.stringify(position.map(encodeValue)));
}

/** 36 bits: texts are told apart by it that nobody has made to look alike. */
function digestOf(text: string): number {
  return new TextEncoder().encode(text).reduce((digest, byte) => (digest * 65_599 + byte) % 1e11, 0);
}

const CIPHER = { name: 'AES-GCM', length: 256 };
const IV = 12;

/** The key of all cursors: like the records it is gone with the process. */
let key: Promise<never> | undefined;

/**
 * Encrypts, or reads what it has encrypted. A page over plain HTTP can not: its records are its own.
 *
 * @throws Error for bytes that are none of its own
 */
async function ciphered(does: 'encrypt' | 'decrypt', iv: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle }: { readonly subtle?: typeof crypto.subtle } = crypto;
  if (!subtle) return bytes;
  key ??= subtle.generateKey(CIPHER, false, ['encrypt', 'decrypt']) as Promise<never>;
  return new Uint8Array(await subtle[does]({ ...CIPHER, iv }, await key, bytes));
}

/** @returns `undefined` where it would have more bytes than that */
async function sealed(content: Place, most: number): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  if (bytes.length > most) return undefined;
  const iv = crypto.getRandomValues(new Uint8Array(IV));
  // Base64 takes letters of one byte, and addresses have another meaning for some of its own.
  return btoa(String.fromCharCode(...iv, ...(await ciphered('encrypt', iv, bytes))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** @throws Error for what {@link sealed} has not given */
async function opened(cursor: string): Promise<Place> {
  const letters = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await ciphered('decrypt', bytes.slice(0, IV), bytes.slice(IV)))) as Place;
}
