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
  const data = sent(error.data, [...around, error]);
  const errors = sent(error.errors, [...around, error]);
  return { name, message, code, className, ...(data === undefined ? {} : { data }), ...(errors === undefined ? {} : { errors }) };
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
  if (isBranded(value)) return formOf(value, around);
  if (isError(value)) return { message: UNEXPECTED };
  const inside = [...around, value];
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    const safe = items.map((item) => sent(item, inside));
    return items.every((item, index) => item === safe[index]) ? items : safe;
  }
  if (!isPlain(value)) return value;
  const entries = Object.entries(value);
  const safe = entries.map(([name, item]): [string, unknown] => [name, sent(item, inside)]);
  return entries.every(([, item], index) => item === safe[index]?.[1]) ? value : Object.fromEntries(safe);
}

/** Only plain objects are walked: all others have a form of their own as JSON (dates, ids of a database). */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
