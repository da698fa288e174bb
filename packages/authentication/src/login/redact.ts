import { getRules, PathRules } from '@framework/core';
import type { AuthenticationParams, AuthenticationResult } from '../authentication-types.ts';
import type { LoginHost } from './login-host.ts';

/**
 * Applies the rules of the entities to what goes to callers from outside, and so to the events. What strategies keep secret holds also for
 * those that were registered after the application was set up.
 */
export function redact(
  { app, configuration, protectedFields }: LoginHost,
  result: AuthenticationResult,
  params: AuthenticationParams,
): AuthenticationResult {
  const { entity, service } = configuration;
  const record = typeof entity === 'string' ? result[entity] : undefined;
  if (params.provider === undefined || typeof entity !== 'string' || typeof record !== 'object' || record === null) return result;
  const viewer = { params };
  const rules = service === undefined ? undefined : getRules(app.service(service));
  const own = new PathRules().add({ writeOnly: protectedFields });
  return { ...result, [entity]: own.redact(rules ? rules.redact(record, viewer) : record, viewer) };
}
