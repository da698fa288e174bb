/** How a value of a record is looked into. */
export type ValueKind = 'leaf' | 'list' | 'map' | 'set' | 'json' | 'object';

/**
 * Tells how an object is looked into: lists, maps, sets, what makes its own JSON (documents of a database library), and
 * all others by their own properties. Dates, bytes and values of the database (object ids, decimals) hold no properties of a record.
 */
export function kindOf(value: object): ValueKind {
  if (Array.isArray(value)) return 'list';
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return makesJson(value) ? 'json' : 'object';
  if (value instanceof Map) return 'map';
  if (value instanceof Set) return 'set';
  if (isLeaf(value)) return 'leaf';
  return makesJson(value) ? 'json' : 'object';
}

/** @returns whether a value decides by itself what its JSON is */
export function makesJson(value: object): value is { toJSON(): unknown } {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === 'function';
}

function isLeaf(value: object): boolean {
  for (const kind of [Date, URL, RegExp])
    // One of a class of its own may make JSON of anything.
    if (value instanceof kind) return Reflect.get(value, 'toJSON') === Reflect.get(kind.prototype, 'toJSON');
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return true;
  // Streams of bytes, and what is not there yet.
  if (Symbol.asyncIterator in value || typeof (value as { readonly pipe?: unknown }).pipe === 'function' || value instanceof Promise)
    return true;
  // Values of the bson package say so on their prototype; a property of a record of that name does not count.
  return '_bsontype' in value && !Object.hasOwn(value, '_bsontype');
}
