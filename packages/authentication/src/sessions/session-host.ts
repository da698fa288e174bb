import type { Sessions } from './sessions.ts';

/** Carries the session of a result from the strategy to the service; it never leaves the server. */
export const SESSION: unique symbol = Symbol.for('@framework/authentication/session@1') as never;

/** An authentication service, as far as sessions go. */
export interface SessionHost {
  /** `undefined` where sessions are off. */
  readonly sessions?: Sessions | undefined;
}
