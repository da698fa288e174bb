import { isOver } from './expiry.ts';
import type { SessionSettings } from './session-settings.ts';
import type { StoredSession } from './session-types.ts';

/**
 * Tells whether a session has ended by its times.
 *
 * @param process name of this process
 */
export function isSessionOver(
  { createdAt, expiresAt, idleUntil, writtenBy }: StoredSession,
  settings: SessionSettings,
  process: string,
): boolean {
  const own = writtenBy === process;
  return isOver({ end: expiresAt, life: (expiresAt ?? 0) - createdAt, own }) || isOver({ end: idleUntil, life: settings.idle, own });
}
