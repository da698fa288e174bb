import { segment } from '../rest/request-url.ts';
import { need } from '../need.ts';
import type { Id } from '../transport.ts';

/**
 * The path of a service for one call, for URLs, with its placeholders filled in: what would mean something there, or be left out, is encoded. All else URLs encode by themselves, and a
 * server takes no other spelling.
 *
 * @param path for example `users/:userId/notes`
 * @throws TypeError for a placeholder without a value, and for `.` and `..`, which lead elsewhere
 */
export function servicePath(path: string, route: Readonly<Record<string, Id>> = {}): string {
  // It throws for what can be no part.
  path.replace(/[^/]+/g, segment);
  return path.replace(/[\s%\\?#]|:(\w+)/g, (mark, name?: string) =>
    segment(name ? need(Object.hasOwn(route, name) ? route[name] : null, `'${path}' needs params.route.${name}`) : mark),
  );
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
