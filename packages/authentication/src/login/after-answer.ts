import { copyParams, type HookContext, type NextFunction } from '@framework/core';
import type { AuthenticationParams, AuthenticationResult } from '../authentication-types.ts';
import type { SessionDraft } from '../sessions/session-draft.ts';
import { isRecord, property } from '../values.ts';
import { Turn, type LoginUser } from './turns.ts';

/** Carries the session of a login to the hook around it. */
const ANSWER: unique symbol = Symbol('framework.answer');

/** What the login says to the hooks around it: whatever others make of its result, this is what it gave. */
class Answer {
  session: SessionDraft | undefined;
  accessToken: string | undefined;
  /** Claims of the access token. */
  payload: Readonly<Record<string, unknown>> | undefined;
  /** Whose connection it is from now on, where it is over one that says so. */
  user: LoginUser | undefined;
  /** What follows from the login, in this order; of a hook that calls twice what it is around, what follows from the last one. */
  readonly following: Map<string, () => unknown> = new Map();
}

/**
 * Around hook for the calls of the authentication service: notes that the answer of a login leaves once the hooks behind it are through. Where
 * one of them fails the client has no answer, and may ask for it again; a connection is not logged in by a login that it was refused.
 */
export async function noteAnswer(context: HookContext, next: NextFunction): Promise<void> {
  const { method, params } = context;
  const turn = isRecord(params.connection) ? new Turn(params.connection) : undefined;
  if (method === 'remove') return noteLogout(turn, next);
  if (method !== 'create') return next();
  const answer = new Answer();
  context.params = copyParams(params, { [ANSWER]: answer });
  try {
    await next();
    if (answer.following.has('connection')) turn?.enter(answer.user);
    for (const follow of answer.following.values()) await follow();
  } catch (error) {
    answer.session?.lost();
    throw error;
  }
  answer.session?.answered();
}

async function noteLogout(turn: Turn | undefined, next: NextFunction): Promise<void> {
  try {
    await next();
  } catch (error) {
    turn?.leave(error);
    throw error;
  }
  turn?.leave();
}

/**
 * Finds what a login says to whoever is around it: its refresh token need not go through the result, which hooks see and copy.
 *
 * @param params parameters of the call of `create`, as they were before it
 * @returns empty until the login was made; `undefined` where no hook is around it
 */
export function notedAnswer(params: AuthenticationParams): Readonly<Answer> | undefined {
  const answer = property(params, ANSWER);
  return answer instanceof Answer ? answer : undefined;
}

/**
 * Tells when to do what follows from a login: once no hook can refuse it any more.
 *
 * @param params parameters of the call, as they were before it
 * @param what names what follows
 * @returns does it then, or at once where no hook is around the login
 */
export function whenAnswered(params: AuthenticationParams, what: string): (follow: () => unknown) => Promise<void> {
  const answer = property(params, ANSWER);
  return async (follow) => {
    if (answer instanceof Answer) answer.following.set(what, follow);
    else await follow();
  };
}

/**
 * Says whose the connection of a login will be.
 *
 * @param params parameters of the call, as they were before it
 */
export function loginIsOf(params: AuthenticationParams, user: LoginUser | undefined): void {
  const answer = property(params, ANSWER);
  if (answer instanceof Answer) answer.user = user;
}

/**
 * Says what the answer of a login is. Where no hook is around the login it leaves at once.
 *
 * @param params parameters of the call of `create`
 */
export function answerLeaves(
  params: AuthenticationParams,
  session: SessionDraft,
  { accessToken, authentication }: AuthenticationResult,
): void {
  const answer = property(params, ANSWER);
  // A token that only its service can read says nothing of its session.
  const payload = authentication?.payload ?? { ...session.claims, sub: session.user === '' ? undefined : session.user };
  if (answer instanceof Answer) Object.assign(answer, { session, accessToken, payload });
  else session.answered();
}
