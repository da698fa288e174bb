import { segment } from '../rest/request-url.ts';
import { need } from '../need.ts';
import type { Id } from '../transport.ts';

/**
 * The path of a service for one call, with its placeholders filled in.
 *
 * @param path for example `users/:userId/notes`
 * @throws TypeError for a placeholder without a value
 */
export function servicePath(path: string, route: Readonly<Record<string, Id>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = Object.hasOwn(route, name) ? route[name] : undefined;
    return segment(String(need(value, `The path '${path}' needs 'params.route.${name}'`)));
  });
}

/** A path without outer slashes. */
export function withoutSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}
