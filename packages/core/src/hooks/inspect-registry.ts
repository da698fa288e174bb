import type { AnyFunction } from '../is-function.ts';
import { neededBy, type NeededCredentials } from '../description/authenticating.ts';
import { addedBy, type DescribedMethod, type HookDescription } from '../description/describing.ts';
import { isGuard } from './guard.ts';
import type { HookRegistry } from './hook-registry.ts';
import type { HookType } from './hook-types.ts';

/** One hook of a method, as tools see it. */
export interface InspectedHook {
  /** When it runs. */
  readonly type: HookType;
  /** Where it was registered. */
  readonly level: 'application' | 'service';
  /** Name of its function; empty for a function without a name. */
  readonly name: string;
  /** Whether `guard` marked it: it decides whether a call may go on. */
  readonly guard: boolean;
  /** The credentials that it asks calls of the method for; `null` for none, `undefined` for a hook that does not say. */
  readonly credentials: NeededCredentials | null | undefined;
  /** What it says that it adds to the method. */
  readonly description: HookDescription | undefined;
  /** The function, to tell hooks apart; it is not meant to be called. */
  readonly hook: object;
}

const TYPES: readonly HookType[] = ['around', 'before', 'after', 'error'];

/**
 * @param called the method of a service, and its path in the application of the registry
 * @returns the hooks that a registry has for a method, those for all methods among them
 */
export function inspectRegistry(registry: HookRegistry, called: DescribedMethod, level: InspectedHook['level']): InspectedHook[] {
  const of = (type: HookType, hook: AnyFunction): InspectedHook => inspectedHook(type, hook, level, called);
  return ['all', called.method].flatMap((name) => [
    ...registry.middleware(name).map((hook) => of('around', hook)),
    ...TYPES.flatMap((type) => registry.list(type, name).map((hook) => of(type, hook))),
  ]);
}

/** @returns what tools see of a hook */
export function inspectedHook(type: HookType, hook: AnyFunction, level: InspectedHook['level'], called: DescribedMethod): InspectedHook {
  return {
    type,
    level,
    name: hook.name,
    guard: isGuard(hook),
    credentials: neededBy(hook, called),
    description: addedBy(hook, called),
    hook,
  };
}
