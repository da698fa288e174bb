import type { FrameworkError } from './framework-error.ts';
import { Unavailable } from './http-errors.ts';

/** Seconds after which a caller may try again: about as long as a database chooses a new member, or a store is restarted. */
const RETRY_AFTER = 5;

/**
 * The error of what can not be done at present, because something behind the server does not answer or is full: 503, with the time after which to try
 * again, which transports send as `Retry-After`.
 *
 * @param message the text for the caller
 * @param cause what has failed, for logs; never sent. Default: nothing
 * @param data more facts for the caller. Default: none
 */
export function unavailable(message: string, cause?: unknown, data: object = {}): FrameworkError {
  const error = new Unavailable(message, { ...data, retryAfter: RETRY_AFTER });
  return cause === undefined ? error : Object.defineProperty(error, 'cause', { value: cause, configurable: true });
}
