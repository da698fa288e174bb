import type { Sessions } from '../sessions/sessions.ts';
import { property } from '../values.ts';
import { cookieNames, usesCookies } from './cookies.ts';

/** An authentication service of an application. */
interface CookieService {
  readonly sessions?: Sessions | undefined;
}

const warned = new WeakSet<object>();

/**
 * Warns of two authentication services of an application whose cookies have the same names: a login at one takes the place of that at the other, whose users are
 * logged out without a word.
 *
 * @param services those of the application, by their paths
 * @param location path of the one that is set up
 */
export function warnOfSameCookies(services: object, location: string): void {
  const own = nameOf(property(services, location));
  if (own === undefined || warned.has(services)) return;
  for (const [path, service] of Object.entries(services)) {
    if (path === location || nameOf(service) !== own) continue;
    warned.add(services);
    process.emitWarning(
      `The authentication services '${path}' and '${location}' have cookies of the same names: a login at one takes the place of that at the other. Give one of them 'sessions.cookieName'`,
      { code: 'SAME_COOKIES' },
    );
    return;
  }
}

/** @returns the name of the cookie of a service's refresh tokens; `undefined` for what has no cookies */
function nameOf(service: unknown): string | undefined {
  if (typeof property(service, 'configKey') !== 'string') return undefined;
  const { sessions } = service as CookieService;
  return usesCookies(sessions?.settings) ? cookieNames(sessions?.settings).refresh : undefined;
}
