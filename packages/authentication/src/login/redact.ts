import type { AuthenticationParams, AuthenticationResult } from '../authentication-types.ts';
import { entityPlace, shownEntity } from '../entity/entity-rules.ts';
import type { LoginHost } from './login-host.ts';

/**
 * Applies the rules of the entities to what goes to callers from outside, and so to the events.
 *
 * @param strategy name of the strategy that has logged in
 */
export function redact(
  host: LoginHost,
  result: AuthenticationResult,
  params: AuthenticationParams,
  strategy: string,
): AuthenticationResult {
  const place = entityPlace(host, host.getStrategy(strategy));
  if (params.provider === undefined || place === undefined) return result;
  const entity = result[place.name];
  if (typeof entity !== 'object' || entity === null) return result;
  return { ...result, [place.name]: shownEntity(host, place.path, entity, { params }) };
}
