import type { AuthenticationParams, AuthenticationRequest, AuthenticationStrategy } from '../authentication-types.ts';
import type { LoginIdentity } from './identity.ts';

/** @returns whether logins of a strategy are for an account that can be named before they are verified */
export function namesAccounts(strategy: AuthenticationStrategy): boolean {
  return strategy.identify !== undefined || strategy.accountOf !== undefined;
}

/** @returns whether nobody can guess what a strategy verifies; one that names accounts, or says nothing of it, may take any word */
export function isUnguessable(strategy: AuthenticationStrategy): boolean {
  return !namesAccounts(strategy) && (strategy.unguessable ?? strategy.countsFailures === true);
}

/** @returns whether the limiter counts wrong credentials of a strategy also where they come with a call, and not with a login alone */
export function countsCalls(strategy: AuthenticationStrategy): boolean {
  return namesAccounts(strategy) || strategy.countsFailures === true;
}

/**
 * Finds whom a login is for.
 *
 * @throws the error of the strategy
 */
export async function identify(
  strategy: AuthenticationStrategy,
  data: AuthenticationRequest,
  params: AuthenticationParams,
): Promise<LoginIdentity> {
  if (strategy.identify) return unseen(await strategy.identify(data, params));
  return { account: strategy.accountOf?.(data) ?? '', known: false };
}

/** The identity lies in parameters that hooks of the entities get: what prints them, or copies what they hold, finds no secret of the entity there. */
function unseen({ entity, ...identity }: LoginIdentity): LoginIdentity {
  if (entity === undefined) return identity;
  return Object.defineProperty(identity, 'entity', { value: entity, writable: true, configurable: true });
}
