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

const SLASH = 47;
