/** Headers by which a browser says whose page asks. */
export interface PageHeaders {
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/**
 * Tells whether a request comes from a page of the server itself, or from no page at all. A page can ask without an origin too, for example by a
 * script element, and browsers add their cookies to that.
 *
 * @param headers of the request that opens a connection
 * @see security S35
 */
export function isOwnPage(headers: PageHeaders): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin === undefined) return site === undefined || site === 'same-origin' || site === 'none';
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
}
