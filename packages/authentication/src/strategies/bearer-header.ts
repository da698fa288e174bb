import type { HttpRequest } from '../authentication-types.ts';

/** Longest header that is read, in characters. */
const MAX_LENGTH = 16_384;

/**
 * Reads a token from a header: `<scheme> <token>`, or the token alone.
 *
 * @param name name of the header, in any case
 * @param schemes accepted schemes, compared exactly without regard to case
 * @returns the token, or `null` for no header or another scheme
 * @see RFC 6750 2.1
 */
export function tokenFromHeader(req: HttpRequest, name: string, schemes: readonly string[]): string | null {
  const given = req.headers?.[name.toLowerCase()];
  if (typeof given !== 'string' || given.length > MAX_LENGTH) return null;
  const header = given.trimStart();
  if (header === '') return null;
  const space = header.indexOf(' ');
  if (space < 0) return header;
  const scheme = header.slice(0, space).toLowerCase();
  const token = header.slice(space + 1).trim();
  if (token === '' || token.includes(' ')) return null;
  return schemes.some((known) => known.toLowerCase() === scheme) ? token : null;
}
