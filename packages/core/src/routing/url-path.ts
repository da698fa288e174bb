/** What no URL has in its path as it is: controls, spaces, whatever is no ASCII, and a `%` that begins no escape. */
const ENCODED = /[\0-\x20\x7f-\u{10ffff}]+|%(?![0-9a-f]{2})/giu;
const ESCAPE = /%[0-9a-f]{2}/i;
/** What browsers encode though it is ASCII, and `\`, which they take for a slash. */
const REWRITTEN = /["<>\\^`{}]/;
/** Segments that clients resolve before they ask. */
const RESOLVED = /(?:^|\/)(\.\.?)(?:$|\/)/;
/** Half of a pair, which has no UTF-8. */
const LONE = /\p{Surrogate}/gu;

/**
 * A path as URLs have it: spaces and what is no ASCII are percent-encoded, as UTF-8 of the normal form C. What is encoded stays as it is.
 *
 * @param path as text, for example `Café menu/:id`
 * @returns for example `Caf%C3%A9%20menu/:id`
 */
export function urlPath(path: string): string {
  return path.normalize().replaceAll(LONE, '\ufffd').replaceAll(ENCODED, encodeURIComponent);
}

/**
 * The text that a segment of a URL's path names a service by. Each has one spelling, so that what guards a path by its spelling, as middleware does,
 * guards the service: `%61dmin` is not `admin`, `a%2Fb` not `a/b`, and `caf%c3%a9` not `café`.
 *
 * @param segment for example `Caf%C3%A9`; what has no `%` is text already
 * @returns for example `Café`; `undefined` for what is no such spelling
 */
export function segmentText(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    const text = decodeURIComponent(segment);
    return urlPath(text) === urlPath(segment) ? text : undefined;
  } catch {
    // Nothing has a name that can not be written.
    return undefined;
  }
}

/** @returns the text of a path that URLs have, also of patterns; what is no spelling of a text stays as it is */
export function pathText(path: string): string {
  return path
    .split('/')
    .map((segment) => segmentText(segment) ?? segment)
    .join('/');
}

/**
 * Looks at the path of a registration.
 *
 * @throws Error for a path that is percent-encoded: it would be another one than it seems; for one that no URL leads to, since its own path ends before;
 * for one that comes in another spelling from some clients, or without some of its segments: it has one alone, and would not be found
 */
export function refuseEncoded(path: string): void {
  const end = /[?#]/.exec(path);
  if (end) throw new Error(`The path '${path}' has a '${end[0]}', with which the path of a URL ends. Give the service a path without it`);
  const rewritten = REWRITTEN.exec(path);
  if (rewritten)
    throw new Error(
      `The path '${path}' has a '${rewritten[0]}', which browsers and clients write in another way: their requests would not find the service. Give the service a path without it`,
    );
  const resolved = RESOLVED.exec(path)?.[1];
  if (resolved)
    throw new Error(
      `The path '${path}' has the segment '${resolved}', which browsers and clients take out before they ask: their requests would not find the service. Give the service a path without it`,
    );
  const escape = ESCAPE.exec(path);
  if (escape)
    throw new Error(
      `The path '${path}' has the percent-encoding '${escape[0]}'. Write the text itself: requests have it encoded, and it is decoded`,
    );
}
