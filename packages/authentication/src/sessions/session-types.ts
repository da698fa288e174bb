import type { Params } from '@framework/core';

/** What the store keeps for one login. Times are milliseconds since 1970. */
export interface SessionRecord {
  readonly kind: 'session';
  /** Id of the entity, as text; empty where tokens have no entity. */
  readonly user: string;
  /** When the login began: logging out everywhere ends the sessions that began before. */
  readonly authenticatedAt: number;
  /** When the refresh token was last used, or the login. */
  readonly usedAt: number;
  /** The session ends at the latest at this time. */
  readonly expiresAt: number;
  /** The session ends at this time unless it is refreshed before. */
  readonly idleUntil: number;
  /** When it was ended; `null` while it lives. */
  readonly endedAt: number | null;
  /** Digest of the refresh token that counts; `null` when there is none. */
  readonly refresh: string | null;
  /** Digest of the one before it, and when it was replaced. */
  readonly previous: string | null;
  readonly rotatedAt: number | null;
  /** Marks the refresh tokens of this session as ours, also those that count no more. */
  readonly key: string;
  readonly address: string | null;
  readonly agent: string | null;
  /** When the database may remove the record. */
  readonly purgeAt: Date;
}

/** What the store keeps once somebody was logged out everywhere. */
export interface UserRecord {
  readonly kind: 'user';
  readonly user: string;
  /** Sessions that began at this time or before have ended. */
  readonly endedAt: number;
  readonly purgeAt: Date;
}

/** What sessions need of the service that stores them; a `DocDbService` has it. Its `patch` must decide `query` with the write. */
export interface SessionStoreService {
  readonly id?: string;
  find(params?: Params & { paginate?: false }): Promise<unknown>;
  get(id: string, params?: Params): Promise<unknown>;
  create(data: object, params?: Params): Promise<unknown>;
  patch(id: string, data: object, params?: Params): Promise<unknown>;
}

/** A session as its owner sees it. */
export interface OwnSession {
  readonly id: string;
  /** ISO times. */
  readonly createdAt: string;
  readonly usedAt: string;
  readonly expiresAt: string;
  readonly address: string | null;
  readonly agent: string | null;
  /** Whether the call came with a token of this session. */
  readonly current: boolean;
}
