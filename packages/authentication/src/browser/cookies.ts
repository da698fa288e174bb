import type { SessionSettings } from '../sessions/session-settings.ts';

/** Cookies of this package: browsers keep them for one host, over HTTPS, for all paths (security S32). */
export const COOKIES = { refresh: '__Host-refresh', access: '__Host-access', device: '__Host-device' } as const;

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
