import type { AttemptAnswer, AttemptRule, AttemptState } from './limiter-store.ts';

/** Doublings after which a delay no longer grows. */
const DOUBLINGS = 30;

/**
 * What an attempt makes of the state of its key: the one rule that every store follows. Behind a free attempt, `readyAt` is 0 and not `now`: the clock of the process
 * that makes the next may be behind. What was to last longer than the rule has it was set by a clock that has been put back since, or runs ahead: it lasts as long as
 * from now on.
 *
 * @param state the state before; `undefined` for a key that is not known
 * @param now milliseconds since 1970
 * @returns the state after it; the attempt may be made when `refused` is 0
 */
export function nextAttempt(state: AttemptState | undefined, { attempts, window, delay }: AttemptRule, now: number): AttemptState {
  const present = state !== undefined && state.resetAt > now ? within(state, now + window, delay === null ? 0 : window) : undefined;
  if (present && present.readyAt > now) return { ...present, refused: present.refused + 1 };
  const count = (present?.count ?? 0) + 1;
  const locked = count >= attempts;
  if (delay === null) {
    const resetAt = present?.resetAt ?? now + window;
    return { count, refused: 0, readyAt: locked ? resetAt : 0, resetAt };
  }
  const wait = locked ? Math.min(window, delay * 2 ** Math.min(count - attempts, DOUBLINGS)) : 0;
  return { count, refused: 0, readyAt: locked ? now + wait : 0, resetAt: now + wait + window };
}

/** @param more how much later than the next attempt all may be forgotten */
function within(state: AttemptState, latest: number, more: number): AttemptState {
  return { ...state, readyAt: Math.min(state.readyAt, latest), resetAt: Math.min(state.resetAt, latest + more) };
}

/**
 * What taking an attempt back makes of the state of its key. A delay that other attempts have set since stays: a login that succeeds slowly
 * is no way around it.
 *
 * @param answer the answer to the attempt
 */
export function withoutAttempt(state: AttemptState, { attempts }: AttemptRule, { readyAt }: AttemptAnswer): AttemptState {
  const count = Math.max(0, state.count - 1);
  return { ...state, count, readyAt: count < attempts || state.readyAt === readyAt ? 0 : state.readyAt };
}
