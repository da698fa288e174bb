import { tellListeners, type ListenedApplication } from './tell-listeners.ts';

/**
 * Tells the listeners of an application's event `disconnect` that a real-time connection ends. Each of them is told, whatever others throw: nobody waits for
 * a connection that ends, so that the error would end the process. It is reported as those of listeners of service events.
 *
 * @param connection the connection, as `connection` told of it
 */
export function tellDisconnect(app: ListenedApplication, connection: object): void {
  tellListeners(app, 'disconnect', [connection]);
}
