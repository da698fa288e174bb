import { authorsParts, type ErrorData, type ErrorMessage } from './authors-parts.ts';
import { BRAND, isBranded } from './brand.ts';
import { errorJSON, type FrameworkErrorJSON } from './error-json.ts';

/**
 * The base of all errors that a service throws on purpose: it carries an HTTP status and a JSON form.
 *
 * Throw one of the subclasses (`BadRequest`, `NotFound`, …); make a subclass of this one for a status of your own.
 *
 * @see reference 2
 */
export class FrameworkError extends Error {
  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

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
   * @param message the text for the caller, or an object to take text and data from. An `Error` that is not of this family is
   *   kept as the `cause` and nothing of it is sent: its text was not written for the caller
   * @param name name of the class, sent to the client
   * @param code HTTP status
   * @param className kebab-case name, sent to the client
   * @param data facts for the caller; `errors` in it is split off, a `message` in it replaces the text; an `Error` is kept as the `cause`
   */
  constructor(message: ErrorMessage, name: string, code: number, className: string, data?: ErrorData) {
    const parts = authorsParts(message, data, className, code);
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = name;
    this.code = code;
    this.className = className;
    if (parts.data !== undefined) this.data = parts.data;
    if (parts.errors !== undefined) this.errors = parts.errors;
    if (parts.given !== undefined) Object.defineProperty(this, GIVEN, { value: parts.given });
  }

  /** HTTP status, where error handlers of others look for it; not enumerable and never sent. They may write it. */
  get status(): number {
    return this.code;
  }

  set status(value: number) {
    own(this, 'status', value);
  }

  /** The same as {@link status}. */
  get statusCode(): number {
    return this.code;
  }

  set statusCode(value: number) {
    own(this, 'statusCode', value);
  }

  /** @returns the body of an error answer; no stack, no cause, and of errors in `data` and `errors` only what is meant for the caller */
  toJSON(): FrameworkErrorJSON {
    return errorJSON(this);
  }
}

/** Copies of this package know each other's; it is not enumerable and never sent. */
const GIVEN: unique symbol = Symbol.for('@framework/given-data');

/**
 * The object that an error was made with. Its data is a copy, and who knows something of the object, such as the service that it is a record of,
 * does not know it of the copy.
 *
 * @param error anything
 * @returns `undefined` for an error that was made without
 */
export function givenData(error: object): object | undefined {
  const given: unknown = Reflect.get(error, GIVEN);
  return typeof given === 'object' && given !== null ? given : undefined;
}

function own(error: FrameworkError, name: string, value: number): void {
  Object.defineProperty(error, name, { value, writable: true, configurable: true });
}

/**
 * Tells errors of this family from all other values, also when two copies of this package are loaded. What throws when it is looked at is none.
 *
 * @param value anything that was thrown
 */
export function isFrameworkError(value: unknown): value is FrameworkError {
  try {
    return isBranded(value);
  } catch {
    return false;
  }
}
