import { CORE } from '../package-copy.ts';

/**
 * Marks a hook that asks this copy of the core for what only it knows of a call. An application of another copy refuses it when it is registered: its first call
 * would fail otherwise.
 *
 * @param hook a hook
 * @returns the same hook
 */
export function usingCore<H extends object>(hook: H): H {
  return CORE.mark(hook);
}
