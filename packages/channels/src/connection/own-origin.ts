/**
 * Tells whether a page is one of the server itself.
 *
 * @param origin header `Origin`: whose page asks, as its browser says
 * @param host header `Host`
 * @see security S35
 */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
}
