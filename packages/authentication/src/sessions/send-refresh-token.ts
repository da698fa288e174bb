import type { HookContext, NextFunction } from '@framework/core';
import { refreshCookie } from './refresh-cookie.ts';
import type { Sessions } from './sessions.ts';

/**
 * Around hook for `create` and `remove` of the authentication service: with cookies, the refresh token leaves the result
 * before anyone else sees it, and logging out takes the cookie away.
 *
 * @param sessions gives the sessions; `undefined` when they are off
 */
export function sendRefreshToken(sessions: () => Sessions | undefined): (context: HookContext, next: NextFunction) => Promise<void> {
  return async (context, next) => {
    await next();
    const settings = sessions()?.settings;
    const { provider } = context.params;
    if (settings?.refresh !== 'cookie' || provider === undefined) return;
    const { refreshToken, ...rest } = context.result as { refreshToken?: string };
    if (context.method === 'create' && refreshToken === undefined) return;
    context.result = rest;
    const cookie = refreshCookie(context.method === 'create' ? refreshToken : undefined, settings.idle / 1000, settings);
    context.http.headers = { ...context.http.headers, 'Set-Cookie': cookie };
  };
}
