import { stripSlashes } from '@framework/core';
import { AuthenticationBase } from '../authentication-base.ts';
import { entityPlace } from '../entity/entity-rules.ts';
import { JWTStrategy } from '../strategies/jwt-strategy.ts';
import { property } from '../values.ts';
import { verifyToken } from './verify-token.ts';

/** How long a token lasts that is made to see who takes it, in seconds. */
const TRIAL_LIFE = 60;

/** An authentication service, and its path. */
type Registered = readonly [path: string, service: AuthenticationBase];

/**
 * Refuses two authentication services of an application of which one takes tokens of the other and has other entities: a token names its entity by the id alone, which is
 * that of somebody else there (security S18). A token of a session belongs to one service.
 *
 * @param service one of them, in an application with all its services
 * @param location its path
 * @throws Error that names what to mend
 */
export async function refuseSharedTokens(service: AuthenticationBase, location: string): Promise<void> {
  for (const [path, other] of Object.entries(service.app.services) as [string, unknown][]) {
    if (!(other instanceof AuthenticationBase) || other === service) continue;
    await refuseTokens([location, service], [path, other]);
    await refuseTokens([path, other], [location, service]);
  }
}

/** @throws Error where tokens of the first one count at the second one, for somebody else */
async function refuseTokens([maker, from]: Registered, [taker, to]: Registered): Promise<void> {
  const entities = entitiesAt(from);
  if (to.sessions !== undefined || entities === undefined) return;
  const strategies = to.strategyNames.map((name) => to.getStrategy(name)).filter((strategy) => strategy instanceof JWTStrategy);
  const others = strategies.map((strategy) => entitiesAt(to, strategy)).find((found) => found && found.service !== entities.service);
  if (others === undefined || !(await takesTokens(from, to))) return;
  throw new Error(
    `Tokens of '${maker}' would count at '${taker}', for whoever has the same id in '${others.path}'. ` +
      `Give '${to.configKey}' a 'secret' or a 'jwtOptions.audience' of its own, or set '${to.configKey}.sessions'`,
  );
}

/** @returns the service of the entities that a token names; `undefined` where there is none */
function entitiesAt(host: AuthenticationBase, strategy?: JWTStrategy): { readonly path: string; readonly service: unknown } | undefined {
  const path = entityPlace(host, strategy)?.path;
  if (path === undefined) return undefined;
  const service = property(host.app.services, stripSlashes(path) || '/');
  return service === undefined ? undefined : { path, service };
}

/** Keys and options may be the same in many ways: a token tells. */
async function takesTokens(from: AuthenticationBase, to: AuthenticationBase): Promise<boolean> {
  const { secret, keys, jwtOptions = {} } = to.configuration;
  try {
    const token = await from.createAccessToken({}, { subject: 'nobody', expiresIn: TRIAL_LIFE, notBefore: 0 });
    await verifyToken(token, jwtOptions, { secret, keys });
    return true;
  } catch {
    // One that only verifies makes none, and one that is wrong says so itself.
    return false;
  }
}
