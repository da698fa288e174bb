import { types } from 'node:util';
import { BadRequest } from '@framework/errors';
import { checkPattern, isPlainObject, type ParsedQuery } from '@framework/query';
import { BSONRegExp, type Document } from 'mongodb';
import type { AdapterId, ResolvedOptions } from '../docdb-types.ts';
import { converted, pathWithin } from '../object-id/convert-data.ts';
import { ownObjectId, toObjectId } from '../object-id/object-id.ts';
import { refuseDisguised, refuseTooLarge } from './disguised.ts';

/** A filter that was made from a checked query; no other reaches the driver (security S4). */
export type CompiledFilter = Document & { readonly __compiled?: never };

/**
 * Makes the database filter of a checked query: texts of object ids are converted, a full-text search takes its place.
 *
 * @param query the checked query
 * @param external whether the call came from outside
 */
export function compileCriteria(query: ParsedQuery, options: ResolvedOptions, external: boolean): CompiledFilter {
  const objectIds = objectIdNames(options);
  const filter = convertCriteria(query.criteria, objectIds, external);
  for (const [name, value] of Object.entries(query.extra)) {
    if (name === '$after' || name === '$before') continue;
    if (name === '$search') {
      filter.$text = { $search: searchText(value) };
      continue;
    }
    refuseDisguised(value, 'query');
    filter[name] = value;
  }
  return filter;
}

/** @throws BadRequest (400) for what is no text */
function searchText(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new BadRequest('Invalid value for $search: expected text', { parameter: '$search' });
}

/**
 * The filter of a call for one record: its id and the caller's conditions, both of which must hold.
 *
 * @param id the record's id
 */
export function withId(filter: CompiledFilter, id: AdapterId, options: ResolvedOptions): CompiledFilter {
  const own = { [options.id]: recordId(id, options) };
  return options.id in filter ? { $and: [filter, own] } : { ...filter, ...own };
}

/** @returns the id as the database has it */
export function recordId(id: unknown, options: ResolvedOptions): unknown {
  return hasObjectIds(options) ? toObjectId(id) : ownObjectId(id);
}

/** @returns whether the ids of records are object ids where they can be */
export function hasObjectIds(options: ResolvedOptions): boolean {
  return objectIdNames(options).has(options.id);
}

function objectIdNames(options: ResolvedOptions): ReadonlySet<string> {
  if (options.disableObjectify === true) return NONE;
  return new Set([...(options.objectIds ?? []), '_id']);
}

const NONE: ReadonlySet<string> = new Set();

/** Operators whose operand is compared with what is stored. */
const COMPARING: ReadonlySet<string> = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin']);

/** @param around path of the property that the criteria are of elements of; empty for a whole query */
function convertCriteria(
  criteria: Readonly<Record<string, unknown>>,
  objectIds: ReadonlySet<string>,
  external: boolean,
  around: string = '',
): Document {
  const result: Document = {};
  for (const name of Object.keys(criteria)) {
    const value = criteria[name];
    if (LOGICAL.has(name)) result[name] = convertBranches(value, objectIds, external, around);
    else
      result[name] = convertCondition(around === '' && objectIds.has(name) ? name : pathWithin(around, name), value, objectIds, external);
  }
  return result;
}

const LOGICAL: ReadonlySet<string> = new Set(['$or', '$and', '$nor']);

function convertBranches(branches: unknown, objectIds: ReadonlySet<string>, external: boolean, around: string): Document[] {
  return (branches as Record<string, unknown>[]).map((branch) => convertCriteria(branch, objectIds, external, around));
}

function convertCondition(path: string, value: unknown, objectIds: ReadonlySet<string>, external: boolean): unknown {
  if (!isPlainObject(value)) return comparedWith(value, path, objectIds);
  const result: Document = {};
  for (const key of Object.keys(value)) {
    const operand = value[key];
    if (!key.startsWith('$')) result[key] = convertCondition(pathWithin(path, key), operand, objectIds, external);
    else if (key === '$not' || key === '$elemMatch') result[key] = convertCondition(path, operand, objectIds, external);
    else if (LOGICAL.has(key)) result[key] = convertBranches(operand, objectIds, external, path);
    else if (key === '$all' && Array.isArray(operand))
      result[key] = operand.map((entry) => convertCondition(path, entry, objectIds, external));
    else if (COMPARING.has(key)) result[key] = comparedWith(operand, path, objectIds);
    else result[key] = key === '$regex' ? asPattern(operand) : operand;
  }
  // Code alone makes instances: a caller sends text.
  if ('$regex' in value && external && !types.isRegExp(value.$regex)) checkPattern(value.$regex, value.$options);
  return result;
}

/** @throws BadRequest (400) for a number that no stored one can be compared with */
function comparedWith(value: unknown, path: string, objectIds: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) for (const entry of value) refuseTooLarge(entry, 'compared');
  else refuseTooLarge(value, 'compared');
  const compared = converted(value, path, objectIds);
  return Array.isArray(compared) && compared.some(types.isRegExp) ? compared.map(asPattern) : asPattern(compared);
}

/** Of the flags of a pattern the driver leaves `s` out, and makes it of `g`, which says nothing of what is found. */
function asPattern(value: unknown): unknown {
  if (!types.isRegExp(value) || !/[gs]/.test(value.flags)) return value;
  return new BSONRegExp(value.source, value.flags.replace(/[^ims]/g, ''));
}
