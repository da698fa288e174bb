import { BadRequest } from '@framework/errors';
import qs from 'qs';

/** Items of an array in a query string before it becomes an object with index keys (interface 8). */
export const QUERY_ARRAY_LIMIT = 20;
/** Parameters in one query string (security S12). */
export const QUERY_PARAMETER_LIMIT = 1000;
/** Brackets after a name (security S12). */
export const QUERY_DEPTH_LIMIT = 5;

/**
 * The default `query parser`: nested bracket notation, all values as text.
 *
 * Replace it to raise the limit: `app.set('query parser', (text) => qs.parse(text, { arrayLimit: 100 }))`.
 *
 * @param text the query string without `?`
 * @throws BadRequest (400) for bad percent-encoding, too many parameters, too deep nesting, or a name that would reach a
 *   prototype
 * @see interface 4.6, 8
 */
export function parseQueryString(text: string | null | undefined): Record<string, unknown> {
  if (!text) return {};
  if (text.length > QUERY_PARAMETER_LIMIT && countParameters(text) > QUERY_PARAMETER_LIMIT) {
    throw new BadRequest(`Invalid query string: more than ${String(QUERY_PARAMETER_LIMIT)} parameters`);
  }
  try {
    return qs.parse(text, OPTIONS);
  } catch (error) {
    if (error instanceof RangeError) throw new BadRequest(`Invalid query string: ${error.message}`);
    throw error;
  }
}

const OPTIONS: qs.IParseOptions & { throwOnLimitExceeded: false; strictDepth: boolean } = {
  allowPrototypes: true,
  arrayLimit: QUERY_ARRAY_LIMIT,
  parameterLimit: QUERY_PARAMETER_LIMIT,
  throwOnLimitExceeded: false,
  depth: QUERY_DEPTH_LIMIT,
  strictDepth: true,
  decoder: decode,
};

function countParameters(text: string): number {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count += 1;
  return count;
}

function decode(text: string, _default: unknown, _charset: unknown, part?: 'key' | 'value'): string {
  const decoded = decodeText(text.includes('+') ? text.replaceAll('+', ' ') : text);
  if (part !== 'value' && PROTOTYPE_NAME.test(decoded)) throw new BadRequest("Invalid query string: the name '__proto__' is not allowed");
  return decoded;
}

function decodeText(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw new BadRequest('Invalid query string: it has bad percent-encoding');
    throw error;
  }
}

/** The name among brackets and dots; a value may be any text. */
const PROTOTYPE_NAME = /(?:^|[[\].])__proto__(?:$|[[\].])/;
