import { isObjectId as isObjectIdLike } from '@framework/query';
import { ObjectId } from 'mongodb';

const HEX = /^[0-9a-f]{24}$/i;

/**
 * Converts a text of 24 hexadecimal digits to an object id. Anything else stays as it is: a text of 12 characters is
 * never taken for one.
 *
 * @param value an id of any kind
 */
export function toObjectId(value: unknown): unknown {
  return typeof value === 'string' && HEX.test(value) ? new ObjectId(value) : value;
}

/** @returns whether a value is an object id, also of another copy of the `bson` package */
export function isObjectId(value: unknown): value is ObjectId {
  return isObjectIdLike(value);
}
