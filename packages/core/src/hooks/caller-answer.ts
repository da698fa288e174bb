import { CallContext, callContext, type EndListener } from './call-context.ts';
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
  CallContext.answer(running(context), work);
}

/**
 * Gives the caller what was made for it before, as it is: no event is told, and nothing that looks at what leaves (rules of records,
 * resolvers, `$populate`) is done to it again. Hooks see it as the result.
 *
 * @param context of the call
 * @param value what the caller gets
 * @throws TypeError for a context that is not of a call
 */
export function answerFinally(context: HookContext, value: unknown): void {
  CallContext.answer(running(context), { value, final: true });
  context.result = value;
  context.event = null;
}

/**
 * Tells whether the caller's answer was made by {@link answerFinally}: hooks that change what leaves let it be.
 *
 * @param context of the call
 */
export function isAnswered(context: HookContext): boolean {
  const own = callContext(context);
  return own !== undefined && CallContext.answerOf(own)?.final === true;
}

/**
 * Does something once it is known what the caller gets, which then waits for it. On a good end {@link callerAnswer} gives that; else `failure` has the error, as
 * the caller gets it. What the listener rejects with fails the call.
 *
 * @param context of the call
 * @throws TypeError for a context that is not of a call
 */
export function whenEnded(context: HookContext, listener: EndListener): void {
  CallContext.whenEnded(running(context), listener);
}

/**
 * Tells whether the service's method was called, and may have done something, also when it has failed.
 *
 * @param context of the call
 * @throws TypeError for a context that is not of a call
 */
export function reachedMethod(context: HookContext): boolean {
  return CallContext.reached(running(context));
}

function running(context: HookContext): CallContext {
  const own = callContext(context);
  if (own) return own;
  throw new TypeError('Only the context of a running call has an answer');
}

/**
 * Gives a caller from outside something else than `dispatch`, which also those who listen get.
 *
 * @param context of the call; a context that was made by hand stays as it is
 * @param value what the caller gets
 */
export function answerWith(context: HookContext, value: unknown): void {
  const own = callContext(context);
  if (own) CallContext.answer(own, { value });
}

/**
 * What a caller from outside gets of a finished call, for transports: its own answer, else `dispatch`, else the result.
 *
 * @param context of a finished call
 */
export function callerAnswer(context: HookContext): unknown {
  const own = callContext(context);
  const answer = own && CallContext.answerOf(own);
  if (answer) return answer.value;
  return context.dispatch === undefined ? context.result : context.dispatch;
}
