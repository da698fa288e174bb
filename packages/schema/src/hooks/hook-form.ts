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
