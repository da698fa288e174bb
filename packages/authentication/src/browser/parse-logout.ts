import type { AuthenticationApplication, AuthenticationRequest, HttpRequest } from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { allowedOrigins } from './check-origin.ts';
import { COOKIES, readCookie } from './cookies.ts';
import { refuseForeign, requestOrigin } from './request-origin.ts';

/** What is needed of the authentication service that a request logs out at; requests are read by the default one. */
interface LogoutTarget {
  readonly configKey?: unknown;
  readonly configuration: AuthenticationConfiguration;
  readonly sessions?: Sessions | undefined;
}

/**
 * Reads the refresh token of a request that logs out at an authentication service: from its body, or with cookies from the cookie.
 *
 * @param app the application with its authentication services
 * @returns authentication data, or `null` for any other request
 * @throws Forbidden (403) for a cookie that another origin sends
 */
export function parseLogout(
  { method, path = '', body, headers = {} }: HttpRequest,
  { services }: AuthenticationApplication,
): AuthenticationRequest | null {
  if (method !== 'DELETE') return null;
  const location = path.replace(/^\/|\/$/g, '');
  const target = Object.hasOwn(services, location) ? (services as Readonly<Record<string, LogoutTarget>>)[location] : undefined;
  const settings = typeof target?.configKey === 'string' ? target.sessions?.settings : undefined;
  if (!target || !settings) return null;
  const { refreshToken } = (typeof body === 'object' && body !== null ? body : {}) as { readonly refreshToken?: unknown };
  if (typeof refreshToken === 'string' && settings.refresh === 'json') return { strategy: 'refresh', refreshToken };
  const cookie = settings.refresh === 'cookie' ? readCookie(headers, COOKIES.refresh) : undefined;
  if (cookie === undefined) return null;
  refuseForeign(requestOrigin(headers, allowedOrigins(target.configuration, settings), true), true);
  return { strategy: 'refresh', refreshToken: cookie };
}
