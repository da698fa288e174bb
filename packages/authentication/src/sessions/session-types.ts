import type { Params } from '@framework/core';
import type { EntitySecrets, SecretMark } from '../entity/secret-marks.ts';
import type { StoredOrigin } from './session-origin.ts';
import type { SessionScope } from './session-scope.ts';

/** What a record of the store is: a login, a token or a key of a machine. */
export type SessionKind = 'session' | 'token' | 'key';

/** What the store keeps for one login, machine token or API key. Times are milliseconds since 1970. */
export interface SessionRecord extends SessionScope, StoredOrigin {
  readonly kind: SessionKind;
  /** Id of the entity, as text; empty where tokens have no entity. */
  readonly user: string;
  /** Epoch of the user when it began: it has ended once the user's epoch is a later one. */
  readonly epoch: number;
  readonly createdAt: number;
  /** When the refresh token or the key was last used, or the login. */
  readonly usedAt: number;
  /** It ends at the latest at this time; `null` for never. */
  readonly expiresAt: number | null;
  /** It ends at this time unless it is refreshed before; `null` for never. */
  readonly idleUntil: number | null;
  /** When it was ended; `null` while it lives. For people who read it: nothing is decided by the time. */
  readonly endedAt: number | null;
  /** Marks of the user's secrets: it ends as soon as these are others. `null` for no user, absent in records of before. */
  readonly secrets?: readonly SecretMark[] | null;
  /** Digest of the refresh token or API key that counts; `null` when there is none. */
  readonly refresh: string | null;
  /** Digest of the refresh token before it, and when and for which client it was replaced. */
  readonly previous: string | null;
  readonly rotatedAt: number | null;
  /** The process that began the session, or replaced its refresh token last: the times are those of its clock. */
  readonly writtenBy: string;
  readonly client: string | null;
  /** Digest of the replaced token whose answer has left the server; `null` before. */
  readonly answered: string | null;
  /** Marks the refresh tokens of this session as ours, also those that count no more. */
  readonly key: string;
  readonly address: string | null;
  readonly agent: string | null;
  /** Name of a machine token or an API key. */
  readonly name: string | null;
  /** What a machine token or an API key may do; `null` for everything. */
  readonly scopes: readonly string[] | null;
  /** When the database may remove the record; `null` for never. */
  readonly purgeAt: Date | null;
}

/** A stored session with its id. */
export type StoredSession = SessionRecord & { readonly id: string };

/** What is stored of a machine token or an API key besides what all sessions have. */
export interface MachineSession {
  readonly kind: 'token' | 'key';
  readonly id: string;
  /** Id of the entity; the empty text for none. */
  readonly user: string;
  /** Of `Sessions.epochOf`, read before the entity. */
  readonly epoch: number;
  /** Those of the entity; `undefined` where there is none. */
  readonly secrets: EntitySecrets | undefined;
  readonly name: string;
  readonly scopes: readonly string[] | null;
  /** Milliseconds since 1970; `null` for never. */
  readonly expiresAt: number | null;
  /** Digest of the key. */
  readonly digest: string | null;
}

/** What sessions need of the service that stores them; a `DocDbService` has it. Its `patch` must decide `query` with the write. */
export interface SessionStoreService {
  readonly id?: string;
  find(params?: Params & { paginate?: false }): Promise<unknown>;
  get(id: string, params?: Params): Promise<unknown>;
  create(data: object, params?: Params): Promise<unknown>;
  patch(id: string, data: object, params?: Params): Promise<unknown>;
}

/** A session, machine token or API key as its owner sees it. */
export interface OwnSession {
  readonly id: string;
  /** What it is; absent for a login. */
  readonly kind?: 'token' | 'key';
  /** ISO times. */
  readonly createdAt: string;
  readonly usedAt: string;
  /** `null` for one that does not end by itself. */
  readonly expiresAt: string | null;
  readonly address: string | null;
  readonly agent: string | null;
  /** Of a machine token or an API key. */
  readonly name?: string | null;
  readonly scopes?: readonly string[] | null;
  /** Strategy of a login at another system; absent for a login of our own. */
  readonly via?: string;
  /** Whether the call came with a token of this session. */
  readonly current: boolean;
}
