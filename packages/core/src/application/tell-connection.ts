import { isThenable } from '../is-thenable.ts';
import type { ListenedApplication } from './tell-listeners.ts';

/**
 * Tells the listeners of an application's event `connection` of a new real-time connection. Nobody waits for what an emitter's listeners promise, so that one
 * that rejects would end the process, and clients would decide when: here a transport is told, which does not leave a connection open whose listener has failed.
 *
 * @param connection the new connection
 * @returns `undefined` where no listener has given a promise; else it settles with them, and rejects with what the first rejects with
 * @throws what a listener throws; those behind it are not told then
 */
export function tellConnection(app: ListenedApplication, connection: object): Promise<unknown> | undefined {
  const pending: PromiseLike<unknown>[] = [];
  try {
    for (const listener of app.rawListeners('connection')) {
      const outcome: unknown = typeof listener === 'function' ? Reflect.apply(listener, app, [connection]) : undefined;
      if (isThenable(outcome)) pending.push(outcome);
    }
  } catch (error) {
    // One is told of, as it would be of several that reject.
    Promise.all(pending).catch(() => undefined);
    throw error;
  }
  return pending.length === 0 ? undefined : Promise.all(pending);
}
