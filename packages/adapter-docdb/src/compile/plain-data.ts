import { types } from 'node:util';
import { holdsNothing } from '@framework/core/adapter';
import { isPlainObject } from '@framework/query';
import { ownObjectId } from '../object-id/object-id.ts';

/** Levels that are looked into: the database has no more than 100, and what is deeper is refused by it. */
const MAX_DEPTH = 200;

/**
 * Data as the database stores them: maps, and instances of classes, are objects of their properties, and object ids are those of the driver. What is done with data
 * before they are sent, such as keeping what is hidden in an object that they replace, then knows them as what they will be.
 *
 * @param data one record, a change, or a list of records; not changed
 * @returns the data themselves where there is nothing of the kind inside. What can not be stored stays as it is, for whoever refuses it
 */
export function plainData(data: unknown): unknown {
  // Most data are plain: to look is several times faster than to make them so.
  if (isPlainThroughout(data, 0, new Set())) return data;
  const known: Known = new Map();
  return Array.isArray(data) ? inList(data, (record) => plainRecord(record, known)) : plainRecord(data, known);
}

/**
 * @param depth of the value
 * @param known objects that were looked at, or are being looked at
 * @returns whether there is nothing of the kind inside
 */
function isPlainThroughout(value: unknown, depth: number, known: Set<object>): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || known.has(value)) return true;
  known.add(value);
  if (Array.isArray(value)) return value.every((entry) => isPlainThroughout(entry, depth + 1, known));
  if (isValue(value)) return ownObjectId(value) === value;
  if (!isPlainObject(value) || typeof value.toBSON === 'function') return false;
  for (const name of Object.keys(value)) {
    const inner = value[name];
    if (typeof inner === 'object' && inner !== null && !isPlainThroughout(inner, depth + 1, known)) return false;
  }
  return true;
}

function isValue(value: object): boolean {
  return '_bsontype' in value || types.isDate(value) || ArrayBuffer.isView(value);
}

/** What was made of each object; an object itself while it is looked into, and where it contains itself. */
type Known = Map<object, unknown>;

/** What stands for a record is no map. */
function plainRecord(record: unknown, known: Known): unknown {
  return types.isMap(record) ? record : plain(record, 0, known);
}

function plain(value: unknown, depth: number, known: Known): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (isValue(value)) return ownObjectId(value);
  if (known.has(value)) return known.get(value);
  known.set(value, value);
  const made = inside(value, (inner) => plain(inner, depth + 1, known));
  known.set(value, made);
  return made;
}

function inside(value: object, of: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return inList(value, of);
  if ('toBSON' in value && typeof value.toBSON === 'function') return of(Reflect.apply(value.toBSON, value, []));
  if (types.isMap(value)) {
    const entries: readonly (readonly [unknown, unknown])[] = [...value];
    const isText = entries.every(([name]) => typeof name === 'string');
    return isText ? inObject(Object.fromEntries(entries) as Record<string, unknown>, of) : value;
  }
  if (isPlainObject(value)) return inObject(value, of);
  return isInstance(value) ? inObject({ ...value }, of) : value;
}

function isInstance(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]' && !holdsNothing(value);
}

function inList(list: readonly unknown[], of: (entry: unknown) => unknown): readonly unknown[] {
  const made = list.map((entry) => of(entry));
  return made.every((entry, index) => Object.is(entry, list[index])) ? list : made;
}

function inObject(object: Readonly<Record<string, unknown>>, of: (entry: unknown) => unknown): object {
  const entries = Object.entries(object);
  const made = entries.map(([name, entry]) => [name, of(entry)] as const);
  return made.every(([, entry], index) => Object.is(entry, entries[index]?.[1])) ? object : Object.fromEntries(made);
}
