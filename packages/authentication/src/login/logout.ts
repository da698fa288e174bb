import { copyParams, loginResult } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationParams, AuthenticationRequest, AuthenticationResult } from '../authentication-types.ts';
import { isFromCookie } from '../browser/parse-logout.ts';
import { checkOrigin } from '../browser/check-origin.ts';
import { cookieNames, readCookie } from '../browser/cookies.ts';
import type { LoginHost } from './login-host.ts';
import { PURPOSE } from './purpose.ts';
import { redact } from './redact.ts';
import { property } from '../values.ts';

/** What logging out needs of an authentication service. */
export interface LogoutHost extends LoginHost {
  /** @returns the payload of a token that is right but may have ended. NotAuthenticated (401) for any other */
  readEndedToken(accessToken: string): Promise<Record<string, unknown>>;
}

/**
 * Logs out: by an access token, also one that has ended by itself, or by a refresh token alone (interface 4.2). With an access token the session of the cookie that came along
 * ends too.
 *
 * @param id `null`, or the access token
 * @throws NotAuthenticated (401) without valid authentication, or for another token; Forbidden (403), Unavailable (503)
 */
export async function logout(host: LogoutHost, id: string | null, params: AuthenticationParams): Promise<AuthenticationResult> {
  const { authentication } = params;
  if (!authentication) throw new NotAuthenticated('Not authenticated');
  if (id !== null && id !== authentication.accessToken) throw new NotAuthenticated('Invalid access token');
  checkOrigin(params, host.configuration, host.sessions?.settings, isFromCookie(authentication));
  if (authentication.strategy === 'refresh') return byRefreshToken(host, authentication);
  const result = await verified(host, authentication, params);
  const payload = result.authentication?.payload ?? {};
  await endOfCookie(host, params, payload.sid);
  await endToken(host, payload);
  return redact(host, result, params, String(authentication.strategy));
}

async function byRefreshToken({ sessions }: LogoutHost, { refreshToken }: AuthenticationRequest): Promise<AuthenticationResult> {
  const found = await sessions?.refreshTokens.find(refreshToken);
  if (!sessions || !found) throw new NotAuthenticated('Invalid refresh token');
  await sessions.end(found.id);
  if (found.endedAt !== null) throw new NotAuthenticated('Invalid refresh token');
  return { authentication: { strategy: 'refresh' } };
}

async function verified(
  host: LogoutHost,
  authentication: AuthenticationRequest,
  params: AuthenticationParams,
): Promise<AuthenticationResult> {
  const { strategy, accessToken } = authentication;
  try {
    const inner = copyParams(params, { [PURPOSE]: 'logout' as const });
    return loginResult(host, await host.authenticate(authentication, inner, ...(host.configuration.authStrategies ?? [])));
  } catch (error) {
    const reason = property(property(error, 'data'), 'name');
    if ((reason !== 'TokenExpiredError' && reason !== 'SessionEnded') || typeof accessToken !== 'string') throw error;
    const payload = await host.readEndedToken(accessToken);
    if (reason === 'SessionEnded') {
      await host.sessions?.endAgain(String(payload.sid), payload.sub);
      throw error;
    }
    if (payload.sid !== undefined) await host.sessions?.check(payload.sid, payload.sub);
    return { accessToken, authentication: { strategy: String(strategy), accessToken, payload } };
  }
}

/** The answer takes the cookie away, which may be of a later login in this browser: its session is not to live on where nobody can end it. */
async function endOfCookie({ sessions }: LogoutHost, { provider, headers = {} }: AuthenticationParams, own: unknown): Promise<void> {
  if (sessions?.settings.refresh !== 'cookie' || provider !== 'rest') return;
  const token = readCookie(headers, cookieNames(sessions.settings).refresh);
  const found = token === undefined ? undefined : await sessions.refreshTokens.find(token);
  if (found && found.id !== own) await sessions.end(found.id);
}

async function endToken({ sessions, revokedTokens }: LogoutHost, payload: Readonly<Record<string, unknown>>): Promise<void> {
  const { sid, jti } = payload;
  if (typeof sid === 'string' && sessions) await sessions.end(sid);
  else if (typeof jti === 'string') await revokedTokens.revoke(payload);
}
