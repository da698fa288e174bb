import { findAuthentication, type AuthenticationApplication } from '@framework/authentication';
import { BadRequest } from '@framework/errors';
import { isRecord } from './field-path.ts';

/** What hashing needs of a strategy. */
export interface PasswordHasher {
  hashPassword(password: string, params: unknown): Promise<string>;
}

/**
 * Finds the strategy that hashes passwords.
 *
 * @param app the application
 * @param strategy name of the strategy
 * @param service path of the authentication service. Default: the default one
 * @throws BadRequest (400) when there is none
 */
export function findPasswordHasher(app: unknown, strategy: string, service?: string): PasswordHasher {
  const authentication = findAuthentication(app as AuthenticationApplication, service);
  if (!authentication) throw new BadRequest('Could not find an authentication service to hash password');
  const found: unknown = authentication.getStrategy(strategy);
  if (!isHasher(found)) throw new BadRequest(`Could not find '${strategy}' strategy to hash password`);
  return found;
}

function isHasher(strategy: unknown): strategy is PasswordHasher {
  return isRecord(strategy) && typeof strategy.hashPassword === 'function';
}
