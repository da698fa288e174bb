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

/**
 * @param whole whether the value is part of an instance, which is sent as a whole or not at all: what leads back to itself is
 *   the inside of some library, and no facts about a failure
 * @returns the value itself when nothing in it is held back, else a copy without that
 */
function sent(value: unknown, around: readonly object[], whole = false): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  try {
    if (around.length > DEEPEST || around.includes(value)) throw new RangeError('too deep');
    return safeObject(value, around, whole);
  } catch (error) {
    // Nobody can read this value: it has no end, or a getter threw.
    if (whole) throw error;
    return undefined;
  }
}

function safeObject(value: object, around: readonly object[], whole: boolean): unknown {
  const inside = [...around, value];
  if (!isPlain(value)) {
    if (isBranded(value)) return formOf(value, around);
    if (isError(value)) return { message: UNEXPECTED };
    whole = true;
  }
  const made: unknown = 'toJSON' in value && typeof value.toJSON === 'function' ? Reflect.apply(value.toJSON, value, []) : value;
  if (made !== value) {
    const safe = sent(made, inside, true);
    return safe === made ? value : safe;
  }
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
  let same = true;
  for (const [name, item] of Object.entries(copy)) {
    const safe = sent(item, inside, whole);
    same &&= safe === item;
    Object.defineProperty(copy, name, { value: safe });
  }
  return same ? value : copy;
}

/** All others hold facts in ways of their own, or are parts of a library. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
