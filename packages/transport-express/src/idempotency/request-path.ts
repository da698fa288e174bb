/** Header that names a write. */
export const KEY_HEADER = 'idempotency-key';

/**
 * Key of the path that a request with such a header came to, in the `params` of its call: applications that are mounted beside each other have services of the same
 * name. Copies of this package know each other's.
 */
export const REQUEST_PATH: unique symbol = Symbol.for('@framework/request-path');
