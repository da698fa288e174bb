import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { FrameworkError } from '@framework/errors';
import type { Header } from './answer.ts';

/** They describe a body, and the body of an error answer is another. */
const OF_THE_BODY: ReadonlySet<string> = new Set(['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'trailer']);

/**
 * The headers that a client error of http-errors brings along, such as `Content-Range` of a 416, `Retry-After` of a 429 or `Upgrade` of a 426; Express's own last
 * handler sends them too. Nothing else that an error holds is sent, and no header of an error that is not meant for the caller.
 *
 * @param thrown what was thrown
 * @param error what it was taken for
 */
export function headersOfError(thrown: unknown, error: FrameworkError): readonly Header[] {
  if (error === thrown || typeof thrown !== 'object' || thrown === null) return [];
  try {
    const { expose, status, statusCode, headers } = thrown as Readonly<Record<string, unknown>>;
    if (expose !== true || (status ?? statusCode) !== error.code || error.code >= 500) return [];
    return typeof headers === 'object' && headers !== null ? Object.entries(headers).flatMap(headerOf) : [];
  } catch {
    // A getter or a proxy threw while it was read.
    return [];
  }
}

function headerOf([name, given]: readonly [string, unknown]): readonly Header[] {
  if (OF_THE_BODY.has(name.toLowerCase())) return [];
  const list = [given].flat().filter((value) => typeof value === 'string' || typeof value === 'number');
  const values = list.map(String).filter((value) => isValid(name, value));
  return values.length === 0 ? [] : [{ name, value: Array.isArray(given) ? values : String(values[0]), rule: 'set' }];
}

function isValid(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
