/**
 * Removes slashes from both ends of a service path.
 *
 * @param path for example `/users/`
 * @returns for example `users`; an empty text for `/`
 */
export function stripSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === SLASH) start++;
  while (end > start && path.charCodeAt(end - 1) === SLASH) end--;
  return start === 0 && end === path.length ? path : path.slice(start, end);
}

/**
 * The place of a service in its application, in Unicode's normal form C: what looks the same is the same.
 *
 * @param path as callers give it: those without types may leave it out
 * @param called what it was given to
 * @throws TypeError for what is no text
 */
export function locationOf(path: string, called: string): string {
  if (typeof path !== 'string')
    throw new TypeError(`${called}() needs the path of a service, and got ${path === null ? 'null' : typeof path}`);
  const location = stripSlashes(path) || '/';
  return NOT_ASCII.test(location) ? location.normalize() : location;
}

/** What is ASCII alone is in every normal form: most paths are, and each call of a service asks for one. */
export const NOT_ASCII: RegExp = /[^\0-\x7f]/;

const SLASH = 47;
