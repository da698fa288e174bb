import { argumentNames } from '../service/method-arguments.ts';
import { CallContext, type HookPlace } from './call-context.ts';

/** Makes a context for one call. */
export type CallContextClass = new (self: object, args: unknown[]) => CallContext;

/**
 * Makes the context class of one service method. What its calls share is enumerable on the prototype, so that `toJSON` and spreading behave
 * as expected.
 *
 * @param home where the service is registered
 */
export function contextClass(home: HookPlace, service: object, method: string): CallContextClass {
  class Context extends CallContext {}
  const shared: Record<string, PropertyDescriptor & ThisType<CallContext>> = {
    app: placeAccessor('app', home, ({ host }) => host.facade),
    path: placeAccessor('path', home, ({ path }) => path),
    service: { value: service, writable: true },
    method: { value: method, writable: true },
  };
  for (const [name, descriptor] of Object.entries(shared)) {
    Object.defineProperty(Context.prototype, name, { ...descriptor, enumerable: true, configurable: true });
  }
  const names = argumentNames(method);
  for (const name of ['id', 'data', 'params']) {
    const index = names.indexOf(name);
    if (index >= 0) Object.defineProperty(Context.prototype, name, argumentAccessor(index));
    else Object.defineProperty(Context.prototype, name, { value: undefined, writable: true, configurable: true });
  }
  return Context;
}

/** What depends on whose hooks run. A hook may set it for itself, as any other property. */
function placeAccessor(name: string, home: HookPlace, read: (place: HookPlace) => unknown): PropertyDescriptor & ThisType<CallContext> {
  return {
    get(): unknown {
      return read(CallContext.placeOf(this) ?? home);
    },
    set(value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
  };
}

function argumentAccessor(index: number): PropertyDescriptor & ThisType<CallContext> {
  return {
    get(): unknown {
      return this.arguments[index];
    },
    set(value: unknown) {
      this.arguments[index] = value;
    },
    enumerable: true,
    configurable: true,
  };
}
