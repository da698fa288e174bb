import { randomUUID } from 'node:crypto';
import { isUntold } from '@framework/core';
import { FrameworkError, isFault, toFrameworkError, type FrameworkErrorJSON } from '@framework/errors';

/** Told of faults of the server. */
export type CallLogger = ((error: unknown) => unknown) | { readonly error: (error: unknown) => unknown };

/**
 * What a client is told of an error: the body that REST would have sent. Faults of the server are logged, those of 500 and above under the id that the client gets.
 *
 * @param thrown whatever was thrown
 * @param logger `false` for none, `undefined` for the console
 * @param what has failed, for the log
 * @see interface 7, security S40
 */
export function callError(thrown: unknown, logger: CallLogger | false | undefined, what = 'A call over a socket'): FrameworkErrorJSON {
  const error = toFrameworkError(thrown);
  const body = sendable(error);
  if (!isFault(error)) return body;
  if (error.code < 500) {
    logError(logger, `${what} failed`, error.cause ?? thrown);
    return body;
  }
  const correlationId = randomUUID();
  logError(logger, `${what} failed (${correlationId})`, error.cause ?? thrown, { correlationId });
  return { ...body, data: { ...(typeof body.data === 'object' ? body.data : {}), correlationId } };
}

/**
 * The JSON of an error, also of one of a class of the application's own whose `toJSON` fails.
 *
 * @returns its name, text and status alone then
 */
function errorBody(error: FrameworkError): FrameworkErrorJSON {
  try {
    return error.toJSON();
  } catch {
    const { name, message, code, className } = error;
    return { name, message, code, className };
  }
}

/** Data of an error may hold anything; what no message can hold is left out. */
function sendable(error: FrameworkError): FrameworkErrorJSON {
  const body = errorBody(error);
  try {
    JSON.stringify(body);
    return body;
  } catch {
    const { data: _data, errors: _errors, ...rest } = body;
    return rest;
  }
}

/**
 * Tells the logger of an error.
 *
 * @param logger `false` for none, `undefined` for the console
 * @param properties of the error that the logger gets
 */
export function logError(logger: CallLogger | false | undefined, message: string, cause: unknown, properties: object = {}): void {
  if (logger === false || isUntold(cause)) return;
  const entry = Object.assign(new Error(message, { cause }), properties);
  const told = logger ?? console;
  try {
    const outcome: unknown = typeof told === 'function' ? told(entry) : told.error(entry);
    if (outcome instanceof Promise) outcome.catch(complain);
  } catch (reason) {
    complain(reason);
  }
}

/** Nothing that a logger does keeps an answer from being sent. */
function complain(reason: unknown): void {
  console.error(reason);
}
