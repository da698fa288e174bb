/**
 * Tells whether a class of an object's prototype chain uses private members (`#name`, or their compiled form). Such
 * members are bound to the object that the constructor made, so its methods can not run on an object derived from it.
 *
 * @param service the user's object
 */
export function hasPrivateMembers(service: object): boolean {
  for (let proto: unknown = Object.getPrototypeOf(service); isObject(proto) && proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
    const { constructor } = proto as { constructor?: unknown };
    if (typeof constructor !== 'function') continue;
    if (PRIVATE.test(Function.prototype.toString.call(constructor))) return true;
  }
  return false;
}

const PRIVATE = /\bthis\.#[\w$]|#[\w$]+ in |__classPrivateField/;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
