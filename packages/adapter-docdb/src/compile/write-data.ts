import { BadRequest } from '@framework/errors';
import { isPlainObject, isRecord } from '@framework/query';
import { ObjectId, type Document } from 'mongodb';
import type { ResolvedOptions } from '../docdb-types.ts';
import type { Call } from '../operations/call.ts';
import { withObjectIds } from '../object-id/convert-data.ts';
import { toObjectId } from '../object-id/object-id.ts';
import { hasObjectIds } from './criteria.ts';
import { refuseDisguised } from './disguised.ts';
import { checkNewId } from './document-id.ts';
import { keeping } from './keep.ts';
import { newVersion } from './version.ts';

/**
 * Checks data from outside: no `$` operators at any depth except those that the service allows, no names that would
 * reach a prototype, no list of stages.
 *
 * @throws BadRequest (400)
 * @see security S6, S8
 */
export function checkData(data: unknown, { options, params, declared }: Pick<Call, 'options' | 'params' | 'declared'>): void {
  const allowed = params.provider === undefined ? undefined : [...(options.updateOperators ?? []), ...(declared.updateOperators ?? [])];
  for (const record of Array.isArray(data) ? (data as unknown[]) : [data]) checkRecord(record, allowed);
}

/** @param allowed update operators that the caller may send; `undefined` for calls on the server, which may send anything that can be stored */
function checkRecord(data: unknown, allowed: readonly string[] | undefined): void {
  if (!isData(data)) throw new BadRequest('The data must be an object');
  // What a hook has put into a caller's data is of the server.
  refuseDisguised(data);
  if (!allowed) return;
  for (const name of Object.keys(data)) {
    if (!name.startsWith('$')) checkNames({ [name]: data[name] }, 0);
    else if (!allowed.includes(name)) throw notAllowed(name, ". List it in the service's 'updateOperators' option to allow it");
    else checkOperands(operandsOf(name, data[name]));
  }
}

/** Plain data, and instances of classes, which are stored as their own properties: no list, no map, and no value of the database. */
function isData(value: unknown): value is Record<string, unknown> {
  return isPlainObject(value) || (isRecord(value) && Object.prototype.toString.call(value) === '[object Object]');
}

/** @throws BadRequest (400) for an operator with anything but an object of paths */
function operandsOf(operator: string, operands: unknown): Record<string, unknown> {
  if (isPlainObject(operands)) return operands;
  throw new BadRequest(`${operator} takes an object`);
}

/** Below an update operator the first level are paths; modifiers such as `$each` belong to it. */
function checkOperands(operands: Record<string, unknown>): void {
  for (const [path, operand] of Object.entries(operands)) {
    if (path.startsWith('$') || RESERVED.test(path)) throw notAllowed(path);
    const modifiers = isPlainObject(operand) && Array.isArray(operand.$each) ? Object.values(operand) : [operand];
    checkNames(modifiers, 0);
  }
}

/** Names, also within paths, that lead to what all objects have in common, and the one by which the driver knows values of its own. */
const RESERVED = /(?:^|\.)(?:__proto__|constructor|prototype|_bsontype)(?:\.|$)|\0/;

function checkNames(value: unknown, depth: number): void {
  if (depth > 100) throw new BadRequest('The data is nested too deeply');
  if (Array.isArray(value)) for (const entry of value) checkNames(entry, depth + 1);
  if (!isData(value)) return;
  for (const name of Object.keys(value)) {
    // Within a path they are operators too: `list.$[]` is every element.
    if (/(?:^|\.)\$/.test(name) || RESERVED.test(name)) throw notAllowed(name);
    checkNames(value[name], depth + 1);
  }
}

function notAllowed(name: string, cure = ''): BadRequest {
  return new BadRequest(`'${name.slice(0, 50)}' is not allowed in the data${cure}`);
}

/**
 * Checks what new records are called: an operator would be stored as a property, and applied by whoever writes the record back.
 *
 * @param data was checked
 * @throws BadRequest (400)
 */
export function checkNewNames(data: unknown): void {
  for (const record of [data].flat() as Document[]) {
    const operator = Object.keys(record).find((name) => name.startsWith('$'));
    if (operator !== undefined) throw notAllowed(operator, ': update operators are for update and patch');
  }
}

/**
 * Checks the ids of new records: by an id that no call takes nobody could read, change or remove its record.
 *
 * @throws BadRequest (400) for what {@link checkNewId} refuses
 */
export function checkNewIds(data: unknown, { options, params }: Pick<Call, 'options' | 'params'>): void {
  for (const record of [data].flat() as Document[]) {
    const id: unknown = record[options.id];
    if (id !== undefined && id !== null) checkNewId(id, params.provider !== undefined);
  }
}

/** Makes the id of a record that has none of its own. */
export function newId(options: ResolvedOptions): unknown {
  return hasObjectIds(options) ? new ObjectId() : new ObjectId().toHexString();
}

/** The document to insert: with an id of the right type, which comes first as the database keeps it, without undefined properties. */
export function insertDocument(data: Document, options: ResolvedOptions, createId: () => unknown): Document {
  const { _id, ...rest }: Record<string, unknown> = { ...defined(withObjectIds(data, options)), ...newVersion(options) };
  const { id } = options;
  if (id !== '_id') return { _id: _id ?? new ObjectId(), ...rest, [id]: rest[id] ?? createId() };
  if (_id === undefined || _id === null) return { _id: createId(), ...rest };
  return { _id: options.disableObjectify === true ? _id : toObjectId(_id), ...rest };
}

/** @returns a copy */
function defined(data: Document): Document {
  // In one piece, which is fast; most data have nothing to leave out.
  const copy = { ...data };
  const isDefined = (name: string): boolean => copy[name] !== undefined;
  return Object.keys(copy).every(isDefined) ? copy : Object.fromEntries(Object.entries(copy).filter(([name]) => isDefined(name)));
}

/** What an update or patch does to a record. */
export type UpdateDocument =
  { readonly kind: 'replace'; readonly document: Document } | { readonly kind: 'operators'; readonly update: Document };

/**
 * The change of an `update`: data whose keys are all operators is applied, any other replaces the record.
 *
 * @throws BadRequest (400) for operators beside properties
 * @see decisions: update operators
 */
export function compileUpdate(data: Document, options: ResolvedOptions): UpdateDocument {
  const names = Object.keys(data);
  const written = withObjectIds(data, options);
  const operators = names.filter((name) => name.startsWith('$'));
  if (operators.length === 0) return { kind: 'replace', document: { ...defined(withoutFixed(written, options)), ...newVersion(options) } };
  if (operators.length < names.length) throw new BadRequest("An update has operators or properties, not both. Use 'patch' to combine them");
  return { kind: 'operators', update: setVersion(withoutFixedInOperators(written, options), options) };
}

/**
 * The change of a `patch`: properties are set, operators are applied.
 *
 * @param kept dotted paths of the stored record that are left as they are where a property around them is set
 * @throws BadRequest (400) for operators beside a property with something to keep in it
 * @see decisions: update operators
 */
export function compilePatch(data: Document, options: ResolvedOptions, kept: readonly string[] = []): Document | Document[] {
  // A property of any name is set, also one that would be the prototype of an object.
  const set = new Map<string, unknown>();
  const update: Document = {};
  for (const [name, value] of Object.entries(withoutFixedPaths(withObjectIds(data, options), options)) as [string, unknown][]) {
    if (value === undefined) continue;
    if (name === '$set')
      for (const [path, part] of Object.entries(withoutFixedPaths(operandsOf(name, value), options))) set.set(path, part);
    else if (!name.startsWith('$')) set.set(name, value);
    else if (!options.disabledOperators.includes(name)) update[name] = value;
  }
  const change: Document = { ...Object.fromEntries(set), ...newVersion(options) };
  const around = [...set.keys()].filter((name) => kept.some((path) => path.startsWith(`${name}.`)));
  if (around.length === 0) return { ...withoutFixedInOperators(update, options), $set: change };
  if (Object.keys(update).length > 0 || [...set.keys()].some((name) => name.includes('.')))
    throw new BadRequest(`'${around.join(', ')}' can not be changed together with operators or paths: send two patches`);
  // What is kept is read by the command that writes.
  return [{ $set: Object.fromEntries(Object.entries(change).map(([name, value]) => [name, keeping(value, name, kept)])) }];
}

/** Ids never change, and versions are the service's own. */
function withoutFixed(data: Document, { id, version = id }: ResolvedOptions): Document {
  const { _id, [id]: _own, [version]: _version, ...rest } = data;
  return rest;
}

/**
 * The same of names that are paths: in an id of its own parts are not set either, and a record that is made would have an object for an id.
 *
 * @throws BadRequest (400)
 */
function withoutFixedPaths(data: Document, options: ResolvedOptions): Document {
  const fixed = fixedNames(options);
  const inside = Object.keys(data).find((path) => fixed.some((name) => path.startsWith(`${name}.`)));
  if (inside !== undefined) throw notSet(`'${inside.slice(0, 50)}' can not be set`);
  return withoutFixed(data, options);
}

function fixedNames({ id, version = id }: ResolvedOptions): readonly string[] {
  return ['_id', id, version];
}

function notSet(what: string): BadRequest {
  return new BadRequest(`${what}: ids never change, and versions are the service's own`);
}

/** @throws BadRequest (400) for what would become an id or a version */
function withoutFixedInOperators(update: Document, options: ResolvedOptions): Document {
  const fixed = fixedNames(options);
  for (const target of Object.values((update.$rename ?? {}) as Document)) {
    if (fixed.some((name) => target === name || String(target).startsWith(`${name}.`)))
      throw notSet(`Nothing can be renamed to '${String(target)}'`);
  }
  return Object.fromEntries(
    Object.entries(update).map(([operator, fields]) => [operator, isPlainObject(fields) ? withoutFixedPaths(fields, options) : fields]),
  );
}

function setVersion(update: Document, options: ResolvedOptions): Document {
  if (options.version === undefined) return update;
  return { ...update, $set: { ...(update.$set as Document | undefined), ...newVersion(options) } };
}
