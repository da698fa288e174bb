import { functionOf, isFunction, type AnyFunction } from '../is-function.ts';

/** Where `@feathersjs/hooks` keeps what it knows of a function, a class or an object. */
const HOOKS: unique symbol = Symbol.for('@feathersjs/hooks');

/** A service method as its author wrote it, and the middleware that `@feathersjs/hooks` has put around it. */
export interface DecoratedMethod {
  readonly original: AnyFunction;
  readonly middleware: readonly AnyFunction[];
}

/**
 * Middleware that `hooks(Class.prototype, [...])`, or the decorator of a class, has put around all methods.
 *
 * @param service the user's object
 * @throws Error for what can not be honoured
 */
export function classMiddleware(service: object, path: string): readonly AnyFunction[] {
  return middlewareOf(service, `the class of service '${path}'`);
}

/**
 * Takes the middleware of `@feathersjs/hooks` off a method, so that it runs among the hooks of the service, with their context.
 *
 * @param method the method as it was found on the user's object
 * @throws Error for what can not be honoured
 */
export function decoratedMethod(method: AnyFunction, path: string, name: string): DecoratedMethod {
  if (!(HOOKS in method)) return { original: method, middleware: [] };
  const original = functionOf(method, 'original');
  const middleware = middlewareOf(method, `'${name}' of service '${path}'`);
  if (!original)
    throw new Error(`The hooks of @feathersjs/hooks on '${name}' of service '${path}' can not run: the method under them is unknown`);
  return { original, middleware };
}

function middlewareOf(target: object, where: string): readonly AnyFunction[] {
  const manager: unknown = Reflect.get(target, HOOKS);
  if (typeof manager !== 'object' || manager === null) return [];
  const ask = (name: string, ...args: unknown[]): unknown => {
    const read = functionOf(manager, name);
    if (read) return Reflect.apply(read, manager, args);
    throw new Error(`The hooks of @feathersjs/hooks on ${where} can not run: they were made by a version that is not known`);
  };
  const props: unknown = ask('getProps');
  const own = typeof props === 'object' && props !== null ? Object.keys(props).filter((prop) => prop !== 'method') : [];
  if (ask('getParams') !== null || own.length > 0 || Reflect.get(manager, '_defaults') !== undefined) {
    throw new Error(
      `The hooks of @feathersjs/hooks on ${where} set params, props or defaults, which the context of a service method has already. Leave them out`,
    );
  }
  const middleware: unknown = ask('getMiddleware') ?? [];
  if (!Array.isArray(middleware) || !middleware.every(isFunction)) {
    throw new Error(`The hooks of @feathersjs/hooks on ${where} can not run: their middleware is no list of functions`);
  }
  return middleware;
}
