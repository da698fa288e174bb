import { holdsNothing } from '@framework/core/adapter';
import { BadRequest } from '@framework/errors';
import { inThisRealm, isPlainObject, type StoredRecord } from '@framework/query';

/** Deepest nesting of a record. */
const MAX_DEPTH = 100;

/** Names that mean something else than a property, from outside: operators, and what leads to what all objects have in common. */
const RESERVED = /(^|\.)(\$|(__proto__|constructor|prototype|_bsontype)(\.|$))/;

/** Names of the properties of a record whose values are objects, which a copy must not share. */
export function objectsOf(record: StoredRecord): readonly string[] {
  return Object.keys(record).filter((name) => typeof record[name] === 'object' && record[name] !== null);
}

/**
 * Copies a stored record, so that nobody who gets it can change what is stored.
 *
 * @param record of which each value is one that {@link storedFrom} gave
 * @param objects what {@link objectsOf} says of it
 */
export function copyOfStored(record: StoredRecord, objects: readonly string[]): StoredRecord {
  // In one piece, which is fast; then what is inside, which is less.
  const copy = { ...record };
  for (const name of objects) copy[name] = copyOf(copy[name]);
  return copy;
}

/** The same for a record that is looked through first. */
export function copyOfRecord(record: StoredRecord): StoredRecord {
  const copy = { ...record };
  for (const name in copy) {
    const value = copy[name];
    if (typeof value === 'object' && value !== null && Object.hasOwn(copy, name)) copy[name] = copyOf(value);
  }
  return copy;
}

/** The same for a value of a record. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return isStoredRecord(value) ? copyOfRecord(value) : copyOfValue(value);
}

function isStoredRecord(value: object): value is StoredRecord {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * The data of a write as it is stored: a copy, without what is `undefined`. Instances of classes become their own properties, as in a database.
 *
 * @param external whether a caller from outside sent it, who may not use names that mean something else
 * @throws BadRequest (400) for what can not be stored, with its path
 */
export function storedFrom(data: unknown, external: boolean): StoredRecord {
  if (typeof data !== 'object' || data === null || Array.isArray(data) || isValue(data)) throw new BadRequest('The data must be an object');
  const operator = Object.keys(data).find((name) => name.startsWith('$'));
  if (operator !== undefined) throw notAllowed(operator, ': services in memory have no update operators');
  return copyIn(data, external, '', 0) as StoredRecord;
}

function copyIn(value: unknown, external: boolean, path: string, depth: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol' || (typeof value === 'object' && value !== null && holdsNothing(value)))
    throw new BadRequest(`'${path}' can not be stored: a record holds plain data, lists and dates`);
  if (value instanceof Date && Number.isNaN(value.getTime()))
    throw new BadRequest(`'${path}' is a date that is none, and can not be stored`);
  if (depth > MAX_DEPTH) throw new BadRequest('The data is nested too deeply');
  if (typeof value !== 'object' || value === null) return value;
  const inside = (inner: unknown, place: string, levels = 1): unknown => copyIn(inThisRealm(inner), external, place, depth + levels);
  if (Array.isArray(value)) return [...(value as unknown[])].map((entry, index) => inside(entry ?? null, `${path}[${String(index)}]`));
  if (isValue(value)) return copyOfValue(value);
  if ('toBSON' in value && typeof value.toBSON === 'function') return inside(Reflect.apply(value.toBSON, value, []), path);
  const copy: StoredRecord = {};
  for (const [key, inner] of value instanceof Map ? value : Object.entries(value)) {
    const name = String(key);
    if ((external && RESERVED.test(name)) || name.includes('\0')) throw notAllowed(name);
    if (inner !== undefined) put(copy, name, inside(inner, path === '' ? name : `${path}.${name}`, name.split('.').length));
  }
  return copy;
}

function notAllowed(name: string, why = ''): BadRequest {
  return new BadRequest(`'${name.slice(0, 50)}' is not allowed in the data${why}`);
}

/** Sets a property, whatever its name is. */
export function put(record: StoredRecord, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
  else record[name] = value;
}

/**
 * One record of several: later properties win. Made property by property, since records that are made alike are read fastest; what is spread in one expression
 * with others is another kind of object each time.
 */
export function recordOf(...parts: readonly StoredRecord[]): StoredRecord {
  const record: StoredRecord = {};
  for (const part of parts) for (const name of Object.keys(part)) put(record, name, part[name]);
  return record;
}

/** What is one value, although it is an object. */
function isValue(value: object): boolean {
  return value instanceof Date || value instanceof RegExp || ArrayBuffer.isView(value) || ('_bsontype' in value && !isPlainObject(value));
}

function copyOfValue(value: object): object {
  if (value instanceof Date) return new Date(value);
  if (value instanceof RegExp) return new RegExp(value);
  if (value instanceof Uint8Array) return Uint8Array.prototype.slice.call(value);
  // Those of a database's driver do not change.
  return ArrayBuffer.isView(value) ? structuredClone(value) : value;
}
