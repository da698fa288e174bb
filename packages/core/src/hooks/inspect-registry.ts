import type { AnyFunction } from '../is-function.ts';
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
  /** The function, to tell hooks apart; it is not meant to be called. */
  readonly hook: object;
}

const TYPES: readonly HookType[] = ['around', 'before', 'after', 'error'];

/** @returns the hooks that a registry has for a method, those for all methods among them */
export function inspectRegistry(registry: HookRegistry, method: string, level: InspectedHook['level']): InspectedHook[] {
  const of = (type: HookType, hook: AnyFunction): InspectedHook => inspectedHook(type, hook, level);
  return ['all', method].flatMap((name) => [
    ...registry.middleware(name).map((hook) => of('around', hook)),
    ...TYPES.flatMap((type) => registry.list(type, name).map((hook) => of(type, hook))),
  ]);
}

/** @returns what tools see of a hook */
export function inspectedHook(type: HookType, hook: AnyFunction, level: InspectedHook['level']): InspectedHook {
  return { type, level, name: hook.name, guard: isGuard(hook), hook };
}
