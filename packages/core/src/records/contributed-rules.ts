import { CORE } from '../package-copy.ts';
import type { Contribution } from './record-rules.ts';

/**
 * Key of what a service, or a hook of one, adds to the rules of the service's records, a `Contribution`; it is read when the service or the
 * hook is registered. Copies of this package know each other's.
 */
export const contributedRules: unique symbol = Symbol.for('@framework/contributed-rules');

/**
 * Marks a hook that says something of the records of its service, whatever method it is registered for: `protect` and `hashPassword` do. Hooks of an
 * application, and those that are called by other hooks, add nothing.
 *
 * @param hook a hook
 * @param contribution what is added to the rules of a service that the hook is registered on
 * @returns the same hook
 */
export function contributing<H extends object>(hook: H, contribution: Contribution): H {
  return Object.defineProperty(CORE.mark(hook), contributedRules, { value: contribution, configurable: true });
}

/** @returns what a service or a hook adds, or `undefined` */
export function contributionOf(value: object): Contribution | undefined {
  const own: unknown = Reflect.get(value, contributedRules);
  return typeof own === 'object' && own !== null ? own : undefined;
}
