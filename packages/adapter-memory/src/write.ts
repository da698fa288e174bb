import { BadRequest } from '@framework/errors';
import { isRecord, placeOf, type StoredRecord } from '@framework/query';
import { copyOf, copyOfRecord, put } from './copy.ts';

/**
 * A record with other properties; a dotted name is the path of one inside of it.
 *
 * @param record is not changed
 * @param changes copies, which become part of what is given back
 * @param kept dotted paths of what stays as it is where a property around it is set
 * @throws BadRequest (400) for a path through something that is neither a list nor an object
 */
export function patched(record: StoredRecord, changes: StoredRecord, kept: readonly string[]): StoredRecord {
  const changed = copyOfRecord(record);
  for (const [name, value] of Object.entries(changes)) {
    const inside = kept.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    keepInside(value, Object.hasOwn(record, name) ? record[name] : undefined, inside);
    if (name.includes('.')) setPath(changed, name, value);
    else put(changed, name, value);
  }
  return changed;
}

/** Puts into a value what it lacks of another one. */
export function keepInside(value: unknown, stored: unknown, paths: readonly string[]): void {
  if (!isRecord(value) || !isRecord(stored)) return;
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.');
    if (!Object.hasOwn(stored, name)) continue;
    if (!Object.hasOwn(value, name)) put(value, name, copyOf(stored[name]));
    else keepInside(value[name], stored[name], [rest.join('.')]);
  }
}

function setPath(record: StoredRecord, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let inside: unknown = record;
  for (const name of names) {
    const next = step(inside, name);
    if (next !== undefined && next !== null) inside = next;
    else {
      const made: StoredRecord = {};
      assign(inside, name, made, path);
      inside = made;
    }
  }
  assign(inside, last, value, path);
}

function step(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value[placeOf(name) ?? -1] as unknown;
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function assign(target: unknown, name: string, value: unknown, path: string): void {
  if (isRecord(target)) {
    put(target, name, value);
    return;
  }
  const place = placeOf(name);
  if (!Array.isArray(target) || place === undefined || place > target.length)
    throw new BadRequest(`'${path.slice(0, 100)}' can not be set: what is there has no '${name.slice(0, 50)}'`);
  target[place] = value;
}
