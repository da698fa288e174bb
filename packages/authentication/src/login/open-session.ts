import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationParams } from '../authentication-types.ts';
import { ownEntities } from '../entity/entity-rules.ts';
import { warnOfOtherUsers } from '../entity/other-users.ts';
import { disabledField, entityIdName, refuseDisabled, secretsOf } from '../entity/entity-state.ts';
import { innerParams } from '../inner-params.ts';
import { clientOf } from '../sessions/session-client.ts';
import type { SessionDraft } from '../sessions/session-draft.ts';
import type { LoginHost } from './login-host.ts';
import type { LoginIdentity } from './identity.ts';
import type { LoginOrigin } from './login-origin.ts';
import { entityServiceAt, isMissing, readEntity } from '../entity/entity-service.ts';
import { property } from '../values.ts';

/** A login that was verified. */
export interface VerifiedLogin {
  /** Id of the entity, as text; empty where there is none. */
  readonly user: string;
  /** Name of the strategy. */
  readonly strategy: string;
  /** The entity as the strategy gave it. */
  readonly given: unknown;
  /** Whom the login was for. */
  readonly identity: LoginIdentity | undefined;
  /** Where it came from; `undefined` for a login of our own. */
  readonly origin: LoginOrigin | undefined;
}

/**
 * Admits an entity whose login was verified, and prepares its session; nothing is written yet.
 *
 * @returns `undefined` where sessions are off
 * @throws NotAuthenticated (401) for an entity that was removed, disabled or changed its secret meanwhile, and for one that is not what the service of the entities has
 *   under the text of its id; Unavailable (503)
 */
export async function openSession(host: LoginHost, login: VerifiedLogin, params: AuthenticationParams): Promise<SessionDraft | undefined> {
  const { sessions } = host;
  if (!sessions) {
    // Other servers may verify the token, and find whom it names in a way of their own.
    if (login.identity?.known === true && ownEntities(host, host.getStrategy(login.strategy)) !== undefined)
      await admit(host, login, params);
    else if (typeof idOf(host, login.given) === 'number')
      refuseNamesake(host, login, await byText(host, login, params).catch(unlessMissing));
    return undefined;
  }
  const epoch = await sessions.epochOf(login.user);
  const entity = await admit(host, login, params);
  return sessions.begin(login.user, epoch, clientOf(params), entity && { entity, fields: host.protectedFields }, login.origin);
}

/**
 * Looks at the entity once more after the epoch was read: whatever changes from here on is not what the session that is about to
 * begin has marked, or raises the epoch, and ends it.
 *
 * @returns the entity as it is stored; `undefined` where there is none
 */
async function admit(host: LoginHost, login: VerifiedLogin, params: AuthenticationParams): Promise<object | undefined> {
  const found = await present(byText(host, login, params));
  if (found === undefined) return undefined;
  refuseDisabled(found, disabledField(host.configuration));
  refuseNamesake(host, login, found);
  const verified = login.identity?.entity;
  if (verified && secretsOf(found, host.protectedFields) !== secretsOf(verified, host.protectedFields)) {
    warnOfOtherUsers(host, host.getStrategy(login.strategy), `A login with '${login.strategy}'`);
    throw invalid();
  }
  return found;
}

/** A token names an entity by the text of its id: the one that is found by that. */
async function byText(
  { app, configuration }: LoginHost,
  { user }: VerifiedLogin,
  params: AuthenticationParams,
): Promise<object | undefined> {
  const { service, entity } = configuration;
  if (user === '' || service === undefined || entity === null) return undefined;
  return readEntity(entityServiceAt(app, service), user, innerParams(params, { query: {} }));
}

/** A database may have a number for an id and its text for another. Services that show ids of other types as texts show no text as a number. */
function refuseNamesake(host: LoginHost, { user, given }: VerifiedLogin, found: object | undefined): void {
  const id = idOf(host, given);
  if (typeof id === 'number' && String(id) === user && typeof idOf(host, found) === 'string') throw invalid();
}

function idOf({ app, configuration }: LoginHost, record: unknown): unknown {
  const { service } = configuration;
  return service === undefined ? undefined : property(record, entityIdName(configuration, entityServiceAt(app, service)));
}

async function present<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw isMissing(error) ? invalid() : error;
  }
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function invalid(): NotAuthenticated {
  return new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' });
}
