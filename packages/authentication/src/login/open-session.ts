import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationParams } from '../authentication-types.ts';
import { ownEntities } from '../entity/entity-rules.ts';
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
  /** Name of the strategy. */
  readonly strategy: string;
  /** Whom the login was for. */
  readonly identity: LoginIdentity | undefined;
  /** Where it came from; `undefined` for a login of our own. */
  readonly origin: LoginOrigin | undefined;
}

/**
 * Admits an entity whose login was verified, and prepares its session; nothing is written yet.
 *
 * @returns `undefined` where sessions are off
 * @throws NotAuthenticated (401) for an entity that was removed, disabled or changed its secret meanwhile, and for one of a strategy that is another one among the
 *   entities of the service; Unavailable (503)
 */
export async function openSession(host: LoginHost, login: VerifiedLogin, params: AuthenticationParams): Promise<SessionDraft | undefined> {
  const { user, strategy, identity, origin } = login;
  const { sessions } = host;
  if (!sessions) {
    // The token names it by its id alone.
    const isNamed = identity?.known === true && ownEntities(host, host.getStrategy(strategy)) !== undefined;
    if (isNamed) await admit(host, login, params);
    return undefined;
  }
  const epoch = await sessions.epochOf(user);
  const entity = await admit(host, login, params);
  return sessions.begin(user, epoch, clientOf(params), entity && { entity, fields: host.protectedFields }, origin);
}

/**
 * Looks at the entity once more after the epoch was read: whatever changes from here on is not what the session that is about to
 * begin has marked, or raises the epoch, and ends it.
 *
 * @returns the entity as it is stored; `undefined` where there is none
 */
async function admit(
  host: LoginHost,
  { user, strategy, identity }: VerifiedLogin,
  params: AuthenticationParams,
): Promise<object | undefined> {
  const { app, configuration, protectedFields } = host;
  const { service, entity } = configuration;
  if (user === '' || service === undefined || entity === null) return undefined;
  const found = await present(readEntity(entityServiceAt(app, service), user, innerParams(params, { query: {} })));
  refuseDisabled(found, disabledField(configuration));
  const verified = identity?.entity;
  if (verified && secretsOf(found, protectedFields) !== secretsOf(verified, protectedFields)) {
    warnOfOthers(host, strategy);
    throw invalid();
  }
  return found;
}

const warned = new WeakSet<object>();

/** Whoever logs in is told nothing of it, so that whoever has written the settings would look for the fault in the login. */
function warnOfOthers(host: LoginHost, name: string): void {
  const strategy = host.getStrategy(name);
  const path = ownEntities(host, strategy);
  if (strategy === undefined || path === undefined || warned.has(strategy)) return;
  warned.add(strategy);
  process.emitWarning(
    `A login with '${name}' was refused: what it found in '${path}' is not what '${String(host.configuration.service)}' has under the same id, and a token names a user by the id alone. ` +
      'The service of a strategy has the same users; another list of users is an authentication service of its own',
    { code: 'OTHER_USERS' },
  );
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
