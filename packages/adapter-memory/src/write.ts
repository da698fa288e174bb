import { BadRequest } from '@framework/errors';
import { isRecord, placeOf, type StoredRecord } from '@framework/query';
import { copyOf, copyOfRecord, put } from './copy.ts';

/**
 * A record with other properties; a dotted name is the path of one inside of it.
 *
 * @param record is not changed
 * @param changes copies, which become part of what is given back
 * @param kept dotted paths of what stays as it is where a property around it is set
 * @throws BadRequest (400) for a name that is no path, for two of which one is in the other, and for a path through something that is neither a list nor
 *   an object
 */
export function patched(record: StoredRecord, changes: StoredRecord, kept: readonly string[]): StoredRecord {
  const changed = copyOfRecord(record);
  for (const [name, value] of Object.entries(changes)) {
    checkPath(name, changes);
    const inside = kept.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    // As the database, which does one or the other in a command.
    if (inside.length > 0 && Object.keys(changes).some((other) => other.includes('.')))
      throw refused(name, 'send it without paths, in a patch of its own');
    keepInside(value, Object.hasOwn(record, name) ? record[name] : undefined, inside);
    if (name.includes('.')) setPath(changed, name, value);
    else put(changed, name, value);
  }
  return changed;
}

/**
 * Puts into a value what it lacks of another one.
 *
 * @throws BadRequest (400) where it would replace a list: of that nothing can be kept in an object
 */
export function keepInside(value: unknown, stored: unknown, paths: readonly string[]): void {
  if (!isRecord(value) || paths.length === 0) return;
  if (Array.isArray(stored)) throw new BadRequest('An object can not replace a list of which parts can not be set');
  if (!isRecord(stored)) return;
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.');
    if (!Object.hasOwn(stored, name)) continue;
    if (!Object.hasOwn(value, name)) put(value, name, copyOf(stored[name]));
    else if (rest.length > 0) keepInside(value[name], stored[name], [rest.join('.')]);
  }
}

/** What is no name in a path of the database: nothing, and its operators for elements of lists. */
const NO_NAME = /^(\$(\[.*\])?)?$/;

function checkPath(path: string, changes: StoredRecord): void {
  const names = path.split('.');
  if (names.some((name) => NO_NAME.test(name))) throw refused(path, 'it is no path of properties');
  for (let length = 1; length < names.length; length++) {
    const around = names.slice(0, length).join('.');
    if (Object.hasOwn(changes, around)) throw refused(path, `the patch sets '${around}' too`);
  }
}

function refused(path: string, why: string): BadRequest {
  return new BadRequest(`'${path.slice(0, 100)}' can not be set: ${why.slice(0, 100)}`);
}

function setPath(record: StoredRecord, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let inside: unknown = record;
  for (const name of names) {
    const next = step(inside, name);
    if (next !== undefined) inside = next;
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
  if (!Array.isArray(target) || place === undefined || place > target.length) throw refused(path, `what is there has no '${name}'`);
  target[place] = value;
}
