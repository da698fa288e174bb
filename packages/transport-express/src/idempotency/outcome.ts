import type { HookContext } from '@framework/core';
import { Conflict, FrameworkError } from '@framework/errors';

/** Longest result that is kept, in letters of JSON. */
const LONGEST = 1_000_000;

/** Says to whoever asks again that an answer was given before. */
const REPLAYED = { 'Idempotency-Replayed': 'true' } as const;

/** What a call gave, as it is kept. */
type Outcome =
  | { readonly kind: 'result'; readonly result: unknown; readonly http: object }
  /** Made, and its result can not be kept. */
  | { readonly kind: 'made' }
  | { readonly kind: 'error'; readonly name: string; readonly code: number; readonly className: string };

/** Writes down the result of a call. */
export function outcomeOfResult({ result, http }: HookContext): string {
  const made: Outcome = { kind: 'made' };
  if (typeof result === 'object' && result !== null && (Symbol.asyncIterator in result || ArrayBuffer.isView(result)))
    return JSON.stringify(made);
  const text = JSON.stringify({ kind: 'result', result, http } satisfies Outcome);
  return text.length > LONGEST ? JSON.stringify(made) : text;
}

/**
 * Writes down that a call failed.
 *
 * @returns `undefined` for an error that says that nothing was done
 */
export function outcomeOfError(error: unknown): string | undefined {
  if (error instanceof FrameworkError) {
    const { name, code, className } = error;
    return code < 500 ? undefined : JSON.stringify({ kind: 'error', name, code, className } satisfies Outcome);
  }
  return JSON.stringify({ kind: 'error', name: 'GeneralError', code: 500, className: 'general-error' } satisfies Outcome);
}

/**
 * Answers a call with what came of it before.
 *
 * @throws Conflict (409) where the result was not kept, FrameworkError (500 and above) where the call failed
 */
export function replay(context: HookContext, text: string): void {
  const outcome = JSON.parse(text) as Outcome;
  if (outcome.kind === 'made') throw new Conflict('This call was made before, and what it gave is not kept: read what you need');
  if (outcome.kind === 'error') {
    const message = 'This call has failed before, and nobody knows how much of it was done: look, and make it with another Idempotency-Key';
    throw new FrameworkError(message, outcome.name, outcome.code, outcome.className);
  }
  context.result = outcome.result;
  // Who listens has been told.
  context.event = null;
  Object.assign(context.http, outcome.http);
  context.http.headers = { ...context.http.headers, ...REPLAYED };
}
