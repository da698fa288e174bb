import { secretMarks, type EntitySecrets } from '../entity/secret-marks.ts';
import { digestOf, formatRefreshToken, randomId, randomSecret } from './refresh-token.ts';
import type { LoginOrigin } from '../login/login-origin.ts';
import type { SessionClient } from './session-client.ts';
import { storedOrigin } from './session-origin.ts';
import type { SessionDraft } from './session-draft.ts';
import type { SessionScope } from './session-scope.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionKind, SessionRecord } from './session-types.ts';

/** Longest description of a client that is kept. */
const TEXT_LENGTH = 200;

/** What every session, machine token and API key begins with. */
export interface NewSession {
  readonly scope: SessionScope;
  readonly kind: SessionKind;
  /** Id of the entity; the empty text for none. */
  readonly user: string;
  readonly epoch: number;
  /** Secrets of the entity; `undefined` where there is none. */
  readonly secrets: EntitySecrets | undefined;
  /** The session's own random key. */
  readonly key: string;
  /** Random name of the process that begins it. */
  readonly process: string;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
  readonly client: SessionClient;
  /** The login at another system that it came from. Default: none. */
  readonly origin?: LoginOrigin | undefined;
}

/** @returns the record of a session that has neither a refresh token nor an end yet */
export function newSession(given: NewSession): Omit<SessionRecord, 'purgeAt'> {
  const { scope, kind, user, epoch, secrets, key, process, now, client, origin } = given;
  return {
    ...scope,
    kind,
    user,
    epoch,
    key,
    secrets: secrets ? secretMarks(secrets, key) : null,
    createdAt: now,
    usedAt: now,
    expiresAt: null,
    idleUntil: null,
    endedAt: null,
    refresh: null,
    previous: null,
    rotatedAt: null,
    writtenBy: process,
    client: null,
    answered: null,
    address: client.address ?? null,
    agent: client.agent?.slice(0, TEXT_LENGTH) ?? null,
    name: null,
    scopes: null,
    ...storedOrigin(origin),
  };
}

/**
 * The session of a login that is about to begin.
 *
 * @param owner whose it is
 * @param create writes it to the store
 * @param end ends it once it was written
 */
export function sessionOfLogin(
  owner: Omit<NewSession, 'kind' | 'key' | 'now'>,
  { maxAge, idle, refresh }: SessionSettings,
  create: (id: string, record: Omit<SessionRecord, 'purgeAt'>) => Promise<void>,
  end: (id: string) => void,
): SessionDraft {
  const [id, secret, key, now] = [randomId(), randomSecret(), randomSecret(), Date.now()];
  const digest = refresh === false ? null : digestOf(secret);
  const expiresAt = now + maxAge;
  const idleUntil = digest === null ? expiresAt : Math.min(now + idle, expiresAt);
  const record = { ...newSession({ ...owner, kind: 'session', key, now }), refresh: digest, expiresAt, idleUntil };
  return {
    id,
    user: owner.user,
    refreshToken: digest === null ? undefined : formatRefreshToken(id, secret, key),
    claims: { sid: id, iat: Math.floor(now / 1000) },
    jwtid: undefined,
    hasSecrets: () => true,
    store: () => create(id, record),
    answered: () => undefined,
    lost: () => {
      end(id);
    },
  };
}
