import type { AnyFunction } from '../is-function.ts';
import type { HookPlace } from './call-context.ts';
import { aroundLevel, compose, methodCall, placedLevel, regularLevel, type Level, type Run } from './compose.ts';
import type { HookRegistry } from './hook-registry.ts';
import type { HookType } from './hook-types.ts';

/** The hooks of one application that has the service. */
export interface ApplicationHooks {
  readonly hooks: HookRegistry;
  /** Set where the application is not the one that the service was registered on first. */
  readonly place?: HookPlace;
}

/** Where the hooks of a method come from. */
export interface ChainSources {
  /** Outermost first. */
  readonly applications: readonly ApplicationHooks[];
  /** Hooks that users add to the service. */
  readonly service: HookRegistry;
  /** Hooks that came with the registration and run next to the method. */
  readonly inner: HookRegistry;
  /** Middleware of `@feathersjs/hooks` on the service's class or object. */
  readonly classMiddleware: readonly AnyFunction[];
  /** Middleware of `@feathersjs/hooks` on the method. */
  readonly methodMiddleware: readonly AnyFunction[];
}

/**
 * Collects the hooks of one method into one function.
 *
 * Order (reference 1.5): application around, application before, untyped service hooks, service around, service before,
 * method, service after, …, application after; errors go to the service's error hooks first. The hooks of an application that another
 * one is mounted in run around all hooks of that one.
 *
 * @param method the service method itself
 * @returns runs hooks and method; afterwards `context.result` is set, or the promise rejects. `undefined` when there are no hooks
 */
export function methodChain(sources: ChainSources, name: string, method: AnyFunction): Run | undefined {
  const { applications, service, inner, classMiddleware, methodMiddleware } = sources;
  const levels = [
    ...applications.flatMap(({ hooks, place }) => applicationLevels(hooks, name, place)),
    ...around(classMiddleware),
    ...around(service.middleware('all')),
    ...around(methodMiddleware),
    ...around(service.middleware(name)),
    ...registryLevels(service, name),
    ...around(inner.middleware('all')),
    ...around(inner.middleware(name)),
    ...registryLevels(inner, name),
  ];
  return levels.length === 0 ? undefined : compose(levels, methodCall(method));
}

function applicationLevels(hooks: HookRegistry, name: string, place: HookPlace | undefined): Level[] {
  const levels = registryLevels(hooks, name);
  return place === undefined || levels.length === 0 ? levels : [placedLevel(place, levels)];
}

function registryLevels(hooks: HookRegistry, name: string): Level[] {
  const both = (type: HookType): AnyFunction[] => [...hooks.list(type, 'all'), ...hooks.list(type, name)];
  return [...around(both('around')), ...regularLevels(hooks, name, both)];
}

/**
 * The error hooks for all methods stand around everything else, and so get what those of the method leave. Those of the method stand within
 * the before hooks for all methods.
 */
function regularLevels(hooks: HookRegistry, name: string, both: (type: HookType) => AnyFunction[]): Level[] {
  const [error, last] = [hooks.list('error', name), hooks.list('error', 'all')];
  const after = both('after');
  const levels =
    error.length === 0
      ? [regularLevel({ before: both('before'), after, error: last })]
      : [
          regularLevel({ before: hooks.list('before', 'all'), after: [], error: last }),
          regularLevel({ before: hooks.list('before', name), after, error }),
        ];
  return levels.filter((level) => level !== undefined);
}

function around(hooks: readonly AnyFunction[]): Level[] {
  return hooks.map(aroundLevel);
}
