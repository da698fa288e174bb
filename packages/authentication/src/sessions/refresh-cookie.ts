import { Forbidden } from '@framework/errors';
import type { SessionSettings } from './session-settings.ts';

/** Name of the cookie: browsers keep it for one host, over HTTPS, for all paths. */
export const REFRESH_COOKIE = '__Host-refresh';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The header that gives a client its refresh token.
 *
 * @param token the token; `undefined` takes it away
 * @param maxAge seconds
 * @see security S32
 */
export function refreshCookie(token: string | undefined, maxAge: number, { sameSite }: SessionSettings): string {
  return `${REFRESH_COOKIE}=${token ?? ''}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=${String(token === undefined ? 0 : Math.floor(maxAge))}`;
}

/**
 * Reads the refresh token of a request.
 *
 * @throws Forbidden (403) for a request from another origin: a browser sends cookies whoever asks it to
 */
export function refreshTokenInCookie(headers: Headers, settings: SessionSettings): string | undefined {
  const prefix = `${REFRESH_COOKIE}=`;
  const found = String(headers.cookie ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .find((cookie) => cookie.startsWith(prefix));
  if (found === undefined) return undefined;
  if (!isOwnOrigin(headers, settings.origins)) {
    throw new Forbidden("Refreshing by cookie is only for the server's own pages. List other origins in 'authentication.sessions.origins'");
  }
  return found.slice(prefix.length);
}

function isOwnOrigin(headers: Headers, origins: readonly string[]): boolean {
  const { origin, host } = headers;
  if (typeof origin !== 'string') return headers['sec-fetch-site'] === 'same-origin';
  if (origins.includes(origin)) return true;
  return URL.canParse(origin) && isSecure(new URL(origin)) && new URL(origin).host === host;
}

/** Browsers take their own machine for as safe as HTTPS. */
function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
