import { Unavailable } from '@framework/errors';
import type { SessionRecord, SessionStoreService, UserRecord } from './session-types.ts';

/** Time that a record is kept after its end, so that all processes learn of it, in milliseconds. */
const KEPT = 24 * 3_600_000;

/** A stored session with its id. */
export type StoredSession = SessionRecord & { readonly id: string };

/** The end of a session, or of all sessions of a user that began before. */
export type Ending =
  { readonly kind: 'session'; readonly id: string } | { readonly kind: 'user'; readonly user: string; readonly at: number };

/** Reads and writes sessions through a service of the application. */
export class SessionStore {
  readonly #service: () => SessionStoreService;

  /** @param service gives the service, once the application has it */
  constructor(service: () => SessionStoreService) {
    this.#service = service;
  }

  async create(id: string, record: Omit<SessionRecord, 'kind' | 'purgeAt'>): Promise<void> {
    const data = { [this.#idName]: id, kind: 'session', ...record, purgeAt: new Date(record.expiresAt + KEPT) };
    await orNothing(this.#service().create(data));
  }

  /** @returns the session, also one that has ended; `undefined` when there is none */
  async read(id: string): Promise<StoredSession | undefined> {
    const record = await orNothing(this.#service().get(id));
    return record && record.kind === 'session' ? this.#session(record) : undefined;
  }

  /** @returns when the user was last logged out everywhere; 0 for never */
  async endedAll(user: string): Promise<number> {
    const record = await orNothing(this.#service().get(userId(user)));
    return record ? (record as unknown as UserRecord).endedAt : 0;
  }

  /**
   * Replaces the refresh token of a session that lives, in one command.
   *
   * @returns the session, or `undefined` when the token is not the one that counts or the session has ended
   */
  async rotate(id: string, from: string, to: string, now: number, idleUntil: number): Promise<StoredSession | undefined> {
    const query = { refresh: from, endedAt: null, expiresAt: { $gt: now }, idleUntil: { $gt: now } };
    const change = { refresh: to, previous: from, rotatedAt: now, usedAt: now, idleUntil };
    const record = await orNothing(this.#service().patch(id, change, { query }));
    return record && this.#session(record);
  }

  /** Ends a session. @returns whether there was one that lived */
  async end(id: string, now: number): Promise<boolean> {
    return (
      (await orNothing(this.#service().patch(id, { endedAt: now, refresh: null }, { query: { kind: 'session', endedAt: null } }))) !==
      undefined
    );
  }

  /** Ends all sessions of a user that began until now: one record, however many they are. */
  async endAll(user: string, now: number, purgeAt: Date): Promise<void> {
    const id = userId(user);
    const change = { endedAt: now, purgeAt };
    if (await orNothing(this.#service().patch(id, change))) return;
    const data = { [this.#idName]: id, kind: 'user', user, ...change };
    // Another process may have made the record meanwhile.
    const made = this.#service()
      .create(data)
      .catch((error: unknown) => {
        if (codeOf(error) !== 409) throw error;
        return this.#service().patch(id, change);
      });
    await orNothing(made);
  }

  /** @returns sessions of a user that were not ended one by one, the latest first */
  async of(user: string): Promise<StoredSession[]> {
    const query = { kind: 'session', user, endedAt: null, $sort: { usedAt: -1 } };
    return (await this.#find(query)).map((record) => this.#session(record));
  }

  /** @returns everything that ended at or after a time */
  async endedSince(time: number): Promise<Ending[]> {
    return (await this.#find({ endedAt: { $gte: time } })).map((record) =>
      record.kind === 'user'
        ? { kind: 'user', user: String(record.user), at: Number(record.endedAt) }
        : { kind: 'session', id: this.#session(record).id },
    );
  }

  async #find(query: Record<string, unknown>): Promise<Record<string, unknown>[]> {
    return ((await orNothing(this.#service().find({ query, paginate: false }))) ?? []) as Record<string, unknown>[];
  }

  get #idName(): string {
    return this.#service().id ?? 'id';
  }

  #session(record: Record<string, unknown>): StoredSession {
    return { ...(record as unknown as SessionRecord), id: String(record[this.#idName]) };
  }
}

function userId(user: string): string {
  return `user:${user}`;
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}

/**
 * What a call gives, or nothing where there is no such record.
 *
 * @throws Unavailable (503) when the store fails: sessions are then neither begun nor taken for alive (security S46)
 */
async function orNothing<T>(call: Promise<T>): Promise<(T & Record<string, unknown>) | undefined> {
  try {
    return (await call) as T & Record<string, unknown>;
  } catch (error) {
    if (codeOf(error) === 404) return undefined;
    const unavailable = new Unavailable('Sessions can not be checked at present');
    throw Object.defineProperty(unavailable, 'cause', { value: error, configurable: true });
  }
}
