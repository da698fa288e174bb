/** What is stored as what it is. */
const STORED = /^\[object (Array|Map|Date|RegExp)]$/;

/** What would be stored as its properties alone, if it has any. */
const LOST = /^\[object (Set|Promise)]$/;

/**
 * Tells values that hold something of which nothing would be stored, since it is no property of theirs: sets, promises, errors, addresses, iterators, bytes
 * without a view, and instances of classes that have only a `toJSON`, or one that gives no object, as those of dayjs and decimal.js: their properties are their
 * insides.
 *
 * @param value of the data of a write
 */
export function holdsNothing(value: object): boolean {
  // By their names: each realm has classes of its own.
  const kind = Object.prototype.toString.call(value);
  if (value instanceof Set || value instanceof Promise || LOST.test(kind)) return true;
  if (ArrayBuffer.isView(value) || '_bsontype' in value || 'toBSON' in value) return false;
  if (Object.keys(value).length > 0) return !STORED.test(kind) && isOneValue(value);
  // An instance of a class without properties is stored as what it is.
  return kind === '[object Object]' ? 'toJSON' in value : !STORED.test(kind);
}

/** @returns whether a class makes a text or a number of its instance wherever JSON is made of it */
function isOneValue(value: object): boolean {
  if (!('toJSON' in value) || typeof value.toJSON !== 'function' || Object.hasOwn(value, 'toJSON')) return false;
  try {
    const made: unknown = Reflect.apply(value.toJSON, value, []);
    return typeof made !== 'object' || made === null;
  } catch {
    return false;
  }
}
