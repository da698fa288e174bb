import type { ErrorData, ErrorMessage } from './authors-parts.ts';
import type { FrameworkError } from './framework-error.ts';
import type * as httpErrors from './http-errors.ts';
import {
  BadRequest,
  NotAuthenticated,
  PaymentError,
  Forbidden,
  NotFound,
  MethodNotAllowed,
  NotAcceptable,
  Timeout,
  Conflict,
  Gone,
  LengthRequired,
  PreconditionFailed,
  PayloadTooLarge,
  UnsupportedMediaType,
  Unprocessable,
  TooManyRequests,
  GeneralError,
  NotImplemented,
  BadGateway,
  Unavailable,
} from './http-errors.ts';

/** A class of the catalogue. */
export type FrameworkErrorClass = new (message?: ErrorMessage, data?: ErrorData) => FrameworkError;

type Catalogue = typeof httpErrors;
type ByStatus = { readonly [Name in keyof Catalogue as Catalogue[Name]['status']]: Catalogue[Name] };
type ByName = { readonly [Name in keyof Catalogue]: Catalogue[Name] };

type AnyClass = Catalogue[keyof Catalogue];

/** The types demand each of them. Named one by one, and asked for by a call without effects, what a page does not use of them is not in its bundle. */
const catalogue: ByName = {
  BadRequest,
  NotAuthenticated,
  PaymentError,
  Forbidden,
  NotFound,
  MethodNotAllowed,
  NotAcceptable,
  Timeout,
  Conflict,
  Gone,
  LengthRequired,
  PreconditionFailed,
  PayloadTooLarge,
  UnsupportedMediaType,
  Unprocessable,
  TooManyRequests,
  GeneralError,
  NotImplemented,
  BadGateway,
  Unavailable,
};

const classes: ReadonlyMap<string | number, AnyClass> = /* @__PURE__ */ byNameAndStatus();

/** Every error class by its name and by its status, for example `errors.NotFound` and `errors[404]`. */
export const errors: ByName & ByStatus = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ Object.fromEntries(classes)) as never;

/**
 * Finds a class of the catalogue.
 *
 * @param key a class name or a status
 * @returns the class, or `undefined` for a name or status outside the catalogue
 */
export function findErrorClass(key: string | number): FrameworkErrorClass | undefined {
  return classes.get(key);
}

function byNameAndStatus(): Map<string | number, AnyClass> {
  return new Map(
    Object.values<AnyClass>(catalogue).flatMap((Class): [string | number, AnyClass][] => [
      [Class.errorName, Class],
      [Class.status, Class],
    ]),
  );
}
