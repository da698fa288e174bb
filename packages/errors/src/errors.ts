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
import type { ErrorData, ErrorMessage, FrameworkError } from './framework-error.ts';

/** A class of the catalogue. */
export type FrameworkErrorClass = new (message?: ErrorMessage, data?: ErrorData) => FrameworkError;

/** Every error class by its name and by its status, for example `errors.NotFound` and `errors[404]`. */
export const errors: {
  readonly BadRequest: typeof BadRequest;
  readonly NotAuthenticated: typeof NotAuthenticated;
  readonly PaymentError: typeof PaymentError;
  readonly Forbidden: typeof Forbidden;
  readonly NotFound: typeof NotFound;
  readonly MethodNotAllowed: typeof MethodNotAllowed;
  readonly NotAcceptable: typeof NotAcceptable;
  readonly Timeout: typeof Timeout;
  readonly Conflict: typeof Conflict;
  readonly Gone: typeof Gone;
  readonly LengthRequired: typeof LengthRequired;
  readonly PreconditionFailed: typeof PreconditionFailed;
  readonly PayloadTooLarge: typeof PayloadTooLarge;
  readonly UnsupportedMediaType: typeof UnsupportedMediaType;
  readonly Unprocessable: typeof Unprocessable;
  readonly TooManyRequests: typeof TooManyRequests;
  readonly GeneralError: typeof GeneralError;
  readonly NotImplemented: typeof NotImplemented;
  readonly BadGateway: typeof BadGateway;
  readonly Unavailable: typeof Unavailable;
  readonly 400: typeof BadRequest;
  readonly 401: typeof NotAuthenticated;
  readonly 402: typeof PaymentError;
  readonly 403: typeof Forbidden;
  readonly 404: typeof NotFound;
  readonly 405: typeof MethodNotAllowed;
  readonly 406: typeof NotAcceptable;
  readonly 408: typeof Timeout;
  readonly 409: typeof Conflict;
  readonly 410: typeof Gone;
  readonly 411: typeof LengthRequired;
  readonly 412: typeof PreconditionFailed;
  readonly 413: typeof PayloadTooLarge;
  readonly 415: typeof UnsupportedMediaType;
  readonly 422: typeof Unprocessable;
  readonly 429: typeof TooManyRequests;
  readonly 500: typeof GeneralError;
  readonly 501: typeof NotImplemented;
  readonly 502: typeof BadGateway;
  readonly 503: typeof Unavailable;
} = Object.freeze({
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
  400: BadRequest,
  401: NotAuthenticated,
  402: PaymentError,
  403: Forbidden,
  404: NotFound,
  405: MethodNotAllowed,
  406: NotAcceptable,
  408: Timeout,
  409: Conflict,
  410: Gone,
  411: LengthRequired,
  412: PreconditionFailed,
  413: PayloadTooLarge,
  415: UnsupportedMediaType,
  422: Unprocessable,
  429: TooManyRequests,
  500: GeneralError,
  501: NotImplemented,
  502: BadGateway,
  503: Unavailable,
});

/**
 * Finds a class of the catalogue.
 *
 * @param key a class name or a status
 * @returns the class, or `undefined` for a name or status outside the catalogue
 */
export function findErrorClass(key: string | number): FrameworkErrorClass | undefined {
  return Object.hasOwn(errors, key) ? (errors as unknown as Record<string, FrameworkErrorClass>)[key] : undefined;
}
