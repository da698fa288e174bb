import type { AuthenticationParams, AuthenticationRequest } from '../authentication-types.ts';
import { cookieNames, readCookie } from '../browser/cookies.ts';
import { deviceOf } from '../browser/device.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { derivedKey } from '../configuration/derived-key.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { LoginIdentity } from './identity.ts';

/**
 * Knows a device that has logged in to an account before: by its signed cookie, or by a refresh token of the account, also one
 * that counts no more.
 *
 * @returns what its attempts are counted under, or `undefined`
 */
export async function knownDevice(
  { account }: LoginIdentity,
  { refreshToken }: AuthenticationRequest,
  { headers = {} }: AuthenticationParams,
  configuration: AuthenticationConfiguration,
  sessions: Sessions | undefined,
): Promise<string | undefined> {
  const names = cookieNames(sessions?.settings);
  const marked = deviceOf(readCookie(headers, names.device), account, derivedKey(configuration, 'device'));
  if (marked !== undefined || !sessions) return marked;
  const token = typeof refreshToken === 'string' ? refreshToken : readCookie(headers, names.refresh);
  // A store that fails here is told of where the session is to begin.
  const found = token === undefined ? undefined : await sessions.refreshTokens.find(token).catch(() => undefined);
  return found !== undefined && account !== '' && found.user === account ? found.id : undefined;
}
