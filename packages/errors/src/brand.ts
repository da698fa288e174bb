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

/** @returns whether a value is an error, also one of another realm (a test runner's, a `vm` context's) */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
