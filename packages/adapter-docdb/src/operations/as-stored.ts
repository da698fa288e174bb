import { isObjectId, isPlainObject } from '@framework/query';
import { BSON, type BSONSerializeOptions, type Document } from 'mongodb';
import type { Call } from './call.ts';

/** Reads a value of its own as a call would. */
type Read = (value: unknown) => unknown;

/**
 * A record as the database gives it, of what was sent to be stored. Of most data that is the data itself; values that are read as something else, such as bytes and
 * whole numbers of 64 bits, are read as any call reads them.
 *
 * @param record was stored, and is plain data (`plainData`) and values of the database
 * @returns the record itself where nothing in it is read as something else; it is not changed. Objects in it stay the same as far as they can: those that are
 *   records of other services are known by that
 */
export function asStored(record: Document, { collection, driver }: Pick<Call, 'collection' | 'driver'>): Document {
  // Most data are: to look is several times faster than to read each part.
  if (isAsStored(record)) return record;
  const read: Read = (value) => {
    const reading: BSONSerializeOptions = { ...collection.bsonOptions, ...driver };
    const { promoteValues = true, promoteLongs = true, promoteBuffers = false, useBigInt64 = false, bsonRegExp = false } = reading;
    const settings = { promoteValues, promoteLongs, promoteBuffers, useBigInt64, bsonRegExp };
    return BSON.deserialize(BSON.serialize({ value }, { ignoreUndefined: true }), settings).value as unknown;
  };
  return objectAsStored(record, read);
}

/** @returns whether nothing in a value is read as something else. What is stored holds neither itself, nor more than the database takes */
function isAsStored(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return PLAIN.has(typeof value) || value === null;
  if (Array.isArray(value)) {
    // By places: what stands at none is read as null.
    for (let index = 0; index < value.length; index++) if (!isAsStored(value[index])) return false;
    return true;
  }
  if (!isPlainObject(value)) return value instanceof Date || isObjectId(value);
  for (const name of Object.keys(value)) if (!isAsStored(value[name])) return false;
  return true;
}

function valueAsStored(value: unknown, read: Read): unknown {
  if (value === null || PLAIN.has(typeof value)) return value;
  if (Array.isArray(value)) return listAsStored(value, read);
  if (isPlainObject(value)) return objectAsStored(value, read);
  return value instanceof Date || isObjectId(value) ? value : read(value);
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

function listAsStored(list: readonly unknown[], read: Read): unknown {
  // Without gaps; what stands for nothing is null.
  const stored = Array.from(list, (entry) => valueAsStored(entry, read));
  if (stored.includes(undefined)) return read(list);
  return stored.every((entry, index) => Object.is(entry, list[index])) ? list : stored;
}

function objectAsStored(object: Document, read: Read): Document {
  const entries = Object.entries(object) as [string, unknown][];
  const stored = entries.map(([name, value]) => [name, valueAsStored(value, read)] as const);
  if (stored.every(([, value], index) => value !== undefined && Object.is(value, entries[index]?.[1]))) return object;
  return Object.fromEntries(stored.filter(([, value]) => value !== undefined));
}
