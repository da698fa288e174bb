import type { SecretMark } from '../entity/secret-marks.ts';
import type { LoginOrigin } from '../login/login-origin.ts';
import { storedOrigin } from './session-origin.ts';
import { isNew, orNothing } from './store-call.ts';
import type { SessionScope } from './session-scope.ts';
import type { SessionRecord, SessionStoreService, StoredSession } from './session-types.ts';

/** Time that a record is kept after its end, in milliseconds. */
const KEPT = 24 * 3_600_000;

/** How a refresh token is replaced. */
export interface Rotation {
  /** Digest of the token that counts, and of the one that follows. */
  readonly from: string;
  readonly to: string;
  readonly now: number;
  readonly idleUntil: number;
  readonly by: string;
  readonly client: string;
}

/** Reads and writes sessions through a service of the application. */
export class SessionStore {
  readonly #service: () => SessionStoreService;

  /** @param service gives the service, once the application has it */
  constructor(service: () => SessionStoreService) {
    this.#service = service;
  }

  async create(id: string, record: Omit<SessionRecord, 'purgeAt'>): Promise<void> {
    const purgeAt = record.expiresAt === null ? null : new Date(record.expiresAt + KEPT);
    await orNothing(this.#service().create({ [this.#idName]: id, ...record, purgeAt }));
  }

  /** @returns the session, also one that has ended, belongs elsewhere or is of before; `undefined` when there is none */
  async read(id: string): Promise<StoredSession | undefined> {
    const record = await orNothing(this.#service().get(id));
    return record && ['session', 'token', 'key'].includes(String(record.kind)) ? this.#session(record) : undefined;
  }

  /**
   * Replaces the refresh token of a session that lives, in one command.
   *
   * @returns whether it was the one that counts
   */
  async rotate(id: string, scope: SessionScope, { from, to, now, idleUntil, by, client }: Rotation): Promise<boolean> {
    const query = { ...scope, refresh: from, endedAt: null };
    const change = { refresh: to, previous: from, rotatedAt: now, writtenBy: by, client, answered: null, usedAt: now, idleUntil };
    return (await orNothing(this.#service().patch(id, change, { query }))) !== undefined;
  }

  /** Notes that the answer with the successor of a token has left. */
  async noteAnswered(id: string, replaced: string): Promise<void> {
    await orNothing(this.#service().patch(id, { answered: replaced }, { query: { previous: replaced } }));
  }

  /** Notes that a key was used. */
  async noteUsed(id: string, now: number): Promise<void> {
    await orNothing(this.#service().patch(id, { usedAt: now }));
  }

  /** Notes other marks of the user's secrets. */
  async noteSecrets(id: string, secrets: readonly SecretMark[]): Promise<void> {
    await orNothing(this.#service().patch(id, { secrets }));
  }

  /** Ends a session. @returns whether there was one that lived */
  async end(id: string, scope: SessionScope, now: number): Promise<boolean> {
    const query = { ...scope, endedAt: null };
    return (await orNothing(this.#service().patch(id, { endedAt: now, refresh: null }, { query }))) !== undefined;
  }

  /** @returns what a user has that was not ended one by one, the latest first */
  async of(user: string, scope: SessionScope): Promise<StoredSession[]> {
    const query = { ...scope, user, endedAt: null, $sort: { usedAt: -1 } };
    const found = (await orNothing(this.#service().find({ query, paginate: false }))) ?? [];
    return (found as Record<string, unknown>[]).map((record) => this.#session(record));
  }

  /** @returns the sessions of a login at another system that were not ended one by one */
  async ofOrigin(
    { strategy, subject, session }: Omit<LoginOrigin, 'subject'> & { readonly subject?: string | undefined },
    scope: SessionScope,
  ): Promise<StoredSession[]> {
    if (subject === undefined && session === undefined) return [];
    const { via, viaSubject, viaSession } = storedOrigin({ strategy, subject: subject ?? '', session });
    const names = { ...(subject === undefined ? {} : { viaSubject }), ...(session === undefined ? {} : { viaSession }) };
    const query = { ...scope, via, ...names, endedAt: null };
    const found = (await orNothing(this.#service().find({ query, paginate: false }))) ?? [];
    return (found as Record<string, unknown>[]).map((record) => this.#session(record));
  }

  /** Remembers that a single token was logged out. */
  async revoke(token: string, purgeAt: Date | null): Promise<void> {
    await isNew(this.#service().create({ [this.#idName]: revokedId(token), kind: 'revoked', purgeAt }));
  }

  /** @returns whether a single token was logged out */
  async isRevoked(token: string): Promise<boolean> {
    return (await orNothing(this.#service().get(revokedId(token)))) !== undefined;
  }

  get #idName(): string {
    return this.#service().id ?? 'id';
  }

  #session(record: Record<string, unknown>): StoredSession {
    return { ...(record as unknown as SessionRecord), id: String(record[this.#idName]) };
  }
}

function revokedId(token: string): string {
  return `revoked:${token}`;
}
