import { registryOf } from './registry.ts';

/**
 * What calls and connections from outside wait for, for transports: before services are set up, what closes some of them and what follows logins is not there.
 *
 * @param app an application, or what wraps it
 * @returns what sets its services up for the first time, while it does, or has failed to; `undefined` once they are, and where nobody has tried
 */
export function settingUp(app: object): Promise<unknown> | undefined {
  return registryOf(app)?.lifecycle.settingUp.awaited;
}

/**
 * Says of a start that it calls `app.setup` before it ends, for transports, which listen before: what comes meanwhile waits for it. What comes for an application
 * that lies in this one waits too, until the services of that one are set up.
 *
 * @param app an application, or what wraps it
 * @param start what was begun in this moment
 */
export function announceStart(app: object, start: Promise<unknown>): void {
  registryOf(app)?.lifecycle.announce(start);
}
