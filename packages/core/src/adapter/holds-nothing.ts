/** What is stored as what it is. */
const STORED = /^\[object (Array|Map|Date|RegExp)]$/;

/**
 * Tells values that hold something of which nothing would be stored, since it is no property of theirs: sets, promises, errors, addresses, iterators, bytes
 * without a view, and instances of classes that have only a `toJSON`.
 *
 * @param value of the data of a write
 */
export function holdsNothing(value: object): boolean {
  if (value instanceof Set || value instanceof Promise) return true;
  if (Object.keys(value).length > 0 || ArrayBuffer.isView(value) || '_bsontype' in value || 'toBSON' in value) return false;
  const kind = Object.prototype.toString.call(value);
  // An instance of a class without properties is stored as what it is.
  return kind === '[object Object]' ? 'toJSON' in value : !STORED.test(kind);
}
