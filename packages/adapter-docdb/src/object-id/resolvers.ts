import { convertsConditions } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { isPlainObject } from '@framework/query';
import type { ObjectId } from 'mongodb';
import { isObjectId, toObjectId } from './object-id.ts';

/**
 * Property resolver that converts a text to an object id; may also be called with a value.
 *
 * @param value an object id, 24 hexadecimal digits, `null` or `undefined`
 * @returns the object id; `null` as it is, with which data takes an id away, and `undefined` too
 * @throws BadRequest (400) for anything else
 * @see interface 4.5 (object identifiers)
 */
export async function resolveObjectId(value: unknown): Promise<ObjectId | null | undefined> {
  return Promise.resolve(convert(value));
}

function convert(value: unknown): ObjectId | null | undefined {
  if (value === undefined || value === null) return value;
  const converted = toObjectId(value);
  if (!isObjectId(converted)) throw new BadRequest('An object id has 24 hexadecimal digits');
  return converted;
}

/** Operators that compare with an id, or with several. */
const COMPARING: ReadonlySet<string> = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin']);
/** Operators that hold a condition on an id again. */
const NESTED: ReadonlySet<string> = new Set(['$not', '$elemMatch']);

/**
 * Property resolver for queries: converts the value of an equality, also a list, and those of `$in`, `$nin`, `$ne` and of any other
 * comparison, also within `$not` and `$elemMatch`; other operators are kept. As the resolver of a property it is asked about conditions within `$or`, `$and` and
 * `$nor` too; a function around it is not, unless it has the mark `convertsConditions` of the core.
 *
 * @param value a condition on an object id
 * @throws BadRequest (400) for values that are no object ids
 */
export async function resolveQueryObjectId(value: unknown): Promise<unknown> {
  return Promise.resolve(convertCondition(value));
}
Object.defineProperty(resolveQueryObjectId, convertsConditions, { value: true });

function convertCondition(value: unknown): unknown {
  if (!isPlainObject(value)) return convertValue(value);
  return Object.fromEntries(Object.entries(value).map(([operator, operand]) => [operator, convertOperand(operator, operand)]));
}

function convertOperand(operator: string, operand: unknown): unknown {
  if (NESTED.has(operator) && isPlainObject(operand)) return convertCondition(operand);
  if (operator === '$all' && Array.isArray(operand)) return operand.map(convertCondition);
  return COMPARING.has(operator) || !operator.startsWith('$') ? convertValue(operand) : operand;
}

function convertValue(value: unknown): unknown {
  return Array.isArray(value) ? value.map(convertValue) : convert(value);
}
