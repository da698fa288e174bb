import type { HookContext, NextFunction } from '../hooks/hook-types.ts';
import type { InspectedHook } from '../hooks/inspect-registry.ts';
import type { AnyFunction } from '../is-function.ts';
import { stateOf } from './registered-service.ts';

/**
 * Adds a hook around every call of a service: around all other hooks, and around what is taken out of results that leave, so that it sees what the
 * event of the call will hold. For packages; hooks of users are added by `service.hooks`.
 *
 * @param service a registered service
 * @param hook gets the context and `next`, as around hooks do
 * @throws Error when the service is not registered
 */
export function wrapCalls(service: object, hook: (context: HookContext, next: NextFunction) => Promise<void>): void {
  const known = stateOf(service);
  if (!known) throw new Error('Only calls of registered services can be wrapped');
  known.wrap(hook as AnyFunction);
}

/**
 * Makes a context for a call, to be passed as the last argument; the call then resolves with the context.
 *
 * @param service a registered service
 * @param method one of its methods
 * @param data properties to set on the context
 * @throws Error when the service is not registered or has no such method
 */
export function createContext(service: unknown, method: string, data?: Record<string, unknown>): HookContext {
  const known = stateOf(service)?.method(method);
  if (!known) throw new Error(`'${method}' is not a method of a registered service`);
  return known.createContext(data);
}

/**
 * Tells which hooks a call of a method runs, for tools that look at an application and change nothing.
 *
 * @param service a registered service
 * @param method one of its methods
 * @returns the hooks of the applications around the service, the outermost first, then those of the service
 * @throws Error when the service is not registered or has no such method
 */
export function inspectHooks(service: unknown, method: string): readonly InspectedHook[] {
  const known = stateOf(service);
  if (!known?.method(method)) throw new Error(`'${method}' is not a method of a registered service`);
  return known.hooksOf(method);
}

/**
 * Tells which hooks in front of a method decide whether a call may go on, for tools that look at an application and change nothing.
 *
 * @param service a registered service
 * @param method one of its methods
 * @returns hooks that `guard` has marked, and those that ask for credentials, in the order in which they run
 * @throws Error when the service is not registered or has no such method
 */
export function inspectGuards(service: unknown, method: string): readonly InspectedHook[] {
  const inFront = inspectHooks(service, method).filter(({ guard, credentials }) => guard || credentials !== undefined);
  return (['around', 'before'] as const).flatMap((type) => inFront.filter((hook) => hook.type === type));
}
