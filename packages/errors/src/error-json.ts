import { isBranded, isError, type Branded } from './brand.ts';
import { UNEXPECTED } from './fixed-text.ts';

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

/** Deeper than this, and in a circle, nothing is sent. */
const DEEPEST = 50;

/**
 * The JSON form of an error. Errors inside its data stand there by accident or by habit (`{ error }`, `{ errors: validation.errors }`) and
 * hold what their libraries put on them, for example the headers of a request: those of this family take their own JSON form, of all
 * others only the fixed text is sent.
 *
 * @param error an error of this family
 * @see security S40
 */
export function errorJSON(error: Branded): FrameworkErrorJSON {
  return formOf(error, []);
}

function formOf(error: Branded, around: readonly object[]): FrameworkErrorJSON {
  const { name, message, code, className } = error;
  const form: FrameworkErrorJSON = { name, message, code, className };
  if (error.data === undefined && error.errors === undefined) return form;
  const inside = [...around, error];
  const data = sent(error.data, inside);
  const errors = sent(error.errors, inside);
  if (data !== undefined) form.data = data;
  if (errors !== undefined) form.errors = errors;
  return form;
}

/** @returns the value itself when nothing in it is held back, else a copy without that */
function sent(value: unknown, around: readonly object[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (around.length > DEEPEST || around.includes(value)) return undefined;
  try {
    return safeObject(value, around);
  } catch {
    // A getter threw: nobody can read this value.
    return undefined;
  }
}

function safeObject(value: object, around: readonly object[]): unknown {
  if (!Array.isArray(value) && !isPlain(value)) {
    if (isBranded(value)) return formOf(value, around);
    return isError(value) ? { message: UNEXPECTED } : value;
  }
  const inside = [...around, value];
  let copy: object | undefined;
  for (const name of Object.keys(value)) {
    const item: unknown = Reflect.get(value, name);
    const safe = sent(item, inside);
    if (safe === item) continue;
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    Object.defineProperty(copy, name, { value: safe, writable: true, enumerable: true, configurable: true });
  }
  return copy ?? value;
}

/** Only plain objects are walked: all others have a form of their own as JSON (dates, ids of a database). */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
