/** An object id of a document database. */
export interface ObjectIdLike {
  /** @returns its text of 24 hexadecimal digits */
  toHexString(): string;
}

/** @returns whether a value is an object id, of whatever copy of the library that makes them */
export function isObjectId(value: unknown): value is ObjectIdLike {
  return typeof value === 'object' && value !== null && typeof (value as Partial<ObjectIdLike>).toHexString === 'function';
}
