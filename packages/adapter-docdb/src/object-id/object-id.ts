import { isObjectId as isObjectIdLike } from '@framework/query';
import { ObjectId } from 'mongodb';

const HEX = /^[0-9a-f]{24}$/i;

/** By what the driver tells values of another major version of the `bson` package, which it refuses. */
const VERSION: unique symbol = Symbol.for('@@mdb.bson.version') as never;
const OWN_VERSION: unknown = Reflect.get(ObjectId.prototype, VERSION);

/**
 * Converts a text of 24 hexadecimal digits to an object id. Anything else stays as it is: a text of 12 characters is
 * never taken for one.
 *
 * @param value an id of any kind
 */
export function toObjectId(value: unknown): unknown {
  return typeof value === 'string' && HEX.test(value) ? new ObjectId(value) : ownObjectId(value);
}

/** @returns an object id of another version of the `bson` package as one that the driver takes; any other value itself */
export function ownObjectId(value: unknown): unknown {
  return isObjectIdLike(value) && Reflect.get(value, VERSION) !== OWN_VERSION ? new ObjectId(value.toHexString()) : value;
}

/** @returns whether a value is an object id, also of another copy of the `bson` package */
export function isObjectId(value: unknown): value is ObjectId {
  return isObjectIdLike(value);
}
