import type { AuthenticationBase } from './authentication-base.ts';
import type { AuthenticationApplication } from './authentication-types.ts';
import { AUTHENTICATION } from './package-copy.ts';

/**
 * Finds an authentication service.
 *
 * @param path path of a certain service; without it the default one, which the setting `defaultAuthentication` names
 * @returns the registered service, or `undefined`
 * @throws Error for one of another copy of this package
 */
export function findAuthentication(app: AuthenticationApplication, path?: string): AuthenticationBase | undefined {
  if (path !== undefined) return own(app.service(path) as AuthenticationBase);
  const configKey = app.get('defaultAuthentication');
  if (typeof configKey !== 'string') return undefined;
  const services = app.services as Record<string, Partial<AuthenticationBase>>;
  const known = cache.get(services);
  if (known && known.configKey === configKey && services[known.path] === known.service) return known.service;
  for (const [location, service] of Object.entries(services)) {
    if (service.configKey !== configKey || typeof service.authenticate !== 'function') continue;
    const found = own(service as AuthenticationBase);
    cache.set(services, { configKey, path: location, service: found });
    return found;
  }
  return undefined;
}

function own(service: AuthenticationBase): AuthenticationBase {
  AUTHENTICATION.refuseOthers(service, 'the authentication service');
  return service;
}

const cache = new WeakMap<object, { readonly configKey: string; readonly path: string; readonly service: AuthenticationBase }>();
