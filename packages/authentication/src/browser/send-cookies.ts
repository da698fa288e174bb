import type { HookContext, NextFunction } from '@framework/core';
import type { AuthenticationResult } from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { derivedKey } from '../configuration/derived-key.ts';
import { notedAnswer } from '../login/after-answer.ts';
import type { SessionSettings } from '../sessions/session-settings.ts';
import { cookieHeader, cookieNames, usesCookies } from './cookies.ts';
import { DEVICE_AGE, deviceMark } from './device.ts';

/** What cookies are made of. */
export interface CookieSource {
  readonly configuration: AuthenticationConfiguration;
  readonly settings: SessionSettings | undefined;
}

/**
 * Around hook for `create` and `remove` of the authentication service: with cookies, tokens go into them, nobody else sees the refresh
 * token, and logging out takes the cookies away.
 *
 * @param source gives configuration and settings at present
 */
export function sendCookies(source: () => CookieSource): (context: HookContext, next: NextFunction) => Promise<void> {
  return async function setLoginCookies(context, next) {
    const noted = notedAnswer(context.params);
    await next();
    const { configuration, settings } = source();
    if (!settings || !usesCookies(settings) || context.params.provider === undefined) return;
    const { refreshToken, ...rest } = (context.result ?? {}) as AuthenticationResult & { refreshToken?: string };
    const login = {
      strategy: rest.authentication?.strategy,
      refreshToken: refreshToken ?? noted?.session?.refreshToken,
      accessToken: rest.accessToken ?? noted?.accessToken,
      payload: rest.authentication?.payload ?? noted?.payload,
    };
    const cookies = context.method === 'create' ? loginCookies(login, settings, configuration) : logoutCookies(settings);
    // It is there where a hook has taken away by what it would have come here.
    if (refreshToken !== undefined && settings.refresh === 'cookie') context.result = rest;
    if (cookies.length === 0) return;
    const { 'Set-Cookie': others = [], ...headers } = context.http.headers ?? {};
    context.http.headers = { ...headers, 'Set-Cookie': [others, cookies].flat() };
  };
}

/** What a login gave. */
interface Login {
  readonly strategy: string | undefined;
  readonly refreshToken: string | undefined;
  readonly accessToken: string | undefined;
  /** Claims of the access token. */
  readonly payload: Readonly<Record<string, unknown>> | undefined;
}

function loginCookies(
  { strategy, refreshToken, accessToken, payload = {} }: Login,
  settings: SessionSettings,
  configuration: AuthenticationConfiguration,
): string[] {
  const { sub, exp, sid } = payload;
  // A token that only comes back from where it was sent needs no cookies.
  if (typeof sid !== 'string' || strategy === 'jwt') return [];
  const strict = settings.sameSite ?? 'Strict';
  const names = cookieNames(settings);
  const cookies: string[] = [];
  if (settings.refresh === 'cookie' && refreshToken !== undefined)
    cookies.push(cookieHeader(names.refresh, refreshToken, settings.idle / 1000, strict));
  if (settings.cookie && accessToken !== undefined) {
    const left = typeof exp === 'number' ? exp - Date.now() / 1000 : settings.maxAge / 1000;
    cookies.push(cookieHeader(names.access, accessToken, left, settings.sameSite ?? 'Lax'));
  }
  if (typeof sub === 'string')
    cookies.push(cookieHeader(names.device, deviceMark(sub, derivedKey(configuration, 'device')), DEVICE_AGE, 'Lax'));
  return cookies;
}

function logoutCookies(settings: SessionSettings): string[] {
  const strict = settings.sameSite ?? 'Strict';
  const names = cookieNames(settings);
  return [
    ...(settings.refresh === 'cookie' ? [cookieHeader(names.refresh, undefined, 0, strict)] : []),
    ...(settings.cookie ? [cookieHeader(names.access, undefined, 0, settings.sameSite ?? 'Lax')] : []),
  ];
}
