/** Which login at another system a login of ours came from. */
export interface LoginOrigin {
  /** Name of the strategy. */
  readonly strategy: string;
  /** Who it is there. */
  readonly subject: string;
  /** The session there; `undefined` where the other system names none. */
  readonly session?: string | undefined;
}

/** Carries the origin in the result of a strategy to the session that begins with it; it is never sent. */
export const ORIGIN: unique symbol = Symbol('framework.login-origin');
