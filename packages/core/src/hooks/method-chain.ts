import type { AnyFunction } from '../is-function.ts';
import type { CallContext, HookPlace } from './call-context.ts';
import { aroundLevel, compose, methodCall, placedLevel, regularLevel, type Level, type Run } from './compose.ts';
import { isGuard } from './guard.ts';
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
  /** Hooks that came with the registration and run around all others. */
  readonly outer: HookRegistry;
  /** Outermost first. */
  readonly applications: readonly ApplicationHooks[];
  /** Hooks that users add to the service. */
  readonly service: HookRegistry;
  /** Hooks that came with the registration and run behind the guards: they check and convert what came in. */
  readonly input: HookRegistry;
  /** Hooks that came with the registration and run next to the method. */
  readonly inner: HookRegistry;
  /** Is told of the result before hooks of users have it; `undefined` where nobody asks. */
  readonly given: ((context: CallContext) => void) | undefined;
  /** Middleware of `@feathersjs/hooks` on the service's class or object. */
  readonly classMiddleware: readonly AnyFunction[];
  /** Middleware of `@feathersjs/hooks` on the method. */
  readonly methodMiddleware: readonly AnyFunction[];
}

/**
 * Collects the hooks of one method into one function. This is the order of the stages of a call, outermost first (decisions 0014):
 *
 * 1. what came with the registration and looks at everything that leaves
 * 2. hooks of applications; of one that is mounted in another, inside those of that one
 * 3. around hooks of the service: untyped ones and those of its class, then typed ones
 * 4. guards among its before hooks
 * 5. checks of what came in
 * 6. its other before hooks; its after hooks on the way back
 * 7. resolvers, and whatever else came with the registration and belongs next to the method
 * 8. the method
 *
 * Errors go to the service's error hooks first: to those of the method, and what they leave to those for all methods.
 *
 * @param method the service method itself
 * @returns runs hooks and method; afterwards `context.result` is set, or the promise rejects. `undefined` when there are no hooks
 */
export function methodChain(sources: ChainSources, name: string, method: AnyFunction): Run | undefined {
  const { outer, applications, service, input, inner, given, classMiddleware, methodMiddleware } = sources;
  const ofApplications = applications.flatMap(({ hooks, place }) => applicationLevels(hooks, name, place));
  const hooked = ofApplications.length + classMiddleware.length + methodMiddleware.length + registryLevels(service, name).length > 0;
  const levels = [
    ...registryLevels(outer, name),
    ...ofApplications,
    ...around(classMiddleware),
    ...around(service.middleware('all')),
    ...around(methodMiddleware),
    ...around(service.middleware(name)),
    ...around(both(service, 'around', name)),
    ...regularLevels(service, name, registryLevels(input, name)),
    ...(given && hooked ? [givenLevel(given)] : []),
    ...registryLevels(inner, name),
  ];
  return levels.length === 0 ? undefined : compose(levels, methodCall(method));
}

function givenLevel(given: (context: CallContext) => void): Level {
  return (inside) => async (context) => {
    await inside(context);
    given(context);
  };
}

function applicationLevels(hooks: HookRegistry, name: string, place: HookPlace | undefined): Level[] {
  const levels = registryLevels(hooks, name);
  return place === undefined || levels.length === 0 ? levels : [placedLevel(place, levels)];
}

/** All hooks of one registry. */
function registryLevels(hooks: HookRegistry, name: string): Level[] {
  const untyped = [...hooks.middleware('all'), ...hooks.middleware(name)];
  return [...around(untyped), ...around(both(hooks, 'around', name)), ...regularLevels(hooks, name, [])];
}

/**
 * Before, after and error hooks. Guards stand in front of all others, and the checks of what came in behind them. The error hooks for all methods
 * stand around everything, and so get what those of the method leave. Those of the method stand within the before hooks for all methods.
 *
 * @param input checks of what came in
 */
function regularLevels(hooks: HookRegistry, name: string, input: readonly Level[]): Level[] {
  const [forAll, own] = [hooks.list('before', 'all'), hooks.list('before', name)];
  const guards = [...forAll, ...own].filter(isGuard);
  const [error, last] = [hooks.list('error', name), hooks.list('error', 'all')];
  const after = both(hooks, 'after', name);
  const rest = (list: readonly AnyFunction[]): AnyFunction[] => list.filter((hook) => !isGuard(hook));
  const [first, second] = [rest(forAll), rest(own)];
  const inside =
    error.length === 0
      ? [{ before: [...first, ...second], after, error: [] }]
      : [
          { before: first, after: [], error: [] },
          { before: second, after, error },
        ];
  const [outermost, ...others] = inside;
  // Without anything between them, what stands outside needs no level of its own: each costs a call.
  const parts =
    guards.length + input.length === 0 && outermost
      ? [regularLevel({ ...outermost, error: last }), ...others.map(regularLevel)]
      : [regularLevel({ before: guards, after: [], error: last }), ...input, ...inside.map(regularLevel)];
  return parts.filter((level) => level !== undefined);
}

function both(hooks: HookRegistry, type: HookType, name: string): AnyFunction[] {
  return [...hooks.list(type, 'all'), ...hooks.list(type, name)];
}

function around(hooks: readonly AnyFunction[]): Level[] {
  return hooks.map(aroundLevel);
}
