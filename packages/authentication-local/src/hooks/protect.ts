import type { HookContext, NextFunction } from '@framework/core';
import { withoutValue } from '../field-path.ts';

/**
 * Hook that leaves properties out of what is sent: it sets `context.dispatch`, and for calls from outside the result too.
 *
 * @param fields properties; dotted paths are allowed
 */
export function protect(...fields: string[]): (context: HookContext, next?: NextFunction) => Promise<void> {
  const clean = (record: unknown): unknown => {
    if (typeof record !== 'object' || record === null) return record;
    const source = typeof (record as { toJSON?: unknown }).toJSON === 'function' ? (record as { toJSON(): unknown }).toJSON() : record;
    return fields.reduce((copy, field) => withoutValue(copy, field), source as Record<string, unknown>);
  };
  return async (context, next) => {
    if (context.type === 'around') await next?.();
    const shown = context.dispatch ?? context.result;
    context.dispatch = protectResult(shown, context.method, clean);
    // Calls that are made by hand may have no parameters.
    if ((context.params as { readonly provider?: unknown } | undefined)?.provider !== undefined) context.result = context.dispatch;
  };
}

function protectResult(result: unknown, method: string, clean: (record: unknown) => unknown): unknown {
  if (Array.isArray(result)) return result.map(clean);
  const page = result as { readonly data?: unknown } | null | undefined;
  if (method === 'find' && Array.isArray(page?.data)) return { ...page, data: page.data.map(clean) };
  return clean(result);
}
