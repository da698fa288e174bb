import { CallContext } from '../hooks/call-context.ts';
import type { HookContext } from '../hooks/hook-types.ts';
import type { Registration, ServiceHost } from './placement.ts';
import { attempt } from './service-events.ts';

/** Told of an error with which a call ends. */
export type ErrorWatcher = (error: unknown, context: HookContext) => unknown;

/**
 * Tells the watchers of each application around a service, once.
 *
 * @param registrations where the service stands; the home first
 */
export function tellErrorWatchers(registrations: readonly Registration[], context: CallContext, error: unknown): void {
  const told = new Set<ServiceHost>();
  for (const registration of registrations) {
    const { host } = registration;
    if (told.has(host)) continue;
    told.add(host);
    CallContext.enter(context, registration);
    for (const watcher of host.errorWatchers) {
      attempt(() => watcher(error, context), context, host.reportListenerError);
    }
  }
  CallContext.enter(context, undefined);
}
