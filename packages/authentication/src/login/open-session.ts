import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationParams } from '../authentication-types.ts';
import { disabledField, refuseDisabled, secretsOf } from '../entity/entity-state.ts';
import { innerParams } from '../inner-params.ts';
import { clientOf } from '../sessions/session-client.ts';
import type { SessionDraft } from '../sessions/session-draft.ts';
import type { LoginHost } from './login-host.ts';
import type { LoginIdentity } from './identity.ts';
import type { LoginOrigin } from './login-origin.ts';
import { entityServiceAt, isMissing, readEntity } from '../entity/entity-service.ts';

/** A login that was verified. */
export interface VerifiedLogin {
  /** Id of the entity, as text; empty where there is none. */
  readonly user: string;
  /** Whom the login was for. */
  readonly identity: LoginIdentity | undefined;
  /** Where it came from; `undefined` for a login of our own. */
  readonly origin: LoginOrigin | undefined;
}

/**
 * Admits an entity whose login was verified, and prepares its session; nothing is written yet.
 *
 * @returns `undefined` where sessions are off
 * @throws NotAuthenticated (401) for an entity that was removed, disabled or changed its secret meanwhile; Unavailable (503)
 */
export async function openSession(
  host: LoginHost,
  { user, identity, origin }: VerifiedLogin,
  params: AuthenticationParams,
): Promise<SessionDraft | undefined> {
  const { sessions } = host;
  if (!sessions) return undefined;
  const epoch = await sessions.epochOf(user);
  const entity = await admit(host, user, identity, params);
  return sessions.begin(user, epoch, clientOf(params), entity && { entity, fields: host.protectedFields }, origin);
}

/**
 * Looks at the entity once more after the epoch was read: whatever changes from here on is not what the session that is about to
 * begin has marked, or raises the epoch, and ends it.
 *
 * @returns the entity as it is stored; `undefined` where there is none
 */
async function admit(
  { app, configuration, protectedFields }: LoginHost,
  user: string,
  identity: LoginIdentity | undefined,
  params: AuthenticationParams,
): Promise<object | undefined> {
  const { service, entity } = configuration;
  if (user === '' || service === undefined || entity === null) return undefined;
  const found = await present(readEntity(entityServiceAt(app, service), user, innerParams(params, { query: {} })));
  refuseDisabled(found, disabledField(configuration));
  const verified = identity?.entity;
  if (verified && secretsOf(found, protectedFields) !== secretsOf(verified, protectedFields)) throw invalid();
  return found;
}

async function present<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw isMissing(error) ? invalid() : error;
  }
}

function invalid(): NotAuthenticated {
  return new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' });
}
