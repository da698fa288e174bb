import type { AuthenticationParams, AuthenticationResult } from '../authentication-types.ts';
import { withoutPath } from '../entity/field-paths.ts';
import type { LoginHost } from './login-host.ts';

/** Leaves protected properties out of what goes to callers from outside, at any depth, and so out of the events. */
export function redact(
  { configuration, protectedFields }: LoginHost,
  result: AuthenticationResult,
  { provider }: AuthenticationParams,
): AuthenticationResult {
  const { entity } = configuration;
  const record = typeof entity === 'string' ? result[entity] : undefined;
  if (provider === undefined || typeof entity !== 'string' || typeof record !== 'object' || record === null) return result;
  return { ...result, [entity]: protectedFields.reduce(withoutPath, { ...record }) };
}
