import { HttpError } from './http-error.ts';

// The catalogue, once: each class is a row with its name on the wire and its status; `errors` and all types follow from this file.

/** 400: The request is malformed or breaks a rule of the service. */
export class BadRequest extends HttpError {
  static override readonly errorName = 'BadRequest';
  static override readonly status = 400;
}

/** 401: No valid credentials came with the request. */
export class NotAuthenticated extends HttpError {
  static override readonly errorName = 'NotAuthenticated';
  static override readonly status = 401;
}

/** 402: A payment is needed. */
export class PaymentError extends HttpError {
  static override readonly errorName = 'PaymentError';
  static override readonly status = 402;
}

/** 403: The caller is known but may not do this. */
export class Forbidden extends HttpError {
  static override readonly errorName = 'Forbidden';
  static override readonly status = 403;
}

/** 404: There is no such record, service or page. */
export class NotFound extends HttpError {
  static override readonly errorName = 'NotFound';
  static override readonly status = 404;
}

/** 405: The service does not offer this method. */
export class MethodNotAllowed extends HttpError {
  static override readonly errorName = 'MethodNotAllowed';
  static override readonly status = 405;
}

/** 406: No representation fits the `Accept` header. */
export class NotAcceptable extends HttpError {
  static override readonly errorName = 'NotAcceptable';
  static override readonly status = 406;
}

/** 408: The work took too long. */
export class Timeout extends HttpError {
  static override readonly errorName = 'Timeout';
  static override readonly status = 408;
}

/** 409: The change clashes with another record, for example on a unique field. */
export class Conflict extends HttpError {
  static override readonly errorName = 'Conflict';
  static override readonly status = 409;
}

/** 410: The record existed and is gone for good. */
export class Gone extends HttpError {
  static override readonly errorName = 'Gone';
  static override readonly status = 410;
}

/** 411: A `Content-Length` is needed. */
export class LengthRequired extends HttpError {
  static override readonly errorName = 'LengthRequired';
  static override readonly status = 411;
}

/** 412: The record changed since the caller read it (`If-Match`). */
export class PreconditionFailed extends HttpError {
  static override readonly errorName = 'PreconditionFailed';
  static override readonly status = 412;
}

/** 413: The body is larger than the server takes. */
export class PayloadTooLarge extends HttpError {
  static override readonly errorName = 'PayloadTooLarge';
  static override readonly status = 413;
}

/** 415: The body has a type or charset that the server does not read. */
export class UnsupportedMediaType extends HttpError {
  static override readonly errorName = 'UnsupportedMediaType';
  static override readonly status = 415;
}

/** 422: The data is well formed but breaks a rule of the domain. */
export class Unprocessable extends HttpError {
  static override readonly errorName = 'Unprocessable';
  static override readonly status = 422;
}

/** 429: The caller has to slow down. */
export class TooManyRequests extends HttpError {
  static override readonly errorName = 'TooManyRequests';
  static override readonly status = 429;
}

/** 500: Something failed on the server. */
export class GeneralError extends HttpError {
  static override readonly errorName = 'GeneralError';
  static override readonly status = 500;
}

/** 501: The server does not offer this function. */
export class NotImplemented extends HttpError {
  static override readonly errorName = 'NotImplemented';
  static override readonly status = 501;
}

/** 502: A server behind this one gave a bad answer. */
export class BadGateway extends HttpError {
  static override readonly errorName = 'BadGateway';
  static override readonly status = 502;
}

/** 503: The server cannot answer at present. */
export class Unavailable extends HttpError {
  static override readonly errorName = 'Unavailable';
  static override readonly status = 503;
}
