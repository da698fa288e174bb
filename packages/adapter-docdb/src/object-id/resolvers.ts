import { BadRequest } from '@framework/errors';
import type { ObjectId } from 'mongodb';
import { isObjectId, toObjectId } from './object-id.ts';

/**
 * Property resolver that converts a text to an object id; may also be called with a value.
 *
 * @param value an object id, 24 hexadecimal digits, or nothing
 * @returns the object id, or `undefined` for nothing
 * @throws BadRequest (400) for anything else
 * @see interface 4.5 (object identifiers)
 */
export async function resolveObjectId(value: unknown): Promise<ObjectId | undefined> {
  return Promise.resolve(convert(value));
}

function convert(value: unknown): ObjectId | undefined {
  if (value === undefined || value === null) return undefined;
  const converted = toObjectId(value);
  if (!isObjectId(converted)) throw new BadRequest('An object id has 24 hexadecimal digits');
  return converted;
}

/**
 * Property resolver for queries: converts the value of an equality, also a list, and those of `$in`, `$nin`, `$ne` and of any other
 * comparison; operators are kept.
 *
 * @param value a condition on an object id
 * @throws BadRequest (400) for values that are no object ids
 */
export async function resolveQueryObjectId(value: unknown): Promise<unknown> {
  if (value === null || Array.isArray(value)) return Promise.resolve(convertOperand('$eq', value));
  if (typeof value !== 'object' || isObjectId(value)) return Promise.resolve(convert(value));
  const entries = Object.entries(value).map(([operator, operand]): [string, unknown] => [operator, convertOperand(operator, operand)]);
  return Promise.resolve(Object.fromEntries(entries));
}

function convertOperand(operator: string, operand: unknown): unknown {
  if (Array.isArray(operand)) return operand.map((entry) => (entry === null ? null : convert(entry)));
  if (operand === null || operator === '$exists') return operand;
  return convert(operand);
}
