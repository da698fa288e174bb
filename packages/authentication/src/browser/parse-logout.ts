import { stripSlashes } from '@framework/core';
import type { AuthenticationApplication, AuthenticationRequest, HttpRequest } from '../authentication-types.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { cookieNames, readCookie } from './cookies.ts';
import { isRecord, property } from '../values.ts';

/** What is needed of the authentication service that a request logs out at; requests are read by the default one. */
interface LogoutTarget {
  readonly configKey?: unknown;
  readonly configuration: AuthenticationConfiguration;
  readonly sessions?: Sessions | undefined;
}

/**
 * Reads the refresh token of a request that logs out at an authentication service: from its body, or with cookies from the cookie.
 * Where that came from is looked at by the service, whose refusals are told as those of every call.
 *
 * @param app the application with its authentication services
 * @returns authentication data, or `null` for any other request
 */
export function parseLogout(
  { app, method, path = '', body, headers = {} }: HttpRequest,
  { services: own }: AuthenticationApplication,
): AuthenticationRequest | null {
  if (method !== 'DELETE') return null;
  // The path of a request for a mounted application is that of the outer one.
  const services = servicesOf(app) ?? own;
  const location = stripSlashes(path) || '/';
  const target = Object.hasOwn(services, location) ? (services as Readonly<Record<string, LogoutTarget>>)[location] : undefined;
  const settings = typeof target?.configKey === 'string' ? target.sessions?.settings : undefined;
  if (!target || !settings) return null;
  const refreshToken = property(body, 'refreshToken');
  if (typeof refreshToken === 'string' && settings.refresh === 'json') return { strategy: 'refresh', refreshToken };
  const cookie = settings.refresh === 'cookie' ? readCookie(headers, cookieNames(settings).refresh) : undefined;
  if (cookie === undefined) return null;
  return { strategy: 'refresh', refreshToken: cookie, [FROM_COOKIE]: true };
}

/** Applications of Express are functions. */
function servicesOf(app: unknown): object | undefined {
  const services: unknown = typeof app === 'function' || isRecord(app) ? Reflect.get(app, 'services') : undefined;
  return isRecord(services) ? services : undefined;
}

const FROM_COOKIE: unique symbol = Symbol('framework.from-cookie');

/** @returns whether a browser has added authentication data to a request by itself, whoever asked it to send the request */
export function isFromCookie(authentication: AuthenticationRequest): boolean {
  return property(authentication, FROM_COOKIE) === true;
}
