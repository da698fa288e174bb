import { NotAuthenticated } from '@framework/errors';
import { atTime } from '../at-time.ts';
import { ofEnded } from '../ended.ts';
import { epochKey } from './epoch.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { Sessions } from './sessions.ts';

/** What knows of the logins that have ended. */
export interface EndedLogins {
  readonly sessions: Sessions | undefined;
  readonly revokedTokens: RevokedTokens | undefined;
}

type Payload = Readonly<Record<string, unknown>>;

/**
 * Checks that the login of a token that was verified has not ended: its session, or the token alone.
 *
 * @param payload its claims
 * @throws NotAuthenticated (401), Unavailable (503) when that can not be told
 */
export async function checkLogin({ sessions, revokedTokens }: EndedLogins, payload: Payload): Promise<void> {
  if (payload.sid !== undefined && sessions) await sessions.check(payload.sid, payload.sub);
  else if (await revokedTokens?.isRevoked(payload))
    throw ofEnded(new NotAuthenticated('The token was logged out', { name: 'TokenRevoked' }));
}

/** Least time between two looks where clocks differ, in milliseconds. */
const BETWEEN_LOOKS = 1000;

/**
 * Calls a listener when the login of a token has ended, here or in another process, or by its time, or may have: {@link checkLogin} tells.
 *
 * @param payload its claims
 * @returns what ends that; `undefined` where nobody knows of logins that end
 */
export function watchLogin({ sessions, revokedTokens }: EndedLogins, payload: Payload, listener: () => void): (() => void) | undefined {
  const { sid, sub } = payload;
  if (sid === undefined || !sessions) return revokedTokens?.watch(payload, listener);
  const key = epochKey(sessions.scope, String(sub));
  const unwatch = sessions.watch((change) => {
    const concerned =
      change.kind === 'lost' || (change.kind === 'session' ? change.id === sid : change.kind === 'user' && change.key === key);
    if (concerned) listener();
  });
  const forget = watchTimes(sessions, payload, listener);
  return () => {
    unwatch();
    forget();
  };
}

/** Calls the listener when a session ends by its times before the token does; a refresh may have put them off by then. */
function watchTimes(sessions: Sessions, { sid, sub, exp }: Payload, listener: () => void): () => void {
  const tokenEnd = typeof exp === 'number' ? exp * 1000 : Infinity;
  let forget = (): void => undefined;
  let isForgotten = false;
  const look = async (): Promise<void> => {
    const { expiresAt, idleUntil } = await sessions.check(sid, sub);
    const end = Math.min(expiresAt ?? Infinity, idleUntil ?? Infinity);
    if (isForgotten || end >= tokenEnd) return;
    forget = atTime(Math.max(end, Date.now() + BETWEEN_LOOKS), () => {
      listener();
      again();
    });
  };
  // Whether it has ended already is asked for by whoever listens.
  const again = (): void => void look().catch(() => undefined);
  again();
  return () => {
    isForgotten = true;
    forget();
  };
}
