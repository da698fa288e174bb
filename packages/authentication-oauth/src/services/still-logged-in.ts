import { EntityStrategy, type AuthenticationService } from '@framework/authentication';
import { NotAuthenticated } from '@framework/errors';
import type { LinkingUser } from '../flow/flow-record.ts';
import { property } from '../values.ts';

/**
 * Checks that the login which a link began with has not ended meanwhile: also by another password that was written past the service of the users.
 *
 * @param strategy name of the strategy that the link began with
 * @throws NotAuthenticated (401), Unavailable (503)
 */
export async function checkStillLoggedIn(
  authentication: AuthenticationService,
  { sub, sid, jti, iss, aud, exp }: LinkingUser,
  strategy: string,
): Promise<void> {
  if (exp * 1000 <= Date.now()) throw ended();
  const { sessions } = authentication;
  if (sessions) {
    const { id } = await sessions.check(sid, sub).catch(refused);
    const known = authentication.getStrategy(strategy);
    // Its entity is looked at as with each call that comes with a token.
    if (known instanceof EntityStrategy) await known.getEntity(sub, {}, (secrets) => sessions.checkSecrets(id, secrets)).catch(refused);
  } else if (jti === undefined || (await authentication.revokedTokens.isRevoked({ iss, aud, jti }))) throw ended();
}

function ended(): NotAuthenticated {
  return new NotAuthenticated('The login that this link began with has ended', { error: 'expired' });
}

/** @throws NotAuthenticated (401) as for a login that has ended, and other errors as they are */
function refused(error: unknown): never {
  throw property(error, 'code') === 401 ? ended() : error;
}
