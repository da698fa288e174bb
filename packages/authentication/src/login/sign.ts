import { decodeJwt } from 'jose';
import type { AuthenticationParams, AuthenticationResult } from '../authentication-types.ts';
import type { SessionDraft } from '../sessions/session-draft.ts';
import { refuseNoClaims } from '../tokens/check-claims.ts';
import type { TokenOptions } from '../tokens/token-options.ts';
import { notedAnswer } from './after-answer.ts';
import type { LoginHost } from './login-host.ts';

/**
 * Signs the access token of a login.
 *
 * @param result what the strategy gave
 * @param options of `getTokenOptions`
 * @param session the session that the token belongs to
 * @param strategy name of the strategy, where the result has none
 * @returns the answer of the login
 * @throws Error when the token can not be made
 */
export async function sign(
  host: LoginHost,
  result: AuthenticationResult,
  options: TokenOptions,
  session: SessionDraft | undefined,
  params: AuthenticationParams,
  strategy: string,
): Promise<AuthenticationResult> {
  const given = (await host.getPayload(result, params)) as Record<string, unknown> | undefined;
  // Of a text each letter would be a claim.
  refuseNoClaims(given ?? {});
  const payload = { ...given, ...session?.claims };
  const id = options.jwtid === undefined && session?.jwtid !== undefined ? { jwtid: session.jwtid } : {};
  const accessToken = await host.createAccessToken(payload, { ...options, ...id }, params.secret);
  const refreshToken = isInCookie(host, params) ? undefined : session?.refreshToken;
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...result,
    authentication: {
      ...result.authentication,
      strategy: result.authentication?.strategy ?? strategy,
      ...claimsOf(accessToken),
    },
  };
}

/** Read and not verified: it was signed just now, and may be one that counts only later (`notBefore`). A service of one's own may make tokens that only it can read. */
function claimsOf(accessToken: string): { payload?: Record<string, unknown> } {
  try {
    return { payload: decodeJwt(accessToken) };
  } catch {
    return {};
  }
}

/** Whether the refresh token goes to the client in a cookie alone, which a hook around the login makes. */
function isInCookie({ sessions }: LoginHost, params: AuthenticationParams): boolean {
  return sessions?.settings.refresh === 'cookie' && params.provider !== undefined && notedAnswer(params) !== undefined;
}
