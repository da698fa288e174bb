import type { AnyFunction } from '../is-function.ts';
import type { ServiceMethod } from './service-method.ts';

/** @returns the function that stands on the registered service in place of the user's method */
export function hookedFunction(method: ServiceMethod, original: AnyFunction): object {
  const hooked = function (this: object, ...args: unknown[]): Promise<unknown> {
    return method.call(this, args);
  };
  // Markers that users put on their methods stay visible on the registered service.
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(hooked, symbol, Object.getOwnPropertyDescriptor(original, symbol) ?? {});
  }
  Object.defineProperty(hooked, 'name', { value: method.name, configurable: true });
  return Object.assign(hooked, { createContext: method.createContext.bind(method) });
}
