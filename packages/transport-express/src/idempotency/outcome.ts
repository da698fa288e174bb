import { answerFinally, callerAnswer, type HookContext, type Http } from '@framework/core';
import { Conflict, FrameworkError, toFrameworkError, type FrameworkErrorJSON } from '@framework/errors';

/** Longest answer that is kept, in letters of JSON. */
const LONGEST = 1_000_000;

/** Says to whoever asks again that an answer was given before. */
const REPLAYED = { 'Idempotency-Replayed': 'true' } as const;

/** What a call gave, as it is kept. */
type Outcome =
  /** `value` is what the caller got, and is missing where that was nothing. */
  | { readonly kind: 'answer'; readonly value?: unknown; readonly http: Http }
  /** Made, and its answer can not be kept. */
  | { readonly kind: 'made' }
  /** Refused with a status below 500 by the method, or behind it: `error` is what the caller got. What fails otherwise has no facts. */
  | { readonly kind: 'error'; readonly error: FrameworkErrorJSON };

/**
 * Writes down what a call gave its caller, and nothing else: not what was taken out of the result.
 *
 * @param http status, headers and target that were set next to the method
 */
export function outcomeOfAnswer(context: HookContext, http: Http): string {
  const value = callerAnswer(context);
  if (typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || ArrayBuffer.isView(value))) return MADE;
  return written({ kind: 'answer', value, http });
}

/**
 * Writes down that a call failed.
 *
 * @param reached whether the method was called
 * @returns `undefined` for an error that says that nothing was done
 */
export function outcomeOfError(error: unknown, reached: boolean): string | undefined {
  const told = toFrameworkError(error).toJSON();
  if (told.code < 500) return reached ? written({ kind: 'error', error: told }) : undefined;
  const { name, code, className } = told;
  return written({ kind: 'error', error: { name, message: UNKNOWN, code, className } });
}

const MADE = JSON.stringify({ kind: 'made' } satisfies Outcome);
const UNKNOWN = 'This call has failed before, and nobody knows how much of it was done: look, and make it with another Idempotency-Key';

function written(outcome: Outcome): string {
  try {
    const text = JSON.stringify(outcome);
    return text.length > LONGEST ? MADE : text;
  } catch {
    // A circle or a bigint: an answer that JSON has no form for, and whatever a `toJSON` throws.
    return MADE;
  }
}

/**
 * Answers a call with what came of it before.
 *
 * @throws Conflict (409) where the answer was not kept, FrameworkError where the call was refused or has failed
 */
export function replay(context: HookContext, text: string): void {
  const outcome = JSON.parse(text) as Outcome;
  if (outcome.kind === 'made') throw new Conflict('This call was made before, and what it gave is not kept: read what you need');
  if (outcome.kind === 'error') {
    const { message, name, code, className, ...facts } = outcome.error;
    throw Object.assign(new FrameworkError(message, name, code, className), facts);
  }
  Object.assign(context.http, outcome.http, { headers: { ...context.http.headers, ...outcome.http.headers, ...REPLAYED } });
  answerFinally(context, outcome.value);
}
