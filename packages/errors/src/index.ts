export { FrameworkError, isFrameworkError } from './framework-error.ts';
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
export { convert } from './convert.ts';
export { toFrameworkError } from './to-framework-error.ts';
export type { ErrorData, ErrorMessage, FrameworkErrorJSON } from './framework-error.ts';
export type { FrameworkErrorClass } from './errors.ts';
