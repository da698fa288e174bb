export { isError } from './is-error.ts';
export { FrameworkError, givenData, isFrameworkError } from './framework-error.ts';
export {
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
export { errors, findErrorClass } from './errors.ts';
export { isFault } from './is-fault.ts';
export { unavailable } from './unavailable.ts';
export { findInstalled, loadInstalled } from './installed.ts';
export { convert } from './convert.ts';
export { toFrameworkError } from './provenance.ts';
export type { FrameworkErrorJSON } from './error-json.ts';
export type { ErrorData, ErrorMessage } from './authors-parts.ts';
export type { FrameworkErrorClass } from './errors.ts';
