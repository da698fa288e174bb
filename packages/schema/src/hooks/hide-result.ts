import type { HookContext, NextFunction } from '@framework/core';
import type { HideFields } from '../hidden/hidden-fields.ts';

/**
 * Around hook that takes hidden properties out of what leaves the server: `dispatch` for every call, and the result itself for
 * calls from outside.
 *
 * @param hide takes them out of one record
 * @see security S7, S34
 */
export function hideResult(hide: HideFields): (context: HookContext, next: NextFunction) => Promise<void> {
  return async (context, next) => {
    await next();
    const shown = hideIn(context.dispatch === undefined ? context.result : context.dispatch, hide);
    context.dispatch = shown;
    if (context.params.provider !== undefined) context.result = hideIn(context.result, hide);
  };
}

function hideIn(result: unknown, hide: HideFields): unknown {
  if (Array.isArray(result)) return result.map(hide);
  if (typeof result !== 'object' || result === null) return result;
  if (Symbol.asyncIterator in result) return hidden(result as AsyncIterable<unknown>, hide);
  const { data } = result as { readonly data?: unknown };
  return Array.isArray(data) && 'total' in result ? { ...result, data: data.map(hide) } : hide(result);
}

/** Ending the loop early ends the source too. */
async function* hidden(records: AsyncIterable<unknown>, hide: HideFields): AsyncGenerator {
  for await (const record of records) yield hide(record);
}
