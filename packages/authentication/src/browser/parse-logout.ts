import type { AuthenticationRequest, HttpRequest } from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import type { SessionSettings } from '../sessions/session-settings.ts';
import { allowedOrigins } from './check-origin.ts';
import { COOKIES, readCookie } from './cookies.ts';
import { refuseForeign, requestOrigin } from './request-origin.ts';

/**
 * Reads the refresh token of a request that logs out: from its body, or with cookies from the cookie.
 *
 * @param location path of the authentication service; `undefined` before it is set up
 * @returns authentication data, or `null` for any other request
 * @throws Forbidden (403) for a cookie that another origin sends
 */
export function parseLogout(
  { method, path, body, headers = {} }: HttpRequest,
  location: string | undefined,
  configuration: AuthenticationConfiguration,
  settings: SessionSettings | undefined,
): AuthenticationRequest | null {
  if (method !== 'DELETE' || location === undefined || !settings || path?.replace(/^\/|\/$/g, '') !== location) return null;
  const { refreshToken } = (typeof body === 'object' && body !== null ? body : {}) as { readonly refreshToken?: unknown };
  if (typeof refreshToken === 'string' && settings.refresh === 'json') return { strategy: 'refresh', refreshToken };
  const cookie = settings.refresh === 'cookie' ? readCookie(headers, COOKIES.refresh) : undefined;
  if (cookie === undefined) return null;
  refuseForeign(requestOrigin(headers, allowedOrigins(configuration, settings), true), true);
  return { strategy: 'refresh', refreshToken: cookie };
}
