import { LOGIN_SERVICE } from './login-service.ts';

/**
 * In `params` of a call that was authenticated: what has let the caller in. A guard that asks for something else does not take the caller for authenticated.
 * Copies of this package know each other's.
 */
export const LOGIN_STRATEGY: unique symbol = Symbol.for('@framework/login-strategy');

/** A strategy that has let a caller in. */
export interface LoginStrategy {
  /** Name of the strategy. */
  readonly name: string | undefined;
  /** Whether it is one of an authentication service: two applications may have services of one name. */
  readonly isOf: (service: object) => boolean;
}

/** What parameters say of a login, for whoever makes a call an authenticated one. */
export interface LoginMarks {
  readonly [LOGIN_SERVICE]: string;
  readonly [LOGIN_STRATEGY]: LoginStrategy;
}

/**
 * Makes what parameters say of a login. The service does not lie in them, where logs would print it.
 *
 * @param service the authentication service
 * @param name of its strategy
 */
export function loginMarks(service: { readonly configKey: string }, name: string | undefined): LoginMarks {
  return {
    [LOGIN_SERVICE]: service.configKey,
    [LOGIN_STRATEGY]: Object.freeze({ name, isOf: (other: object) => other === service }),
  };
}
