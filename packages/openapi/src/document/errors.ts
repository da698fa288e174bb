import type { DescribedSchema } from '@framework/core';
import type { ResponseObject } from './types.ts';

const text = { type: 'string' };

/** The body of errors, in both forms that clients may ask for. */
export const ERROR_SCHEMAS: Readonly<Record<string, DescribedSchema>> = {
  Error: {
    type: 'object',
    description: 'What went wrong.',
    properties: {
      name: { type: 'string', description: 'Name of the error, for programs.' },
      message: { type: 'string', description: 'What went wrong, for people.' },
      code: { type: 'integer', minimum: 400, maximum: 599, description: 'The status.' },
      className: { type: 'string', description: 'The name in another spelling.' },
      data: { description: 'Facts about the failure.' },
      errors: { description: 'Single problems: of values, each with its `path` and `message`.' },
    },
    required: ['name', 'message', 'code', 'className'],
  },
  ProblemDetails: {
    type: 'object',
    description: 'What went wrong, by RFC 9457: for clients that ask for `application/problem+json`.',
    properties: {
      type: text,
      title: { type: 'string', description: 'Name of the error, for programs.' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { type: 'string', description: 'What went wrong, for people.' },
      className: text,
      data: { description: 'Facts about the failure.' },
      errors: { description: 'Single problems.' },
    },
    required: ['type', 'title', 'status', 'detail', 'className'],
  },
};

type Headers = NonNullable<ResponseObject['headers']>;

const header = (description: string, schema: DescribedSchema = text): Headers[string] => ({ description, schema });

const ALLOW: Headers = { Allow: header('HTTP methods that the path takes.') };
const CHALLENGE: Headers = { 'WWW-Authenticate': header('How to authenticate.') };
const RETRY: Headers = { 'Retry-After': header('Seconds after which to try again.', { type: 'integer', minimum: 1 }) };
const CORRELATION: Headers = { 'X-Correlation-Id': header('The name of this error in the logs of the server.') };

/** Statuses that have an answer of their own. */
export type ErrorStatus =
  400 | 401 | 402 | 403 | 404 | 405 | 406 | 408 | 409 | 410 | 411 | 412 | 413 | 415 | 422 | 428 | 429 | 500 | 501 | 502 | 503;

const ERRORS: Readonly<Record<ErrorStatus | 'default', readonly [name: string, description: string, headers: Headers | undefined]>> = {
  400: ['BadRequest', 'Something in the request is not as it has to be; `errors` says what.', undefined],
  401: ['NotAuthenticated', 'The request has no credentials, or none that count.', CHALLENGE],
  402: ['PaymentError', 'It has to be paid for first.', undefined],
  403: ['Forbidden', 'The caller may not do this.', undefined],
  404: ['NotFound', 'There is no such record, or the caller does not see it.', undefined],
  405: ['MethodNotAllowed', 'The path does not take this method.', ALLOW],
  406: ['NotAcceptable', 'The answer has no form that the client takes.', undefined],
  408: ['Timeout', 'It took too long.', undefined],
  409: ['Conflict', 'Another record, or another change, stands against it.', undefined],
  410: ['Gone', 'It is not there any more.', undefined],
  411: ['LengthRequired', 'The length of the body is needed.', undefined],
  412: ['PreconditionFailed', 'The record has another version than the request asks for.', undefined],
  413: ['PayloadTooLarge', 'The body is too large.', undefined],
  415: ['UnsupportedMediaType', 'The server does not read bodies of this type.', undefined],
  422: ['Unprocessable', 'The data can be read, and can not be processed.', undefined],
  428: ['PreconditionRequired', 'The change needs `If-Match` with the version that it is of.', undefined],
  429: ['TooManyRequests', 'Too many tries: wait.', RETRY],
  500: ['GeneralError', 'The server has failed.', CORRELATION],
  501: ['NotImplemented', 'The server can not do this.', CORRELATION],
  502: ['BadGateway', 'A server behind this one has failed.', CORRELATION],
  503: ['Unavailable', 'The server can not answer now.', { ...CORRELATION, ...RETRY }],
  default: ['AnyError', 'Any other error.', undefined],
};

/** @returns whether a status has an answer of its own; others have that of any error */
export function isErrorStatus(status: number): status is ErrorStatus {
  return Object.hasOwn(ERRORS, status);
}

/** The answers of errors, by status. */
export const ERROR_RESPONSES: Readonly<Record<ErrorStatus | 'default', { readonly name: string; readonly response: ResponseObject }>> =
  answers();

function answers(): typeof ERROR_RESPONSES {
  const content = {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
    // A page, for whoever asks for no JSON: also for programs whose Accept is that of any type.
    'text/html': { schema: text },
  };
  const made = Object.entries(ERRORS).map(([status, [name, description, headers]]) => {
    const response: ResponseObject = { description, ...(headers === undefined ? {} : { headers }), content };
    return [status, { name, response }];
  });
  return Object.fromEntries(made) as typeof ERROR_RESPONSES;
}
