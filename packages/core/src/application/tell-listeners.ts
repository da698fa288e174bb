import { isThenable } from '../is-thenable.ts';
import type { EventSource } from '../service/service-events.ts';

/** What is needed of an application. */
export interface ListenedApplication {
  emit(event: string, ...args: unknown[]): unknown;
  rawListeners(event: string): readonly unknown[];
}

/**
 * Tells the listeners of an event of an application, each of them, whatever others throw. Nobody waits for what is told, so that what a listener throws or rejects
 * with would end the process: it is reported as errors of listeners of service events are.
 *
 * @param args of the event
 * @param source what is told of an error. Default: the event alone
 */
export function tellListeners(
  app: ListenedApplication,
  event: string,
  args: readonly unknown[],
  source: EventSource = { path: '', event },
): void {
  tell(app, event, args, (error) => {
    reportListenerError(app, error, source, `A listener of '${event}' failed`);
  });
}

/**
 * Tells of an error of a listener by the application's event `listenerError`, or by a warning of the process where nobody listens. Of an error of such a listener
 * a warning tells.
 *
 * @param error anything that was thrown
 * @param message of the warning, whose detail the error is
 */
export function reportListenerError(app: ListenedApplication, error: unknown, source: EventSource, message: string): void {
  const isTold = tell(app, 'listenerError', [error, source], (failure) => {
    warn(failure, "A listener of 'listenerError' failed");
  });
  if (!isTold) warn(error, message);
}

/** @returns whether anybody listens */
function tell(app: ListenedApplication, event: string, args: readonly unknown[], failed: (error: unknown) => void): boolean {
  const listeners = app.rawListeners(event).filter((listener) => typeof listener === 'function');
  for (const listener of listeners) {
    try {
      const outcome: unknown = Reflect.apply(listener, app, args);
      if (isThenable(outcome)) outcome.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  }
  return listeners.length > 0;
}

function warn(thrown: unknown, message: string): void {
  // Of an error as the warning itself Node.js prints its message and nothing of where it comes from, and it takes none of another realm, such as that of tests.
  process.emitWarning(message, { detail: textOf(thrown) });
}

/** A listener may throw anything, also what has no text. */
function textOf(thrown: unknown): string {
  try {
    return String((thrown instanceof Error && thrown.stack) || thrown);
  } catch {
    return 'A value without a text was thrown';
  }
}
