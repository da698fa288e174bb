import { findErrorClass } from './errors.ts';
import { isFrameworkError, FrameworkError } from './framework-error.ts';
import { BadRequest, GeneralError } from './http-errors.ts';

/**
 * Turns any thrown value into a {@link FrameworkError}, so that a transport always has a status and a safe body.
 *
 * - errors of this family come back as they are;
 * - errors of the same shape from another library (`name`, `code`, `className`) become the class of their name;
 * - client errors of HTTP libraries (`status` 400 to 499, as body parsers throw them) keep status and text;
 * - everything else becomes a `GeneralError` (500) with a fixed text; the original is its `cause` and is never sent.
 *
 * @param thrown whatever was thrown or rejected with, also `undefined`, a string or a frozen object
 * @see security S39, S40, S47
 */
export function toFrameworkError(thrown: unknown): FrameworkError {
  if (isFrameworkError(thrown)) return thrown;
  try {
    return fromErrorShape(thrown) ?? internalError(thrown);
  } catch {
    // A getter of a hostile object threw while it was read.
    return internalError(thrown);
  }
}

interface ErrorShape {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  className?: unknown;
  data?: unknown;
  errors?: unknown;
  status?: unknown;
  statusCode?: unknown;
}

function fromErrorShape(thrown: unknown): FrameworkError | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const shape = thrown as ErrorShape;
  const message = typeof shape.message === 'string' ? shape.message : 'Error';

  if (typeof shape.name === 'string' && typeof shape.className === 'string' && typeof shape.code === 'number') {
    const Named = findErrorClass(shape.name);
    if (Named) return withCause(new Named(message, dataOf(shape)), thrown);
    if (isErrorStatus(shape.code)) {
      return withCause(new FrameworkError(message, shape.name, shape.code, shape.className, dataOf(shape)), thrown);
    }
  }
  const status = shape.status ?? shape.statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return withCause(new (findErrorClass(status) ?? BadRequest)(message), thrown);
  }
  return undefined;
}

function dataOf(shape: ErrorShape): Record<string, unknown> | undefined {
  const data = typeof shape.data === 'object' && shape.data !== null ? { ...shape.data } : {};
  const all = shape.errors === undefined ? data : { ...data, errors: shape.errors };
  return Object.keys(all).length > 0 ? all : undefined;
}

function isErrorStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 400 && code <= 599;
}

function internalError(cause: unknown): FrameworkError {
  return withCause(new GeneralError('An unexpected error occurred on the server'), cause);
}

function withCause(error: FrameworkError, cause: unknown): FrameworkError {
  Object.defineProperty(error, 'cause', { value: cause, writable: true, configurable: true });
  return error;
}
