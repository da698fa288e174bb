import { stringifyQuery } from '@framework/query';
import { FrameworkClientError } from '../errors/client-error.ts';
import type { TransportCall } from '../transport.ts';

/**
 * The address of a call.
 *
 * @param base address of the server, without a slash at its end
 * @param maxUrl most letters of it
 * @throws FrameworkClientError (414, `url-too-long`); TypeError for an id that no address can carry, and as `stringifyQuery` of `@framework/query`
 * @see interface 4.1, security S12
 */
export function requestUrl(base: string, { path, id, params }: TransportCall, maxUrl: number): string {
  const query = stringifyQuery(params.query ?? {});
  // The service at the root has no path, and two slashes would lead to another server.
  const target = `${base}/${path}` + (id === undefined || id === null ? '' : (path && '/') + segment(id));
  const url = target + (query && '?' + query);
  if (url.length <= maxUrl) return url;
  throw new FrameworkClientError('url-too-long', `The address has more than ${maxUrl} letters ('maxUrl')`, { code: 414 });
}

/**
 * Text as one segment of a path.
 *
 * @throws TypeError for what leads to another address: `''`, `.` and `..`; for an object, which is data in the place of an id
 */
export function segment(id: string | number): string {
  if (/^(\.{0,2}|\[object \w+])$/.test(`${id}`)) throw new TypeError(`'${id}' can not be an id or path`);
  return encodeURIComponent(id);
}
