import { BadRequest } from '@framework/errors';
import { isObjectId, type StoredRecord } from '@framework/query';

/** Deepest nesting of a record. */
const MAX_DEPTH = 100;

/** Names that lead to what all objects have in common. */
const PROTOTYPES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Copies a stored value, so that nobody who gets it can change what is stored.
 *
 * @param value what {@link storedFrom} gave
 */
export function copyOf<T>(value: T): T;
export function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => copyOf(entry));
  if (value instanceof Date) return new Date(value);
  if (isValue(value)) return copyOfValue(value);
  const copy: StoredRecord = {};
  for (const name of Object.keys(value)) put(copy, name, copyOf(Reflect.get(value, name)));
  return copy;
}

/**
 * The data of a write as it is stored: a copy, without what is `undefined`. Instances of classes become their own properties, as in a database.
 *
 * @param external whether a caller from outside sent it, who may not use names that mean something else
 * @throws BadRequest (400) for what can not be stored, with its path
 */
export function storedFrom(data: unknown, external: boolean): StoredRecord {
  if (typeof data !== 'object' || data === null || Array.isArray(data) || isValue(data)) throw new BadRequest('The data must be an object');
  for (const name of Object.keys(data)) {
    if (name.startsWith('$'))
      throw new BadRequest(`'${name.slice(0, 50)}' is not allowed in the data: services in memory have no update operators`);
  }
  return copyIn(data, external, '', 0) as StoredRecord;
}

function copyIn(value: unknown, external: boolean, path: string, depth: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol' || value instanceof Set || value instanceof Promise)
    throw new BadRequest(`'${path}' can not be stored: a record holds plain data, lists and dates`);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new BadRequest('The data is nested too deeply');
  if (Array.isArray(value))
    return value.map((entry, index) => copyIn(entry === undefined ? null : entry, external, `${path}[${String(index)}]`, depth + 1));
  if (isValue(value)) return copyOfValue(value);
  if ('toBSON' in value && typeof value.toBSON === 'function')
    return copyIn(Reflect.apply(value.toBSON, value, []), external, path, depth + 1);
  const copy: StoredRecord = {};
  const entries: [string, unknown][] =
    value instanceof Map ? [...value].map(([name, inner]) => [String(name), inner]) : Object.entries(value);
  for (const [name, inner] of entries) {
    if (external) checkName(name);
    if (inner !== undefined) put(copy, name, copyIn(inner, external, path === '' ? name : `${path}.${name}`, depth + 1));
  }
  return copy;
}

/** @throws BadRequest (400) */
function checkName(name: string): void {
  if (name.startsWith('$') || name.includes('\0') || name.split('.').some((part) => PROTOTYPES.has(part)))
    throw new BadRequest(`'${name.slice(0, 50)}' is not allowed in the data`);
}

/** Sets a property, whatever its name is. */
export function put(record: StoredRecord, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
  else record[name] = value;
}

/** What is one value, although it is an object. */
function isValue(value: object): boolean {
  return value instanceof Date || value instanceof RegExp || ArrayBuffer.isView(value) || isObjectId(value) || '_bsontype' in value;
}

function copyOfValue(value: object): object {
  if (value instanceof Date) return new Date(value);
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  // Those of a database's driver do not change.
  return value instanceof Uint8Array ? Uint8Array.prototype.slice.call(value) : ArrayBuffer.isView(value) ? structuredClone(value) : value;
}
