import { defaultServiceMethods, isApplication } from '@framework/core';

/** Names that tell a service from other objects. */
const SERVICE_MEMBERS: readonly string[] = [...defaultServiceMethods, 'setup', 'teardown'];

/** Built-in classes that have methods with names of service methods, for example `get` of a Map and `find` of a Buffer. */
const BUILT_IN: readonly { readonly prototype: object }[] = [
  Map,
  WeakMap,
  URLSearchParams,
  Headers,
  FormData,
  Object.getPrototypeOf(Uint8Array) as { readonly prototype: object },
];

/**
 * Tells whether a value is meant as a service or an application: any object that is no list, except Express's own (functions, and what
 * has a `handle`), and except built-in objects, whose methods have other meanings.
 *
 * @param value an argument of `app.use`
 */
export function isServiceArgument(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (isApplication(value)) return true;
  if (typeof Reflect.get(value, 'handle') === 'function') return false;
  return Object.prototype.toString.call(value) === '[object Object]' || hasServiceMethods(value);
}

/**
 * Tells whether an object has a service method of its own, and not one of a built-in class.
 *
 * @param value any object
 */
export function hasServiceMethods(value: object): boolean {
  return SERVICE_MEMBERS.some((name) => {
    const method: unknown = Reflect.get(value, name);
    return typeof method === 'function' && !BUILT_IN.some(({ prototype }) => Reflect.get(prototype, name) === method);
  });
}

/**
 * Tells whether a function is a class, which neither is a service nor can be called as middleware.
 *
 * @param value an argument of `app.use`
 */
export function isClass(value: unknown): value is { readonly name: string } {
  if (typeof value !== 'function') return false;
  if (/^class\b/.test(Function.prototype.toString.call(value))) return true;
  const prototype: unknown = value.prototype;
  return typeof prototype === 'object' && prototype !== null && hasServiceMethods(prototype);
}
