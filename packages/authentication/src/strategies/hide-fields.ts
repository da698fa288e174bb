/**
 * A copy of a record whose named properties can be read but are left out by JSON and by copying.
 *
 * @param record the record; it is not changed
 * @param fields property names
 */
export function hideFields<T>(record: T, fields: readonly string[]): T {
  if (typeof record !== 'object' || record === null || !fields.some((field) => Object.hasOwn(record, field))) return record;
  const prototype = Object.getPrototypeOf(record) as object | null;
  const copy = prototype === Object.prototype ? { ...record } : Object.assign(Object.create(prototype) as T & object, record);
  for (const field of fields) if (Object.hasOwn(copy, field)) Object.defineProperty(copy, field, { enumerable: false });
  return copy;
}
