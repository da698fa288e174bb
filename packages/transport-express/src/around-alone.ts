/**
 * An around hook that stands among other hooks, or among middleware, is called without a function that goes on.
 *
 * @param name of the hook, as it is listed
 * @param next what it was called with
 * @throws TypeError where that goes nowhere
 */
export function aroundAlone(name: string, next: unknown): void {
  if (typeof next === 'function') return;
  throw new TypeError(`${name} is an around hook, and neither another one nor middleware: app.hooks({ around: { all: [${name}] } })`);
}
