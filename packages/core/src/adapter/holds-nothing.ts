/** What is stored as what it is. */
const STORED = /^\[object (Array|Map|Date|RegExp)]$/;

/** What would be stored as its properties alone, if it has any. */
const LOST = /^\[object (Set|Promise)]$/;

/**
 * Tells values that hold something of which nothing would be stored, since it is no property of theirs: sets, promises, errors, addresses, iterators, bytes
 * without a view, and instances of classes that have only a `toJSON`.
 *
 * @param value of the data of a write
 */
export function holdsNothing(value: object): boolean {
  // By their names: each realm has classes of its own.
  const kind = Object.prototype.toString.call(value);
  if (value instanceof Set || value instanceof Promise || LOST.test(kind)) return true;
  if (Object.keys(value).length > 0 || ArrayBuffer.isView(value) || '_bsontype' in value || 'toBSON' in value) return false;
  // An instance of a class without properties is stored as what it is.
  return kind === '[object Object]' ? 'toJSON' in value : !STORED.test(kind);
}
