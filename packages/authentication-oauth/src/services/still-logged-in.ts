import type { AuthenticationService } from '@framework/authentication';
import { NotAuthenticated } from '@framework/errors';
import type { LinkingUser } from '../flow/flow-record.ts';
import { property } from '../values.ts';

/**
 * Checks that the login which a link began with has not ended meanwhile.
 *
 * @throws NotAuthenticated (401), Unavailable (503)
 */
export async function checkStillLoggedIn(
  authentication: AuthenticationService,
  { sub, sid, jti, iss, aud, exp }: LinkingUser,
): Promise<void> {
  if (exp * 1000 <= Date.now()) throw ended();
  const { sessions } = authentication;
  if (sessions) {
    await sessions.check(sid, sub).catch((error: unknown) => {
      throw property(error, 'code') === 401 ? ended() : error;
    });
  } else if (jti === undefined || (await authentication.revokedTokens.isRevoked({ iss, aud, jti }))) throw ended();
}

function ended(): NotAuthenticated {
  return new NotAuthenticated('The login that this link began with has ended', { error: 'expired' });
}
