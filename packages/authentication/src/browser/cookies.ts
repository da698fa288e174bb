import type { SessionSettings } from '../sessions/session-settings.ts';

/** Names of the cookies of an authentication service. */
export interface CookieNames {
  readonly refresh: string;
  readonly access: string;
  readonly device: string;
}

/**
 * Names of the cookies of an authentication service: browsers keep them for one host, over HTTPS, for all paths and ports (security S32).
 *
 * @param settings those of its sessions, which say what tells its cookies from those of others
 */
export function cookieNames(settings: SessionSettings | undefined): CookieNames {
  const own = settings?.cookieName === undefined ? '' : `${settings.cookieName}-`;
  return { refresh: `__Host-${own}refresh`, access: `__Host-${own}access`, device: `__Host-${own}device` };
}

/** Longest header that is read, in characters. */
const MAX_LENGTH = 16_384;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Reads a cookie of a request.
 *
 * @returns its value, or `undefined` when there is none, or when there are two of one name
 */
export function readCookie(headers: Headers, name: string): string | undefined {
  const { cookie } = headers;
  if (typeof cookie !== 'string' || cookie.length > MAX_LENGTH) return undefined;
  const prefix = `${name}=`;
  const found = cookie
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix));
  const value = found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
  return value === '' ? undefined : value;
}

/** @returns whether the settings put anything into cookies */
export function usesCookies(settings: SessionSettings | undefined): boolean {
  return settings?.refresh === 'cookie' || settings?.cookie === true;
}

/**
 * A `Set-Cookie` header.
 *
 * @param value the value; `undefined` takes the cookie away
 * @param maxAge seconds
 */
export function cookieHeader(name: string, value: string | undefined, maxAge: number, sameSite: 'Strict' | 'Lax'): string {
  const age = value === undefined ? 0 : Math.max(0, Math.floor(maxAge));
  return `${name}=${value ?? ''}; Path=/; Secure; HttpOnly; SameSite=${sameSite}; Max-Age=${String(age)}`;
}
