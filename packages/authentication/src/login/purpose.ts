/** Why the service authenticates, in the parameters of strategies; without it for a call of another service. */
export const PURPOSE: unique symbol = Symbol('framework.purpose');

/** Logging in and out: every strategy of a login is under the limiter, and whoever holds a token may end it. */
export type Purpose = 'login' | 'logout';
