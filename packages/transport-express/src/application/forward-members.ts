import { EventEmitter } from 'node:events';
import { Application as CoreApplication } from '@framework/core';
import { CORE_MEMBERS, type CoreMember } from './core-members.ts';

/**
 * Gives an Express application the members of a core application. Methods run on the core, which keeps private state, and give back the
 * Express application where they would give back the core.
 *
 * @param app the core application, also one of a class that extends it: its methods come along
 * @param wrapped the Express application; what it has stays
 */
export function forwardMembers(app: CoreApplication, wrapped: object): void {
  const members = CORE_MEMBERS satisfies Readonly<Record<CoreMember, 'value' | 'method' | 'own'>>;
  for (const [name, kind] of [...Object.entries(members), ...membersOfSubclasses(app)]) {
    if (kind === 'own' || Object.hasOwn(wrapped, name)) continue;
    const value: unknown = Reflect.get(app, name);
    const member = kind === 'method' && typeof value === 'function' ? forwarded(value, app, wrapped) : value;
    Object.defineProperty(wrapped, name, { value: member, writable: true, configurable: true, enumerable: true });
  }
}

function forwarded(method: object, app: object, wrapped: object): (...args: unknown[]) => unknown {
  const outer = (value: unknown): unknown => (value === app ? wrapped : value);
  return (...args) => {
    const result: unknown = Reflect.apply(method as () => unknown, app, args);
    return result instanceof Promise ? result.then(outer) : outer(result);
  };
}

/** What classes between the application and the core's own class declare. */
function membersOfSubclasses(app: object): [string, 'method'][] {
  const names: [string, 'method'][] = [];
  for (let proto = prototypeOf(app); proto && proto !== CoreApplication.prototype; proto = prototypeOf(proto)) {
    for (const name of Object.getOwnPropertyNames(proto)) {
      if (name !== 'constructor' && !(name in CORE_MEMBERS) && !(name in EventEmitter.prototype)) names.push([name, 'method']);
    }
  }
  return names;
}

function prototypeOf(object: object): object | null {
  return Reflect.getPrototypeOf(object);
}
