import type { HookContext, NextFunction } from '@framework/core';
import type { AuthenticationApplication } from '../authentication-types.ts';
import { tell } from '../events/tell.ts';

/**
 * Around hook that emits `login` or `logout` on the application of the call after a successful one from outside (interface 6).
 *
 * @param name name of the event
 */
export function event(name: 'login' | 'logout'): (context: HookContext, next: NextFunction) => Promise<void> {
  return async function announceLogin(context, next) {
    await next();
    const { app, params, result } = context;
    if (params.provider === undefined || !result) return;
    // Refresh tokens are for the client alone.
    const { refreshToken, ...shown } = result as { readonly refreshToken?: unknown };
    tell(app as AuthenticationApplication, name, refreshToken === undefined ? result : shown, params, context);
  };
}
