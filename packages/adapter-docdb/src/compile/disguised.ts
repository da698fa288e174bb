import { types } from 'node:util';
import { holdsNothing } from '@framework/core/adapter';
import { BadRequest } from '@framework/errors';
import { isPlainObject } from '@framework/query';

/** The property by which the driver knows values of its own. */
const KIND = '_bsontype';

/**
 * Looks for values that the driver would store as something else: sets, errors, addresses and the like as empty objects, also promises that nobody has waited for,
 * dates that are none as 1970-01-01, whole numbers of more than 64 bits as other numbers, lists of numbers by typed arrays as objects, and lists without the
 * functions and symbols in them, at whose places others would stand; and for plain data that it would take for a value of the database,
 * also in calls of the server, whose data may be a caller's: what came as JSON and is handed on, or such a value that was copied property by property.
 *
 * @param within what is looked through, as messages name it
 * @throws BadRequest (400)
 */
export function refuseDisguised(data: unknown, within: 'data' | 'query' = 'data'): void {
  const known = new Set<object>();
  const waiting: unknown[] = [data];
  while (waiting.length > 0) {
    const value = waiting.pop();
    refuseTooLarge(value, 'stored');
    if (typeof value !== 'object' || value === null || types.isUint8Array(value) || known.has(value)) continue;
    known.add(value);
    if (types.isDate(value) && Number.isNaN(value.getTime()))
      throw new BadRequest('A date that is none can not be stored: the database would make 1970-01-01 of it');
    if (types.isTypedArray(value)) throw new BadRequest(`A ${kindOf(value)} can not be stored as one: Array.from() makes a list of it`);
    const inside: readonly unknown[] = types.isMap(value) ? [...value.values()] : Object.values(value);
    const isList = Array.isArray(value);
    // Of lists, and of plain objects with properties, something is stored in any case.
    if (!isList && (inside.length === 0 || !isPlainObject(value))) refuseLost(value);
    if (KIND in value) refusePlain(value, within);
    // Most values are texts and numbers, which nothing is to be said of.
    else
      for (const inner of inside)
        if (typeof inner === 'object' || typeof inner === 'bigint') waiting.push(inner);
        else if (isList) refuseLeftOut(inner);
  }
}

function refusePlain(value: object, within: string): void {
  if (isPlainObject(value))
    throw new BadRequest(
      `'${KIND}' is not allowed in the ${within}: the driver of the database would take the object for a value of its own`,
    );
}

/**
 * The driver takes the last 64 bits of a whole number, whatever is before them.
 *
 * @param done what can not be done with the number, as messages name it
 * @throws BadRequest (400)
 */
export function refuseTooLarge(value: unknown, done: 'stored' | 'compared'): void {
  if (typeof value !== 'bigint' || BigInt.asIntN(64, value) === value) return;
  throw new BadRequest(
    `${String(value).slice(0, 50)} can not be ${done}: whole numbers have 64 bits in the database. A text has any number of digits`,
  );
}

/** @throws BadRequest (400) for an entry of a list that the driver leaves out */
function refuseLeftOut(entry: unknown): void {
  if (typeof entry === 'function' || typeof entry === 'symbol')
    throw new BadRequest(`A ${typeof entry} can not be stored in a list: what is behind it would get its place`);
}

/** @throws BadRequest (400) for what has something in it of which nothing would be stored */
function refuseLost(value: object): void {
  if (types.isMap(value) && [...value.keys()].some((name) => typeof name !== 'string'))
    throw new BadRequest('A Map can be stored where its keys are texts: they become the names of properties');
  if (!holdsNothing(value) && !types.isDataView(value)) return;
  const kind = kindOf(value);
  if (Object.keys(value).length > 0 && 'toJSON' in value)
    throw new BadRequest(
      `An instance of ${value.constructor.name} can not be stored, since its properties are its insides: make a Date, a text, a number or a plain object of it first`,
    );
  const name = kind === 'Object' ? value.constructor.name : kind;
  throw new BadRequest(`A ${name} can not be stored, since nothing of it would be there: a record holds plain data, lists and dates`);
}

function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
