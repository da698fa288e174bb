/** @returns the value at a dotted path of own properties */
export function valueAt(record: unknown, path: string): unknown {
  let value = record;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/**
 * A copy of a record whose property at a dotted path can be read but is left out by JSON and by copying.
 *
 * @param record the record; it is not changed, and may be frozen
 */
export function hidePath<T>(record: T, path: string): T {
  const [head = '', ...rest] = path.split('.');
  if (typeof record !== 'object' || record === null || !Object.hasOwn(record, head)) return record;
  const prototype: unknown = Object.getPrototypeOf(record);
  // The properties of ordinary records are set, which is quicker than defining them: this runs for each authenticated request.
  const isOrdinary = prototype === Object.prototype;
  const copy = (isOrdinary ? {} : Object.create(prototype as object | null)) as Record<PropertyKey, unknown>;
  for (const name of Reflect.ownKeys(record)) {
    const property: TypedPropertyDescriptor<unknown> = Object.getOwnPropertyDescriptor(record, name) ?? {};
    if (name === head) hide(property, Reflect.get(record, name), rest);
    if (isOrdinary && property.enumerable && property.writable && name !== '__proto__') copy[name] = property.value;
    else Object.defineProperty(copy, name, property);
  }
  return copy as T;
}

/** Changes the description of a property so that it hides what is at the path in it. */
function hide(property: TypedPropertyDescriptor<unknown>, value: unknown, path: readonly string[]): void {
  if (path.length === 0) property.enumerable = false;
  else if (property.get) Object.assign(property, { get: () => hidePath(value, path.join('.')) });
  else property.value = hidePath(value, path.join('.'));
}
