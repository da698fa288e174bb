import { FrameworkError, type ErrorData, type ErrorMessage } from './framework-error.ts';

/** 400: The request is malformed or breaks a rule of the service. */
export class BadRequest extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'BadRequest', 400, 'bad-request', data);
  }
}

/** 401: No valid credentials came with the request. */
export class NotAuthenticated extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'NotAuthenticated', 401, 'not-authenticated', data);
  }
}

/** 402: A payment is needed. */
export class PaymentError extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'PaymentError', 402, 'payment-error', data);
  }
}

/** 403: The caller is known but may not do this. */
export class Forbidden extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'Forbidden', 403, 'forbidden', data);
  }
}

/** 404: There is no such record, service or page. */
export class NotFound extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'NotFound', 404, 'not-found', data);
  }
}

/** 405: The service does not offer this method. */
export class MethodNotAllowed extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'MethodNotAllowed', 405, 'method-not-allowed', data);
  }
}

/** 406: No representation fits the `Accept` header. */
export class NotAcceptable extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'NotAcceptable', 406, 'not-acceptable', data);
  }
}

/** 408: The work took too long. */
export class Timeout extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'Timeout', 408, 'timeout', data);
  }
}

/** 409: The change clashes with another record, for example on a unique field. */
export class Conflict extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'Conflict', 409, 'conflict', data);
  }
}

/** 410: The record existed and is gone for good. */
export class Gone extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'Gone', 410, 'gone', data);
  }
}

/** 411: A `Content-Length` is needed. */
export class LengthRequired extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'LengthRequired', 411, 'length-required', data);
  }
}

/** 412: The record changed since the caller read it (`If-Match`). */
export class PreconditionFailed extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'PreconditionFailed', 412, 'precondition-failed', data);
  }
}

/** 413: The body is larger than the server takes. */
export class PayloadTooLarge extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'PayloadTooLarge', 413, 'payload-too-large', data);
  }
}

/** 415: The body has a type or charset that the server does not read. */
export class UnsupportedMediaType extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'UnsupportedMediaType', 415, 'unsupported-media-type', data);
  }
}

/** 422: The data is well formed but breaks a rule of the domain. */
export class Unprocessable extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'Unprocessable', 422, 'unprocessable', data);
  }
}

/** 429: The caller has to slow down. */
export class TooManyRequests extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'TooManyRequests', 429, 'too-many-requests', data);
  }
}

/** 500: Something failed on the server. */
export class GeneralError extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'GeneralError', 500, 'general-error', data);
  }
}

/** 501: The server does not offer this function. */
export class NotImplemented extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'NotImplemented', 501, 'not-implemented', data);
  }
}

/** 502: A server behind this one gave a bad answer. */
export class BadGateway extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'BadGateway', 502, 'bad-gateway', data);
  }
}

/** 503: The server cannot answer at present. */
export class Unavailable extends FrameworkError {
  constructor(message?: ErrorMessage, data?: ErrorData) {
    super(message, 'Unavailable', 503, 'unavailable', data);
  }
}
