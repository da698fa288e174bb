import { stripSlashes } from '@framework/core';

/** Authentication data as a strategy parsed it from a request. */
export interface AuthenticationRequest {
  /** Name of the strategy. */
  strategy?: string;
  [name: string]: unknown;
}

/** What this package needs of an authentication service. It imports none: the service is found by its setting. */
export interface AuthenticationPort {
  /** Setting under which its configuration lies. */
  readonly configKey: string;
  readonly configuration: { readonly authStrategies?: readonly string[]; readonly parseStrategies?: readonly string[] };
  parse(req: unknown, res: unknown, ...strategies: string[]): Promise<AuthenticationRequest | null>;
  authenticate(data: AuthenticationRequest, params: object, ...strategies: string[]): Promise<Record<string, unknown>>;
}

/** Where an authentication service is looked for. */
export interface AuthenticationHost {
  readonly services: object;
  get(name: 'defaultAuthentication'): unknown;
}

/**
 * Finds an authentication service.
 *
 * @param path path of a certain service; without it the default one, which the setting `defaultAuthentication` names
 * @returns the service, or `undefined` when there is none
 */
export function findAuthentication(app: AuthenticationHost, path?: string): AuthenticationPort | undefined {
  const services = app.services as Record<string, unknown>;
  if (path !== undefined) return asPort(services[stripSlashes(path) || '/']);
  const configKey = app.get('defaultAuthentication');
  if (typeof configKey !== 'string') return undefined;
  const known = cache.get(services);
  if (known?.configKey === configKey && services[known.path] === known.service) return known.service;
  for (const location of Object.keys(services)) {
    const service = asPort(services[location]);
    if (service?.configKey === configKey) {
      cache.set(services, { configKey, path: location, service });
      return service;
    }
  }
  return undefined;
}

const cache = new WeakMap<object, { configKey: string; path: string; service: AuthenticationPort }>();

function asPort(service: unknown): AuthenticationPort | undefined {
  const candidate = service as Partial<AuthenticationPort> | undefined;
  const fits =
    typeof candidate?.configKey === 'string' && typeof candidate.authenticate === 'function' && typeof candidate.parse === 'function';
  return fits ? (candidate as AuthenticationPort) : undefined;
}
