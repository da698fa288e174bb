import { isError as isErrorObject } from './brand.ts';

/**
 * Tells errors from all other values, also those of another realm (a test runner's, a `vm` context's). What throws when it is looked at is none.
 *
 * @param value anything that was thrown
 */
export function isError(value: unknown): value is Error {
  try {
    return isErrorObject(value);
  } catch {
    return false;
  }
}
