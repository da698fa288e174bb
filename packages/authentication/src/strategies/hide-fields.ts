/**
 * A copy of a record whose named properties can be read but are left out by JSON and by copying.
 *
 * @param record the record; it is not changed
 * @param fields property names
 */
export function hideFields<T>(record: T, fields: readonly string[]): T {
  if (typeof record !== 'object' || record === null || !fields.some((field) => Object.hasOwn(record, field))) return record;
  const copy = Object.assign(Object.create(Object.getPrototypeOf(record) as object | null) as object, record);
  for (const field of fields) {
    if (!Object.hasOwn(copy, field)) continue;
    Object.defineProperty(copy, field, {
      enumerable: false,
      configurable: true,
      writable: true,
      value: (copy as Record<string, unknown>)[field],
    });
  }
  return copy;
}
