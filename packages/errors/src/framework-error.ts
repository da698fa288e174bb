/** The JSON form of an error: the body of every error answer (decisions: error body), keys in this order. */
export interface FrameworkErrorJSON {
  /** Name of the error class, for example `NotFound`. */
  name: string;
  /** What went wrong, for the caller. */
  message: string;
  /** HTTP status. */
  code: number;
  /** Kebab-case form of the name, for example `not-found`. */
  className: string;
  /** Facts about the failure that a program may use. */
  data?: unknown;
  /** Single problems, for example one for each invalid field. */
  errors?: unknown;
}

/** What an error constructor takes as its first argument. */
export type ErrorMessage = string | Error | Record<string, unknown> | null | undefined;

/** Facts for the caller; the key `errors` becomes the error's `errors`, the rest its `data`. */
export type ErrorData = Record<string, unknown> | readonly unknown[] | object | null | undefined;

const BRAND: symbol = Symbol.for('@framework/error');

/**
 * The base of all errors that a service throws on purpose: it carries an HTTP status and a JSON form.
 *
 * Throw one of the subclasses (`BadRequest`, `NotFound`, …); make a subclass of this one for a status of your own.
 *
 * @see reference 2
 */
export class FrameworkError extends Error {
  /** HTTP status, 400 to 599. */
  readonly code: number;
  /** Kebab-case form of the name. */
  readonly className: string;
  /** Marks errors of this family in JSON-free code; never sent. */
  readonly type = 'FrameworkError' as const;
  /** Facts about the failure. Absent when none were given. */
  declare data?: unknown;
  /** Single problems. Absent when none were given. */
  declare errors?: unknown;

  /**
   * @param message the text, or an `Error` or object to take text and data from
   * @param name name of the class, sent to the client
   * @param code HTTP status
   * @param className kebab-case name, sent to the client
   * @param data facts for the caller; `errors` in it is split off, a `message` in it replaces the text
   */
  constructor(message: ErrorMessage, name: string, code: number, className: string, data?: ErrorData) {
    const parts = messageAndData(message, data);
    super(parts.message, message instanceof Error ? { cause: message } : undefined);
    this.name = name;
    this.code = code;
    this.className = className;
    if (parts.data !== undefined) this.data = parts.data;
    if (parts.errors !== undefined) this.errors = parts.errors;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** @returns the body of an error answer; no stack, no cause */
  toJSON(): FrameworkErrorJSON {
    return {
      name: this.name,
      message: this.message,
      code: this.code,
      className: this.className,
      ...(this.data === undefined ? {} : { data: this.data }),
      ...(this.errors === undefined ? {} : { errors: this.errors }),
    };
  }
}

/**
 * Tells errors of this family from all other values, also when two copies of this package are loaded.
 *
 * @param value anything that was thrown
 */
export function isFrameworkError(value: unknown): value is FrameworkError {
  return value instanceof Error && (value as unknown as Record<symbol, unknown>)[BRAND] === true;
}

interface Parts {
  message: string;
  data?: unknown;
  errors?: unknown;
}

function messageAndData(message: ErrorMessage, data: ErrorData): Parts {
  if (message instanceof Error) {
    const own = Object.fromEntries(Object.entries(message).filter(([key]) => !BASE_KEYS.has(key)));
    return splitErrors(message.message || 'Error', data ?? own);
  }
  if (typeof message === 'object' && message !== null) {
    const { message: text, ...rest } = message;
    return splitErrors(typeof text === 'string' ? text : 'Error', rest);
  }
  return splitErrors(message ?? 'Error', data ?? undefined);
}

const BASE_KEYS: ReadonlySet<string> = new Set(['name', 'code', 'className', 'type', 'data', 'errors', 'message']);

function splitErrors(message: string, data: ErrorData): Parts {
  if (data === undefined || data === null) return { message };
  if (Array.isArray(data)) return { message, data };
  if (typeof data !== 'object') return { message, data };
  const { message: text, errors, ...rest } = data as Record<string, unknown>;
  return { message: typeof text === 'string' ? text : message, data: rest, ...(errors === undefined ? {} : { errors }) };
}
