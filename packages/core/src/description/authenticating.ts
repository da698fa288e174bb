import { stripSlashes } from '../path.ts';

/** Key of what a hook asks of credentials. Copies of this package know each other's. */
const AUTHENTICATED_BY: unique symbol = Symbol.for('@framework/authenticated-by');

/** Which credentials a hook asks for. */
export interface NeededCredentials {
  /** Names of strategies, of which one is enough. */
  readonly strategies: readonly string[];
  /** Path of the authentication service. Default: the default one. */
  readonly service?: string | undefined;
}

/** One method of a service, as the hooks of an application see it. */
export interface HookedMethod {
  /** Path of the service in the application that the hook belongs to. */
  readonly path: string;
  readonly method: string;
}

/** Tells for a method what is needed; `undefined` where calls from outside need no credentials. */
export type NeedsCredentials = (called: HookedMethod) => NeededCredentials | undefined;

/**
 * Marks a hook that asks calls from outside for credentials, so that tools can tell which methods need a login. `authenticate` is marked; a hook that
 * calls it for some methods only says for which: `authenticating(hook, ({ method }) => (method === 'find' ? undefined : { strategies: ['jwt'] }))`.
 *
 * @param hook a hook, before or around, or middleware of a transport that stands beside a service
 * @param needs what it asks for; it has to say what the hook does
 * @returns the same hook
 */
export function authenticating<H extends object>(hook: H, needs: NeededCredentials | NeedsCredentials): H {
  const value: NeedsCredentials = typeof needs === 'function' ? needs : () => needs;
  return Object.defineProperty(hook, AUTHENTICATED_BY, { value, configurable: true });
}

/**
 * Tells what {@link authenticating} was told of a hook or middleware, for tools that look at an application.
 *
 * @returns what it asks for; `null` for no credentials, and `undefined` for one that does not say
 */
export function neededBy(hook: object, called: HookedMethod): NeededCredentials | null | undefined {
  const needs: unknown = Reflect.get(hook, AUTHENTICATED_BY);
  if (!isNeeds(needs)) return undefined;
  const needed = needs(called);
  // Slashes around a path say nothing.
  return needed?.service === undefined ? (needed ?? null) : { ...needed, service: stripSlashes(needed.service) || '/' };
}

function isNeeds(value: unknown): value is NeedsCredentials {
  return typeof value === 'function';
}
