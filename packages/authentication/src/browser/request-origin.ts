import { Forbidden } from '@framework/errors';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Where a request comes from, as the browser says: a page of the server's own or of a listed origin, another page, or unknown,
 * which is no browser of today.
 */
export type RequestOrigin = 'own' | 'foreign' | 'unknown';

/**
 * Tells where a request comes from.
 *
 * @param headers headers of the request
 * @param origins further origins that count as the server's own, for example `https://app.example.com`
 * @param secure whether the server's own pages must be safe from people on the way, as cookies need
 * @see security S32
 */
export function requestOrigin(headers: Headers, origins: readonly string[], secure: boolean): RequestOrigin {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (typeof origin === 'string') {
    if (origins.includes(origin)) return 'own';
    if (!URL.canParse(origin)) return 'foreign';
    const url = new URL(origin);
    return url.host === host && (!secure || isSafe(url)) ? 'own' : 'foreign';
  }
  if (typeof site === 'string') return site === 'same-origin' || site === 'none' ? 'own' : 'foreign';
  return 'unknown';
}

/**
 * Refuses what a page of another origin sends.
 *
 * @param from of {@link requestOrigin}
 * @param needed whether the request must say where it comes from: it carries a cookie, which a browser adds whoever asks it to
 * @throws Forbidden (403)
 */
export function refuseForeign(from: RequestOrigin, needed: boolean): void {
  if (from === 'own' || (from === 'unknown' && !needed)) return;
  throw new Forbidden(
    "Logging in, refreshing and logging out with cookies or forms is only for the server's own pages. List other origins in 'authentication.origins'",
  );
}

/** A form can be sent to any server by any page, without asking it first. */
export function isFormBody(headers: Headers): boolean {
  const type = headers['content-type'];
  return typeof type === 'string' && /^\s*(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i.test(type);
}

/** Browsers take their own machine for as safe as HTTPS. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
