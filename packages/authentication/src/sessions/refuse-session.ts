import { NotAuthenticated } from '@framework/errors';
import { ofEnded } from '../ended.ts';
import type { StoredSession } from './session-types.ts';

/** @returns whether a session was stored before sessions belonged to an authentication service: nobody can tell whose it is */
export function isFormerSession(record: StoredSession): boolean {
  const former = record as Partial<StoredSession>;
  return typeof former.service !== 'string' || typeof former.epoch !== 'number';
}

/** @returns the error of a session of before */
export function formerSession(): NotAuthenticated {
  const error = new NotAuthenticated(
    "The session was stored by an earlier version. Log in again (migration 'sessions-belong-to-a-service' of the authentication guide)",
    { name: 'SessionOfBefore', migration: 'sessions-belong-to-a-service' },
  );
  return ofEnded(error);
}

/** @returns the error of a refresh token that is none of ours */
export function invalidRefreshToken(): NotAuthenticated {
  return new NotAuthenticated('Invalid refresh token');
}

/** @returns the same error, of one that is ours and counts no more */
export function usedRefreshToken(): NotAuthenticated {
  return ofEnded(invalidRefreshToken());
}

/** @returns the error of a token whose session has ended */
export function endedSession(): NotAuthenticated {
  return ofEnded(new NotAuthenticated('The session has ended', { name: 'SessionEnded' }));
}
