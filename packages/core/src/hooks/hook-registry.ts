import { likelyMeant } from '../check-option-names.ts';
import { isFunction, type AnyFunction } from '../is-function.ts';
import { CORE } from '../package-copy.ts';
import { defaultServiceMethods } from '../service/method-arguments.ts';
import type { HookType } from './hook-types.ts';

const HOOKED: readonly string[] = ['all', ...defaultServiceMethods];

const TYPES: readonly string[] = ['around', 'before', 'after', 'error'] satisfies HookType[];

/**
 * The hooks that were registered on one application or service. They only accumulate; `version` rises with each
 * registration so that compiled chains know when they are out of date.
 */
export class HookRegistry {
  /** Rises with each registration. */
  version = 0;
  readonly #hooks: Record<HookType, Map<string, AnyFunction[]>> = {
    around: new Map(),
    before: new Map(),
    after: new Map(),
    error: new Map(),
  };
  /** Around hooks that stand between the application's hooks and the service's typed ones (reference 1.5). */
  readonly #middleware = new Map<string, AnyFunction[]>();

  /**
   * @param map any of the shapes of reference 1.5
   * @param isMethod tells whether hooks can be registered for a method name
   * @param untyped where a map without hook types goes: before the typed around hooks, or among them
   * @param accept sees the hooks before they are registered; what it throws refuses them. Default: all are taken
   * @throws Error for an unknown hook type, a method without hooks, a hook that is not a function, or one of another copy of this package
   */
  add(
    map: unknown,
    isMethod: (name: string) => boolean,
    untyped: 'middleware' | 'around',
    accept?: (hooks: readonly AnyFunction[]) => void,
  ): void {
    if (map === undefined || map === null) throw new TypeError(`hooks() needs hooks by type and method, and got ${String(map)}`);
    const collected: [Map<string, AnyFunction[]>, string, AnyFunction[]][] = [];
    if (isTyped(map)) {
      for (const [type, value] of Object.entries(map)) {
        if (!isHookType(type)) throw noHookType(type);
        for (const [method, hooks] of byMethod(value, isMethod)) collected.push([this.#hooks[type], method, hooks]);
      }
    } else {
      const target = untyped === 'middleware' ? this.#middleware : this.#hooks.around;
      for (const [method, hooks] of byMethod(map, isMethod)) collected.push([target, method, hooks]);
    }
    accept?.(collected.flatMap(([, , hooks]) => hooks));
    for (const [target, method, hooks] of collected) target.set(method, [...(target.get(method) ?? []), ...hooks]);
    this.version += 1;
  }

  /** @returns the hooks of a type for a method, or those for all methods (`all`) */
  list(type: HookType, method: string): readonly AnyFunction[] {
    return this.#hooks[type].get(method) ?? [];
  }

  /** @returns the untyped around hooks for a method, or those for all methods */
  middleware(method: string): AnyFunction[] {
    return this.#middleware.get(method) ?? [];
  }

  /** @returns names of the methods that have hooks of their own */
  methodNames(): string[] {
    const names = new Set([...Object.values(this.#hooks), this.#middleware].flatMap((hooks) => [...hooks.keys()]));
    names.delete('all');
    return [...names];
  }
}

function noHookType(name: string): Error {
  if (name === 'setup' || name === 'teardown')
    return new Error(
      `Hooks of '${name}' are those of an application, in a call of their own beside other hooks: app.hooks({ ${name}: [ … ] })`,
    );
  return new Error(`'${name}' is not a valid hook type: use around, before, after or error`);
}

function isHookType(name: string): name is HookType {
  return TYPES.includes(name);
}

function isTyped(map: unknown): map is Record<string, unknown> {
  return typeof map === 'object' && map !== null && !Array.isArray(map) && TYPES.some((type) => Object.hasOwn(map, type));
}

function byMethod(value: unknown, isMethod: (name: string) => boolean): [string, AnyFunction[]][] {
  if (value === undefined || value === null) return [];
  if (isFunction(value) || Array.isArray(value)) return [['all', hookList(value, 'all')]];
  if (typeof value !== 'object') throw new TypeError('Hooks have to be a function, an array of functions or an object of those by method');
  return Object.entries(value).map(([method, hooks]) => {
    if (method !== 'all' && !isMethod(method)) {
      if (typeof hooks === 'object' && hooks !== null && !Array.isArray(hooks)) throw noHookType(method);
      throw new Error(
        `Method ${method} is not a hooks enabled service method.${likelyMeant(method, HOOKED)} One of the service's own is named by the option 'methods' of app.use`,
      );
    }
    return [method, hookList(hooks, method)];
  });
}

function hookList(value: unknown, method: string): AnyFunction[] {
  const hooks: unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return hooks.map((hook) => {
    if (!isFunction(hook)) throw new TypeError(`A hook for '${method}' is not a function but ${typeof hook}`);
    CORE.refuseOthers(hook, hook.name === '' ? `a hook or schema for '${method}'` : `the hook '${hook.name}' for '${method}'`);
    return hook;
  });
}
