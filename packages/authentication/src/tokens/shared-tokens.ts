import { outermostApplications, stripSlashes } from '@framework/core';
import { AuthenticationBase } from '../authentication-base.ts';
import { entityPlace } from '../entity/entity-rules.ts';
import { isOfScope, sessionScope, type SessionScope } from '../sessions/session-scope.ts';
import { JWTStrategy } from '../strategies/jwt-strategy.ts';
import { property } from '../values.ts';
import { verifyToken } from './verify-token.ts';

/** How long a token lasts that is made to see who takes it, in seconds. */
const TRIAL_LIFE = 60;

/** An authentication service, and its path. */
type Registered = readonly [path: string, service: AuthenticationBase];

/**
 * Refuses two authentication services, of one application or of those that lie in each other, of which one takes tokens of the other and has other entities: a token names
 * its entity by the id alone, which is that of somebody else there (security S18). A token of a session belongs to one service, where the session can be told from those of the other.
 *
 * @param service one of them, in an application with all its services
 * @param location its path
 * @throws Error that names what to mend
 */
export async function refuseSharedTokens(service: AuthenticationBase, location: string): Promise<void> {
  const all = servicesBeside(service);
  const own = all.find(([, other]) => other === service)?.[0] ?? location;
  for (const [path, other] of all) {
    if (!(other instanceof AuthenticationBase) || other === service) continue;
    await refuseTokens([own, service], [path, other]);
    await refuseTokens([path, other], [own, service]);
  }
}

/** Services as the outermost application has them. */
function servicesBeside({ app }: AuthenticationBase): [path: string, service: unknown][] {
  const outermost = outermostApplications(app);
  return (outermost.length === 0 ? [app] : outermost).flatMap((one) => Object.entries(property(one, 'services') ?? {}));
}

/** @throws Error where tokens of the first one count at the second one, for somebody else */
async function refuseTokens([maker, from]: Registered, [taker, to]: Registered): Promise<void> {
  const entities = entitiesAt(from);
  if (entities === undefined) return;
  const strategies = to.strategyNames.map((name) => to.getStrategy(name)).filter((strategy) => strategy instanceof JWTStrategy);
  const found = strategies.flatMap((strategy) => entitiesAt(to, strategy) ?? []).filter(({ service }) => service !== entities.service);
  const { sessions } = to;
  if (found.length === 0 || !(await (sessions ? shareSessions(from, to) : takesTokens(from, to)))) return;
  const others = await othersAmong(entities, found);
  if (others === undefined) return;
  throw new Error(
    sessions
      ? `Sessions of '${maker}' would count at '${taker}', for whoever has the same id in '${others.path}': both keep them in one place, with the same setting, audience and path of ` +
          `users. Give '${to.configKey}' at '${taker}' a 'jwtOptions.audience' or a 'sessions.service' of its own`
      : `Tokens of '${maker}' would count at '${taker}', for whoever has the same id in '${others.path}'. ` +
          `Give '${to.configKey}' a 'secret' or a 'jwtOptions.audience' of its own, or set '${to.configKey}.sessions'; where both are to have the same users, give them one service of users`,
  );
}

/** A service of entities, and its path. */
interface Entities {
  readonly path: string;
  readonly service: unknown;
}

/** @returns the first that has other entities; `undefined` where all have the same */
async function othersAmong(entities: Entities, all: readonly Entities[]): Promise<Entities | undefined> {
  for (const found of all) if (!(await isSameEntities(entities.service, found.service))) return found;
  return undefined;
}

/** Two services of one collection have the same entities. Where two databases may be meant, it counts as others. */
async function isSameEntities(service: unknown, second: unknown): Promise<boolean> {
  const [one, other] = await Promise.all([collectionOf(service), collectionOf(second)]);
  if (one === undefined || other === undefined) return false;
  const client = property(one, 'client');
  return one === other || (client !== undefined && client === property(other, 'client') && isSameName(one, other));
}

/** @returns the service of the entities that a token names; `undefined` where there is none */
function entitiesAt(host: AuthenticationBase, strategy?: JWTStrategy): Entities | undefined {
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

/** Whether two services take each other's sessions for their own, and find them. */
async function shareSessions(one: AuthenticationBase, other: AuthenticationBase): Promise<boolean> {
  const [own, others] = [sessionScopeOf(one), sessionScopeOf(other)];
  if (!isOfScope(own, others)) return false;
  const [store, second] = [storeOf(one), storeOf(other)];
  return store !== undefined && (store === second || (await isOneCollection(store, second)));
}

const sessionScopeOf = ({ configKey, configuration }: AuthenticationBase): SessionScope => sessionScope(configKey, configuration);

function storeOf({ app, sessions }: AuthenticationBase): unknown {
  return sessions && property(app.services, stripSlashes(sessions.settings.service) || '/');
}

/** Two services on a database may have one collection (interface 4.5). Of two databases nothing tells whether they are one: the same names in both count as the same. */
async function isOneCollection(store: unknown, second: unknown): Promise<boolean> {
  const [one, other] = await Promise.all([collectionOf(store), collectionOf(second)]);
  if (one === undefined || other === undefined) return false;
  return one === other || isSameName(one, other);
}

function isSameName(one: unknown, other: unknown): boolean {
  const name = property(one, 'namespace');
  return typeof name === 'string' && name === property(other, 'namespace');
}

async function collectionOf(store: unknown): Promise<unknown> {
  const getModel = property(store, 'getModel');
  return typeof getModel === 'function' ? await Reflect.apply(getModel, store, []) : undefined;
}
