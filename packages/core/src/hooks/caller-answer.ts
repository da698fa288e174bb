import { CallContext } from './call-context.ts';
import type { HookContext } from './hook-types.ts';

/**
 * Gives the caller of a call something else than the result, made once the event is out: what one caller asked for beside the
 * record neither reaches those who listen, nor keeps the event from them when it fails.
 *
 * @param context of the call; the last work that is set counts
 * @param work gives what the caller gets
 * @throws TypeError for a context that is not of a call
 */
export function answerBy(context: HookContext, work: () => Promise<unknown>): void {
  if (!(context instanceof CallContext)) throw new TypeError('Only the context of a running call has an answer');
  CallContext.answer(context, work);
}

/**
 * Gives a caller from outside something else than `dispatch`, which also those who listen get.
 *
 * @param context of the call; a context that was made by hand stays as it is
 * @param value what the caller gets
 */
export function answerWith(context: HookContext, value: unknown): void {
  if (context instanceof CallContext) CallContext.answer(context, { value });
}

/**
 * What a caller from outside gets of a finished call, for transports: its own answer, else `dispatch`, else the result.
 *
 * @param context of a finished call
 */
export function callerAnswer(context: HookContext): unknown {
  const own = context instanceof CallContext ? CallContext.answerOf(context) : undefined;
  if (own) return own.value;
  return context.dispatch === undefined ? context.result : context.dispatch;
}
