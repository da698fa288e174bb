import { isThenable } from '../is-thenable.ts';
import type { HookContext } from './hook-types.ts';

/**
 * Refuses what a hook has set and not waited for: nobody has looked at the records in it, and a transport that waits would send them whole.
 *
 * @throws TypeError for a result, or what others get, that is a promise
 * @see security S7
 */
export function checkSettled(context: HookContext): void {
  if (isThenable(context.result)) refuse(context, 'result', context.result);
  if (isThenable(context.dispatch)) refuse(context, 'dispatch', context.dispatch);
}

function refuse({ path, method }: HookContext, property: string, promise: PromiseLike<unknown>): never {
  // Nobody waits for it, and its error would end the process. Others than promises may begin their work when they are waited for.
  if (promise instanceof Promise) promise.catch(() => undefined);
  throw new TypeError(
    `context.${property} of '${path}.${method}' is a promise: wait for it in the hook that sets it, as context.${property} = await …`,
  );
}
