import type { CredentialDescription, DescribedSchema, MethodDescription, ServiceDescription } from '@framework/core';
import type { AuthenticationBase } from './authentication-base.ts';

/** Statuses of a login or logout that fails, beside those of any call. */
const ERRORS: readonly number[] = [401, 403, 503];

/**
 * What an authentication service takes and gives, by the strategies that it has now, for tools that describe applications.
 *
 * @param service the service; its strategies are registered
 */
export function describeAuthentication(service: AuthenticationBase): ServiceDescription {
  const credentials = credentialsOf(service);
  return {
    text: 'Logs in and out.',
    methods: { create: describeLogin(service), remove: describeLogout(service, Object.keys(credentials)) },
    credentials,
    isDefault: service.app.get('defaultAuthentication') === service.configKey,
  };
}

function credentialsOf(service: AuthenticationBase): Readonly<Record<string, readonly CredentialDescription[]>> {
  const { authStrategies = [], parseStrategies = authStrategies } = service.configuration;
  const described = parseStrategies.map((name) => [name, service.getStrategy(name)?.describe?.().credentials ?? []] as const);
  return Object.fromEntries(described.filter(([, credentials]) => credentials.length > 0));
}

function describeLogin(service: AuthenticationBase): MethodDescription {
  const { authStrategies = [] } = service.configuration;
  const offered = service.strategyNames.filter((name) => service.getStrategy(name)?.describe?.().isOffered === true);
  const names = [...authStrategies, ...(service.sessions?.settings.refresh ? ['refresh'] : []), ...offered];
  // Whoever has a token already hardly logs in: what gives one comes first.
  const isToken = (name: string): boolean => service.getStrategy(name)?.describe?.().credentials !== undefined;
  const bodies = [...names.filter((name) => !isToken(name)), ...names.filter(isToken)].flatMap((name) => bodyOf(service, name));
  const [only] = bodies;
  return {
    summary: 'Log in',
    ...(only === undefined ? {} : { data: bodies.length === 1 ? only : { oneOf: bodies } }),
    result: answer(service, true),
    errors: [...ERRORS, 429],
  };
}

function bodyOf(service: AuthenticationBase, name: string): DescribedSchema[] {
  const strategy = service.getStrategy(name);
  if (!strategy || strategy.callsOnly === true) return [];
  const description = strategy.describe?.();
  // One that describes itself says what it logs in with; of others nothing is known.
  if (description !== undefined && description.login === undefined) return [];
  const { properties, required } = description?.login ?? { properties: {}, required: [] };
  return [{ type: 'object', properties: { strategy: { const: name }, ...properties }, required: ['strategy', ...required] }];
}

function describeLogout(service: AuthenticationBase, strategies: readonly string[]): MethodDescription {
  return {
    summary: 'Log out',
    description: 'Ends the login whose credentials come with the request.',
    ids: 'either',
    result: answer(service, false),
    errors: ERRORS,
    strategies,
  };
}

function answer(service: AuthenticationBase, isLogin: boolean): DescribedSchema {
  const { entity, service: entities } = service.configuration;
  const text = { type: 'string' };
  return {
    type: 'object',
    properties: {
      accessToken: text,
      ...(isLogin && service.sessions?.settings.refresh === 'json' ? { refreshToken: text } : {}),
      authentication: { type: 'object', properties: { strategy: text }, required: ['strategy'] },
      ...(typeof entity === 'string' && entities !== undefined ? { [entity]: { $ref: `service:${entities}` } } : {}),
    },
    required: isLogin ? ['accessToken', 'authentication'] : ['authentication'],
  };
}
