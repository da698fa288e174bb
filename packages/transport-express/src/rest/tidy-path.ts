import { localPath } from '../answer/location.ts';
import { isExpress4 } from '../dispatch/express-internals.ts';
import type { Request } from '../middleware-types.ts';

/** Slashes that lead nowhere: more than one in front, or more than one at the end. */
const LOOSE = /^\/\/|\/\/$/;
/** The same where routes are not passed with a slash at their end either. */
const LOOSE_OF_STRICT = /^\/\/|.\/$/;

/**
 * The URL that a request should have come with. The lookup of services passes over outer slashes, and middleware with a path does not: it would guard
 * `/admin`, and be passed by on the way of `//admin`. So a service has one spelling, and clients are sent there.
 *
 * @returns a path on the same host, with the query; `undefined` for a request that has it
 */
export function tidyUrl(req: Request): string | undefined {
  const strict = req.app.enabled('strict routing');
  if (!(strict ? LOOSE_OF_STRICT : LOOSE).test(req.path) && !hasLooseMount(req)) return undefined;
  const url = localPath(req.url);
  const end = url.indexOf('?');
  const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  return localPath(`${req.baseUrl}${withoutLooseEnd(path, strict)}${query}`);
}

/** Express 4 takes a slash behind the path of a mount too, and leaves no trace of it: `/api//admin` is `/admin` in what is mounted at `/api`. */
function hasLooseMount({ app, baseUrl, path, originalUrl }: Request): boolean {
  if (baseUrl === '' || !originalUrl.includes('//') || !isExpress4(app)) return false;
  const [asked = ''] = localPath(originalUrl).split('?', 1);
  const own = `${baseUrl}${path}`;
  return asked !== own && withSingleSlashes(asked) === withSingleSlashes(own);
}

function withSingleSlashes(path: string): string {
  return path.replace(/\/+/g, '/');
}

function withoutLooseEnd(path: string, strict: boolean): string {
  let length = path.length;
  while (length > 1 && path.endsWith(strict ? '/' : '//', length)) length -= 1;
  return path.slice(0, length);
}
