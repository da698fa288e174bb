import { aroundLevel, compose, methodCall, type Run } from '../hooks/compose.ts';
import type { AnyFunction } from '../is-function.ts';

/**
 * Puts hooks around a chain, and around what is taken out of results that leave: they see what an event of the call will hold.
 *
 * @param hooks outermost first
 * @param chain `undefined` for a method without hooks
 * @param original the service method itself
 * @param show takes out of a result what may not leave, where no hook does
 */
export function wrappedChain(
  hooks: readonly AnyFunction[],
  chain: Run | undefined,
  original: AnyFunction,
  show: (context: Parameters<Run>[0]) => void,
): Run | undefined {
  if (hooks.length === 0) return chain;
  const inside = chain ?? methodCall(original);
  return compose(hooks.map(aroundLevel), async (context) => {
    await inside(context);
    show(context);
  });
}
