/**
 * Tells whether a class of an object's prototype chain uses private members (`#name`, or their compiled form). Such
 * members are bound to the object that the constructor made, so its methods can not run on an object derived from it.
 *
 * @param service the user's object
 */
export function hasPrivateMembers(service: object): boolean {
  for (
    let proto: unknown = Object.getPrototypeOf(service);
    isObject(proto) && proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto)
  ) {
    const { constructor } = proto as { constructor?: unknown };
    if (typeof constructor !== 'function') continue;
    if (PRIVATE.test(Function.prototype.toString.call(constructor))) return true;
  }
  return false;
}

const PRIVATE = /\bthis\.#[\w$]|#[\w$]+ in |__classPrivateField/;

/**
 * Gives a derived object all methods and accessors of a class with private members, running on the object that the
 * constructor made.
 *
 * @param derived gets the members that it does not have itself
 * @param service the user's object
 */
export function forwardMembers(derived: object, service: object): void {
  for (
    let proto: unknown = Object.getPrototypeOf(service);
    isObject(proto) && proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto)
  ) {
    for (const name of Reflect.ownKeys(proto)) {
      if (name === 'constructor' || Object.hasOwn(derived, name) || Object.hasOwn(service, name)) continue;
      Object.defineProperty(derived, name, forwarded(Object.getOwnPropertyDescriptor(proto, name) ?? {}, service));
    }
  }
}

function forwarded(descriptor: PropertyDescriptor, service: object): PropertyDescriptor {
  const { value, get, set } = descriptor as TypedPropertyDescriptor<unknown>;
  if (get ?? set) {
    return {
      configurable: true,
      ...(get ? { get: (): unknown => get.call(service) } : {}),
      ...(set
        ? {
            set: (next: unknown): void => {
              Reflect.apply(set, service, [next]);
            },
          }
        : {}),
    };
  }
  if (typeof value !== 'function') return { value, writable: true, configurable: true };
  const method = value as (...args: unknown[]) => unknown;
  return { value: (...args: unknown[]) => method.apply(service, args), writable: true, configurable: true };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
