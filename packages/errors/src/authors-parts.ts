import { isBranded, isError } from './brand.ts';
import { fixedText } from './fixed-text.ts';

/** What an error constructor takes as its first argument. */
export type ErrorMessage = string | Error | Record<string, unknown> | null | undefined;

/** Facts for the caller; the key `errors` becomes the error's `errors`, the rest its `data`. */
export type ErrorData = Record<string, unknown> | readonly unknown[] | object | null | undefined;

/** What the author of an error wrote for the caller, and what is kept for the log. */
export interface AuthorsParts {
  readonly message: string;
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly cause?: unknown;
  /** What `data` is a copy of. */
  readonly given?: object;
}

/**
 * Takes apart what an error is made from. Text and data that the author gives are for the caller; an `Error` of somebody else is not,
 * neither its text nor its properties: it becomes the cause.
 *
 * @param message first argument of the constructor
 * @param data second argument of the constructor
 * @param className kebab-case name of the class, for the text when the author gives none
 * @param code HTTP status of the class
 * @see security S40
 */
export function authorsParts(message: ErrorMessage, data: ErrorData, className: string, code: number): AuthorsParts {
  if (isBranded(message)) {
    const own = split(message.message, message.errors === undefined ? message.data : { ...dataOf(message), errors: message.errors });
    return { ...(data === undefined || data === null ? own : split(message.message, data)), cause: message };
  }
  if (isError(message)) return { ...split(fixedText(code, className), isError(data) ? undefined : data), cause: message };
  if (isError(data)) return { ...authorsParts(message, undefined, className, code), cause: data };
  if (typeof message === 'object' && message !== null) {
    const { message: text, ...rest } = message;
    return { ...split(typeof text === 'string' ? text : 'Error', rest), given: message };
  }
  return split(message ?? 'Error', data);
}

function dataOf({ data }: { readonly data?: unknown }): object {
  return typeof data === 'object' && data !== null ? data : {};
}

function split(message: string, data: unknown): AuthorsParts {
  if (data === undefined || data === null) return { message };
  if (Array.isArray(data) || typeof data !== 'object') return { message, data };
  const { message: text, errors, ...rest }: { message?: unknown; errors?: unknown } = data;
  return { message: typeof text === 'string' ? text : message, data: rest, given: data, ...(errors === undefined ? {} : { errors }) };
}
