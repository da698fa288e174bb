import { eachRecord, NOBODY, PathRules, type HookContext, type NextFunction } from '@framework/core';

/**
 * Hook that leaves properties out of what is sent: it sets `context.dispatch`, and for calls from outside the result too. It says nothing of
 * queries and data: what is to be kept from those too is `Hidden` or `WriteOnly` in the description of the records.
 *
 * @param fields properties; dotted paths are allowed, and go through lists
 * @throws TypeError for what is no path
 */
export function protect(...fields: string[]): (context: HookContext, next?: NextFunction) => Promise<void> {
  const rules = new PathRules().add({ hidden: fields });
  const work = { record: rules.redactor(NOBODY), other: rules.redactor(NOBODY, true) };
  return async (context, next) => {
    if (context.type === 'around') await next?.();
    context.dispatch = eachRecord(context, context.dispatch ?? context.result, work);
    // Calls that are made by hand may have no parameters.
    if ((context.params as { readonly provider?: unknown } | undefined)?.provider !== undefined) context.result = context.dispatch;
  };
}
