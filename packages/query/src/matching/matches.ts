import { BadRequest } from '@framework/errors';
import { isDate } from '../built-in.ts';
import { isPlainObject } from '../plain-object.ts';
import { criteriaListOperators, filterNames } from '../operators.ts';
import { compileConditions } from './conditions.ts';
import { isObjectId, plainRecord, type StoredRecord } from './values.ts';

/** Filters of services that are no conditions. */
const FILTERS: ReadonlySet<string> = /* @__PURE__ */ (() => new Set([...filterNames, '$after', '$before', '$populate']))();

/**
 * Tells whether a query finds a record, as services and the document database decide it. Works in browsers too.
 *
 * Filters are not looked at: `matches` does not know which page a record is on. Dates and object ids are compared as what they are; where one side is
 * JSON, as clients have it, both sides are compared in their JSON form.
 *
 * @param query conditions, also `$and`, `$or`, `$nor`, and `$regex` and the like; trusted, since patterns are run as they are
 * @param record the record
 * @throws BadRequest (400) for an operator that there is not, and for an operand that it does not take
 * @see interface 4.6
 */
export function matches(query: Readonly<Record<string, unknown>>, record: object): boolean {
  return matcher(query)(record);
}

/**
 * {@link matches} for one query and many records.
 *
 * @throws BadRequest (400) as {@link matches}
 */
export function matcher(query: Readonly<Record<string, unknown>>): (record: object) => boolean {
  const criteria = Object.fromEntries(Object.entries(query).filter(([name]) => !FILTERS.has(name)));
  const unknown = Object.keys(criteria).find((name) => name.startsWith('$') && !criteriaListOperators.has(name));
  if (unknown !== undefined) throw new BadRequest(`There is no operator ${unknown.slice(0, 100)}`);
  const asGiven = compileConditions(criteria, undefined);
  if (!hasValues(criteria)) return (record) => asGiven(plainRecord(record as StoredRecord));
  const asJson = compileConditions(jsonForm(criteria), undefined);
  return (record) => (hasValues(record) ? asGiven : asJson)(plainRecord(record as StoredRecord));
}

/** @returns whether there are dates or object ids in a value */
function hasValues(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isDate(value) || isObjectId(value) || Object.values(value).some(hasValues);
}

function jsonForm(value: Readonly<Record<string, unknown>>): Record<string, unknown>;
function jsonForm(value: unknown): unknown;
function jsonForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonForm);
  if (typeof value !== 'object' || value === null) return value;
  if (isDate(value)) return value.toJSON();
  if (isObjectId(value)) return value.toHexString();
  return isPlainObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, jsonForm(inner)])) : value;
}
