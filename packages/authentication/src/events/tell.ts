import type { AuthenticationApplication } from '../authentication-types.ts';

/**
 * Tells the listeners of an event. What they throw or reject with changes nothing for the call that is told of: it becomes a
 * warning of the process.
 *
 * @param app the application
 * @param event name of the event
 * @param args what listeners get
 */
export function tell(app: AuthenticationApplication, event: string, ...args: unknown[]): void {
  for (const listener of app.rawListeners(event)) {
    if (typeof listener !== 'function') continue;
    try {
      const outcome: unknown = Reflect.apply(listener, app, args);
      if (outcome instanceof Promise) outcome.catch((error: unknown) => warn(event, error));
    } catch (error) {
      warn(event, error);
    }
  }
}

function warn(event: string, error: unknown): void {
  process.emitWarning(`A listener of '${event}' failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
