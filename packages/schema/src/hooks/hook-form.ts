import type { HookContext, NextFunction } from '@framework/core';

/** A hook that works before the method, as a before or an around hook. */
export type BeforeHook = (context: HookContext, next?: NextFunction) => Promise<void>;

/** A hook that works after the method, as an around or an after hook. */
export type ResultHook = (context: HookContext, next?: NextFunction) => Promise<void>;

/** Makes a before hook of a piece of work. */
export function beforeHook(work: (context: HookContext) => Promise<void>): BeforeHook {
  return async (context, next) => {
    await work(context);
    if (context.type === 'around') await next?.();
  };
}

/** Applies a function to each record of a result: one, a list, or a page. */
export async function eachRecord(result: unknown, of: (record: unknown) => Promise<unknown>): Promise<unknown> {
  if (Array.isArray(result)) return Promise.all(result.map(of));
  const page = result as { readonly data?: unknown; readonly total?: unknown } | null | undefined;
  if (typeof page === 'object' && page !== null && Array.isArray(page.data) && 'total' in page)
    return { ...page, data: await Promise.all(page.data.map(of)) };
  return typeof result === 'object' && result !== null ? of(result) : result;
}
