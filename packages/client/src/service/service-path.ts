import { segment } from '../rest/request-url.ts';
import { need } from '../need.ts';
import type { Id } from '../transport.ts';

/**
 * The path of a service for one call, with its placeholders filled in, for URLs: those encode by themselves what they do not have as it is, but for `%`.
 *
 * @param path for example `users/:userId/notes`
 * @throws TypeError for a placeholder without a value
 */
export function servicePath(path: string, route: Readonly<Record<string, Id>> = {}): string {
  return path.replace(/%|:(\w+)/g, (_, name?: string) => {
    if (!name) return '%25';
    const value = Object.hasOwn(route, name) ? route[name] : undefined;
    return segment(need(value, `The path '${path}' needs 'params.route.${name}'`));
  });
}

/**
 * The text of a path of URLs.
 *
 * @throws TypeError for one that has a slash within a part: that says where parts end
 */
export function pathText(path: string): string {
  if (/%2f/i.test(path)) throw new TypeError(`'${path}' has a slash in the value of a placeholder, which goes over rest() alone`);
  return decodeURIComponent(path);
}

/** A path without outer slashes. */
export function withoutSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}
