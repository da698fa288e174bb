import { copyParams, type HookContext, type NextFunction } from '@framework/core';
import type { AuthenticationParams } from '../authentication-types.ts';
import type { SessionDraft } from '../sessions/session-draft.ts';
import { property } from '../values.ts';

/** Carries the session of a login to the hook around it. */
const ANSWER: unique symbol = Symbol('framework.answer');

/** What the login says to the hook. */
class Answer {
  session: SessionDraft | undefined;
}

/**
 * Around hook for the calls of the authentication service: notes that the answer of a login leaves once the hooks behind it are through. Where
 * one of them fails the client has no answer, and may ask for it again.
 */
export async function noteAnswer(context: HookContext, next: NextFunction): Promise<void> {
  if (context.method !== 'create') return next();
  const answer = new Answer();
  context.params = copyParams(context.params, { [ANSWER]: answer });
  try {
    await next();
  } catch (error) {
    answer.session?.lost();
    throw error;
  }
  answer.session?.answered();
}

/**
 * Finds the session of a login for whoever is around it: its refresh token need not go through the result, which hooks see and copy.
 *
 * @param params parameters of the call of `create`, as they were before it
 * @returns what gives the session once there is one; `undefined` where no hook is around the login
 */
export function sessionOfAnswer(params: AuthenticationParams): (() => SessionDraft | undefined) | undefined {
  const answer = property(params, ANSWER);
  return answer instanceof Answer ? () => answer.session : undefined;
}

/**
 * Says which session the answer of a login is about. Where no hook is around the login the answer leaves at once.
 *
 * @param params parameters of the call of `create`
 */
export function answerLeaves(params: AuthenticationParams, session: SessionDraft): void {
  const answer = property(params, ANSWER);
  if (answer instanceof Answer) answer.session = session;
  else session.answered();
}
