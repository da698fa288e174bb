import { tellListeners, type HookContext, type NextFunction } from '@framework/core';
import type { AuthenticationApplication } from '../authentication-types.ts';
import { whenAnswered } from '../login/after-answer.ts';
import { property } from '../values.ts';

/**
 * Around hook that emits `login` or `logout` on the application of the call after a successful one from outside (interface 6).
 *
 * @param name name of the event
 */
export function event(name: 'login' | 'logout'): (context: HookContext, next: NextFunction) => Promise<void> {
  return async function announceLogin(context, next) {
    const follow = whenAnswered(context.params, 'event');
    await next();
    const { app, params, result } = context;
    if (params.provider === undefined || !result) return;
    // Refresh tokens are for the client alone.
    const { refreshToken, ...shown } = result as Readonly<Record<string, unknown>>;
    await follow(() => {
      // Hooks around this one may have taken something of it away.
      const isWhole = refreshToken === undefined && Object.keys(shown).every((key) => property(result, key) === shown[key]);
      tellListeners(app as AuthenticationApplication, name, [isWhole ? result : shown, params, context]);
    });
  };
}
