/**
 * Where an application lies in those that it is mounted in by Express.
 *
 * @returns a path that begins with a slash; `/` for an application that is not mounted, and for one at several paths, of which none is its own
 */
export function placeOf(app: object): string {
  const path: unknown = 'path' in app && typeof app.path === 'function' ? Reflect.apply(app.path, app, []) : '';
  if (typeof path !== 'string' || path.includes(',')) return '/';
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;
}
