/**
 * In `params` of a call that was authenticated: the name of the setting of the authentication service that knows the caller, `configKey`. Ids of users
 * mean nothing without it: user 1 is not administrator 1. Copies of this package know each other's.
 */
export const LOGIN_SERVICE: unique symbol = Symbol.for('@framework/login-service');
