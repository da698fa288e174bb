import type { AuthenticationParams } from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import type { SessionSettings } from '../sessions/session-settings.ts';
import { usesCookies } from './cookies.ts';
import { isFormBody, refuseForeign, requestOrigin } from './request-origin.ts';

/** @returns the origins, besides the server's own, whose pages may log in, refresh and log out */
export function allowedOrigins({ origins = [] }: AuthenticationConfiguration, settings: SessionSettings | undefined): readonly string[] {
  return settings === undefined ? origins : [...origins, ...settings.origins];
}

/**
 * Checks the origin of a login, refresh or logout from outside: with cookies, and for form bodies always (security S32).
 *
 * @param withCookie whether the call is authenticated by a cookie
 * @throws Forbidden (403)
 */
export function checkOrigin(
  { provider, headers = {} }: AuthenticationParams,
  configuration: AuthenticationConfiguration,
  settings: SessionSettings | undefined,
  withCookie: boolean,
): void {
  if (provider === undefined) return;
  const cookies = usesCookies(settings);
  if (!cookies && !isFormBody(headers)) return;
  refuseForeign(requestOrigin(headers, allowedOrigins(configuration, settings), cookies), withCookie);
}
