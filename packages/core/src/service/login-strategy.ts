/**
 * In `params` of a call that was authenticated: the name of the strategy that has let the caller in. A guard that takes others does not take the caller for
 * authenticated. Copies of this package know each other's.
 */
export const LOGIN_STRATEGY: unique symbol = Symbol.for('@framework/login-strategy');
