import { isThenable } from '../is-thenable.ts';
import { thrownError } from './thrown-error.ts';

/** What is needed of an application. */
export interface ListenedApplication {
  emit(event: string, ...args: unknown[]): unknown;
  rawListeners(event: string): readonly unknown[];
}

/**
 * Tells the listeners of an application's event `disconnect` that a real-time connection ends. Each of them is told, whatever others throw: nobody waits for
 * a connection that ends, so that the error would end the process. It is reported as those of listeners of service events.
 *
 * @param connection the connection, as `connection` told of it
 */
export function tellDisconnect(app: ListenedApplication, connection: object): void {
  const failed = (error: unknown): void => {
    if (app.emit('listenerError', error, { path: '', event: 'disconnect' }) === true) return;
    process.emitWarning(thrownError(error), { detail: "A listener of 'disconnect' failed" });
  };
  for (const listener of app.rawListeners('disconnect')) {
    if (typeof listener !== 'function') continue;
    try {
      const outcome: unknown = Reflect.apply(listener, app, [connection]);
      if (isThenable(outcome)) outcome.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  }
}
