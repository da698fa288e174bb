import { types } from 'node:util';
import { isFault, type FrameworkError } from '@framework/errors';
import { isThenable, isUntold } from '@framework/core';
import { thrownText } from '../thrown-text.ts';
import { loggedForm } from './not-found.ts';

/** Told of errors. */
export type ErrorLogger =
  ((error: unknown) => unknown) | { readonly error: (error: unknown) => unknown; readonly info?: (error: unknown) => unknown };

/** An error that is to be logged. */
export interface LoggedFailure {
  /** What was thrown. */
  readonly thrown: unknown;
  /** What it was taken for. */
  readonly error: FrameworkError;
  /** Id that the client gets; `undefined` below 500. */
  readonly id: string | undefined;
  /** The request's method and route, such as `GET /users/:id`; `undefined` where no route was reached. */
  readonly route?: string | undefined;
  /** Whether a service threw it. */
  readonly ofService: boolean;
}

/**
 * Makes the log of an error handler. Nothing that the logger does keeps an answer from being sent.
 *
 * Faults of the server are logged as objects that are like them in all, and have the `correlationId` of the answer, which those below 500 have none of, and
 * the `route` of the request besides. The error itself stays as it is: it may be frozen, or thrown again for another request.
 *
 * @param logger `undefined` for the console, `false` or `null` for none
 */
export function errorLog(logger: ErrorLogger | false | null | undefined): (failure: LoggedFailure) => void {
  if (logger === false || logger === null) return () => undefined;
  const custom = logger !== undefined;
  const target = logger ?? CONSOLE;
  return ({ thrown, error, id, route, ofService }) => {
    const fault = isFault(error);
    // What else a service answers below 500 is its normal work and is not logged.
    if ((!fault && (ofService || !custom)) || isUntold(error)) return;
    const original = error.cause ?? loggedForm(thrown);
    const place = { ...(id === undefined ? {} : { correlationId: id }), ...(route === undefined ? {} : { route }) };
    const logged = fault ? withPlace(original, place) : original;
    guarded(() => {
      if (typeof target === 'function') return target(logged);
      return fault ? target.error(logged) : target.info?.(logged);
    });
  };
}

const CONSOLE: ErrorLogger = {
  error: (error) => {
    console.error(error);
  },
};

function guarded(log: () => unknown): void {
  const complain = (reason: unknown): void => {
    console.error(reason);
  };
  try {
    const pending = log();
    if (isThenable(pending)) pending.then(undefined, complain);
  } catch (reason) {
    complain(reason);
  }
}

function withPlace(original: unknown, place: Readonly<Record<string, string>>): unknown {
  const properties = Object.fromEntries(Object.entries(place).map(([name, value]) => [name, { value, enumerable: true }]));
  if (typeof original === 'object' && original !== null) {
    const view = viewOf(original, properties);
    if (view !== undefined && isReadable(view)) return view;
  }
  return Object.defineProperties(new Error(thrownText(original), { cause: original }), properties);
}

function viewOf(original: object, properties: PropertyDescriptorMap): object | undefined {
  try {
    if (types.isNativeError(original) || original instanceof Error) return Object.create(original, properties) as object;
    // Of what is no error, loggers print what it has itself alone.
    return Object.create(Object.getPrototypeOf(original) as object | null, {
      ...Object.getOwnPropertyDescriptors(original),
      ...properties,
    }) as object;
  } catch {
    return undefined;
  }
}

/** Some errors, such as those of aborted signals, give their text to nobody but themselves. */
function isReadable(view: object): boolean {
  try {
    const { name, message, stack } = view as Partial<Error>;
    return [name, message, stack].every((text) => text === undefined || typeof text === 'string');
  } catch {
    return false;
  }
}
