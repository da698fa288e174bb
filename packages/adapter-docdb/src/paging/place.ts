import { createHash } from 'node:crypto';
import { BadRequest } from '@framework/errors';
import { isRecord, type SortKey } from '@framework/query';
import { BSON, type Document } from 'mongodb';
import type { Call } from '../operations/call.ts';
import type { CursorTokens } from './cursor-token.ts';

/** A place in an order that a record shows. */
export interface Landmark {
  readonly record: Document;
  readonly side: Side;
}

/** Whether a record is the place (0), or comes before it (-1) or behind it (1). */
export type Side = -1 | 0 | 1;

/** A place in an order: at the values of a record, or next to them. */
export interface Place {
  /** Values of the sort keys. */
  readonly position: readonly unknown[];
  readonly side: Side;
}

/** A landmark that is named by the id of its record. */
interface Named {
  readonly id: unknown;
  readonly digest: string;
  readonly side: Side;
}

/**
 * Writes the cursor of a place: the values that a record has there, or where these are too long its name, and those of others that stand in for it
 * when it has gone.
 *
 * @param landmarks the first is the place
 * @param keys sort keys, of which the last is the id
 * @returns `undefined` where not even the id of a record is short enough
 */
export function writePlace(
  tokens: CursorTokens,
  landmarks: readonly Landmark[],
  keys: readonly SortKey[],
  purpose: string,
): string | undefined {
  const placed = landmarks.map(({ record, side }) => ({ position: positionOf(record, keys), side }));
  const told = tokens.write({ p: placed[0]?.position }, purpose);
  if (told !== undefined) return told;
  const named = placed.map(({ position, side }): Named => ({ id: position.at(-1), digest: digestOf(position), side }));
  for (let count = named.length; count > 0; count--) {
    const cursor = tokens.write({ n: named.slice(0, count) }, purpose);
    if (cursor !== undefined) return cursor;
  }
  return undefined;
}

/**
 * Finds the place of a cursor that {@link writePlace} has written.
 *
 * @param content of the cursor
 * @param read reads the records of a call: one command where records are named
 * @throws BadRequest (400) where no record that is named is where it was
 */
export async function readPlace(
  content: Document,
  keys: readonly SortKey[],
  call: Call,
  read: (call: Call) => Promise<Document[]>,
): Promise<Place> {
  // Names are short, since cursors are: `p` is a position, and `n` what is named.
  if (content.p) return { position: content.p as unknown[], side: 0 };
  const named = content.n as readonly Named[];
  const filter = { [call.options.id]: { $in: named.map(({ id }) => id) } };
  const records = await read({
    ...call,
    filter,
    query: { ...call.query, sort: undefined, skip: undefined, limit: undefined, select: keys.map(([path]) => path) },
  });
  const positions = records.map((record) => positionOf(record, keys));
  for (const { digest, side } of named) {
    const position = positions.find((one) => digestOf(one) === digest);
    if (position) return { position, side };
  }
  throw new BadRequest('The records of this cursor have gone or changed: start again with the first page, or sort by shorter values');
}

/**
 * @returns whether there is a pattern in a sort key of a record, or inside of an object there: the driver knows only some of the options that patterns have
 * in the database, and conditions do not compare them
 */
export function hasPattern(record: Document, keys: readonly SortKey[]): boolean {
  return positionOf(record, keys).some(isPatternWithin);
}

function isPatternWithin(value: unknown): boolean {
  if (value instanceof RegExp) return true;
  if (typeof value !== 'object' || value === null) return false;
  if ('_bsontype' in value) return value._bsontype === 'BSONRegExp';
  return (Array.isArray(value) || isRecord(value)) && Object.values(value).some(isPatternWithin);
}

/** @returns the values that a record is sorted by */
export function positionOf(record: Document, keys: readonly SortKey[]): unknown[] {
  return keys.map(([path]) => valueAt(record, path));
}

/** Tells whether a record is where it was. */
function digestOf(position: readonly unknown[]): string {
  return createHash('sha256').update(BSON.serialize({ position })).digest('base64');
}

/** Looks into objects alone: the parts of other values, such as those of an object id, are none to the database. */
function valueAt(record: Document, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return null;
    value = value[name];
  }
  return value ?? null;
}
