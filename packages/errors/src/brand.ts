/** Every error of the family has this property, whichever copy of this package made it. */
export const BRAND: symbol = Symbol.for('@framework/error');

/** @returns whether a value has the mark of this family */
export function isBranded(value: unknown): value is Branded {
  return typeof value === 'object' && value !== null && Reflect.get(value, BRAND) === true;
}

/** What every error of the family has, also that of another version of this package. */
export interface Branded extends Error {
  readonly code: number;
  readonly className: string;
  readonly data?: unknown;
  readonly errors?: unknown;
}

/**
 * Tells errors from all other values, also those of another realm (a test runner's, a `vm` context's). What throws when it is looked at is none.
 *
 * @param value anything that was thrown
 */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
  } catch {
    return false;
  }
}
