/**
 * Tells plain objects from instances: dates, object ids and regular expressions are values and are not looked into.
 *
 * @param value anything
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Reflect.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  // Objects of another realm (a worker, a vm context) have an Object.prototype of their own.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty');
}
