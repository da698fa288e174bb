import { createHmac } from 'node:crypto';
import { hasMarkedSecrets } from '../entity/secret-marks.ts';
import { TOLERANCE } from './expiry.ts';
import { digestOf, formatRefreshToken, isOwnRefreshToken, parseRefreshToken, successorOf, type RefreshToken } from './refresh-token.ts';
import { formerSession, invalidRefreshToken, isFormerSession, usedRefreshToken } from './refuse-session.ts';
import { clientDigest, type SessionClient } from './session-client.ts';
import type { SessionDraft } from './session-draft.ts';
import { isSessionOver } from './session-over.ts';
import { isOfScope, type SessionScope } from './session-scope.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionStore } from './session-store.ts';
import type { StoredSession } from './session-types.ts';
import { putBounded } from '../values.ts';

/** Milliseconds in which a token that another process replaced may have been on its way here at the same time. */
const ON_THE_WAY = 10_000;
/** How long and how often a process asks whether another one gives the answer, in milliseconds. */
const WAIT = { longest: 1000, between: 100 };
/** Answers that are remembered. */
const ANSWERS = 1000;

/** What a token that was replaced before is worth. */
type Verdict = 'repeat' | 'refuse' | 'reuse';

/** What refreshing needs of the sessions of a service. */
export interface RefreshHost {
  readonly settings: SessionSettings;
  readonly scope: SessionScope;
  readonly store: SessionStore;
  /** Random name of this process. */
  readonly process: string;
  /** Key that the processes of the service share. */
  readonly serverKey: () => Buffer;
  /** Whether the session's user was not logged out everywhere since it began. */
  isOfPresentEpoch(record: StoredSession): Promise<boolean>;
  /** Ends the session of a refresh token that was used twice, and tells of it. */
  endReused(record: StoredSession): Promise<void>;
}

/** Gives the successors of refresh tokens; each one counts once (security S20). */
export class RefreshTokens {
  readonly #host: RefreshHost;
  /** Digests of the tokens that this process replaced, and whether the answer has left. */
  readonly #answers = new Map<string, 'pending' | 'left'>();
  /** How many refreshes with a token are being prepared: one that begins meanwhile was sent at the same time. */
  readonly #preparing = new Map<string, number>();

  constructor(host: RefreshHost) {
    this.#host = host;
  }

  /**
   * Prepares the successor of a refresh token; nothing is written before the draft is stored.
   *
   * Of many that use one token at once, one wins; the others are refused, or within the grace time get the same pair. None of
   * them used it a second time.
   *
   * @throws NotAuthenticated (401), Unavailable (503)
   */
  async prepare(token: unknown, client: SessionClient): Promise<SessionDraft> {
    const given = parseRefreshToken(token);
    if (!given || this.#host.settings.refresh === false) throw invalidRefreshToken();
    const others = this.#preparing.get(given.digest) ?? 0;
    this.#preparing.set(given.digest, others + 1);
    try {
      return await this.#prepare(given, client, others > 0);
    } finally {
      const left = (this.#preparing.get(given.digest) ?? 1) - 1;
      if (left === 0) this.#preparing.delete(given.digest);
      else this.#preparing.set(given.digest, left);
    }
  }

  async #prepare(given: RefreshToken, client: SessionClient, isOneOfMany: boolean): Promise<SessionDraft> {
    const record = await this.#read(given);
    const by = clientDigest(client);
    // The token is of the time that is stored: given again, it is the same.
    const now = Date.now();
    if (record.refresh === given.digest) return this.#draft(record, given, now, () => this.#replace(record, given, by, now));
    const verdict = await this.#judge(record, given, by, isOneOfMany);
    if (verdict === 'repeat') return this.#draft(record, given, record.rotatedAt ?? 0, () => Promise.resolve());
    if (verdict === 'reuse') await this.#host.endReused(record);
    throw usedRefreshToken();
  }

  /**
   * Finds the session of a refresh token, also of one that was replaced, for logging out and for knowing a device again.
   *
   * @returns the session, also one that has ended; `undefined` for a token that is not ours
   */
  async find(token: unknown): Promise<StoredSession | undefined> {
    const given = parseRefreshToken(token);
    const record = given && (await this.#host.store.read(given.session));
    return record && isOfScope(record, this.#host.scope) && isOwnRefreshToken(given, record.key) ? record : undefined;
  }

  async #read(given: RefreshToken): Promise<StoredSession> {
    const record = await this.#host.store.read(given.session);
    if (!record || !isOwnRefreshToken(given, record.key)) throw invalidRefreshToken();
    if (isFormerSession(record)) throw formerSession();
    const { settings, scope, process } = this.#host;
    const over = isSessionOver(record, settings, process);
    if (!isOfScope(record, scope) || record.kind !== 'session' || record.endedAt !== null || over) throw usedRefreshToken();
    if (!(await this.#host.isOfPresentEpoch(record))) throw usedRefreshToken();
    return record;
  }

  /** An answer that never left is given again to the client that it was for; one that left, within the grace time. */
  async #judge(record: StoredSession, given: RefreshToken, client: string, isOneOfMany: boolean): Promise<Verdict> {
    const { digest } = given;
    if (record.previous !== digest) return 'reuse';
    const isSameClient = record.client === client && record.refresh === digestOf(this.#successor(record, given).secret);
    const inGrace = this.#isInGrace(record) && isSameClient;
    if (this.#answers.has(digest)) {
      if (inGrace) return 'repeat';
      return isOneOfMany || this.#answers.get(digest) === 'pending' ? 'refuse' : 'reuse';
    }
    if (inGrace) return 'repeat';
    if (record.answered === digest) return this.#isOnTheWay(record) ? 'refuse' : 'reuse';
    if (!isSameClient) return 'reuse';
    return (await this.#isBeingAnswered(record.id, digest)) ? 'refuse' : 'repeat';
  }

  #isInGrace(record: StoredSession): boolean {
    const { refreshGrace } = this.#host.settings;
    return refreshGrace > 0 && this.#wasReplacedWithin(refreshGrace, record);
  }

  /** Clocks of processes differ: within the tolerance nobody takes what came at the same time for a theft. */
  #isOnTheWay(record: StoredSession): boolean {
    return this.#wasReplacedWithin(ON_THE_WAY, record);
  }

  /** A clock that was put back says nothing: else what it has put into the future would be new for as long. */
  #wasReplacedWithin(milliseconds: number, { rotatedAt, writtenBy }: StoredSession): boolean {
    const tolerance = writtenBy === this.#host.process ? 0 : TOLERANCE;
    return Math.abs(Date.now() - (rotatedAt ?? 0)) <= milliseconds + tolerance;
  }

  /** Another process that lives says soon that its answer has left; one that died does not. */
  async #isBeingAnswered(session: string, digest: string): Promise<boolean> {
    const until = performance.now() + WAIT.longest;
    while (performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, WAIT.between));
      const record = await this.#host.store.read(session);
      if (record?.endedAt !== null || record.previous !== digest || record.answered === digest) return true;
    }
    return false;
  }

  async #replace(record: StoredSession, given: RefreshToken, client: string, now: number): Promise<void> {
    const { settings, scope, store } = this.#host;
    const to = digestOf(this.#successor(record, given).secret);
    const idleUntil = Math.min(now + settings.idle, record.expiresAt ?? Infinity);
    const first = !this.#answers.has(given.digest);
    if (first) this.#note(given.digest, 'pending');
    try {
      if (await store.rotate(record.id, scope, { from: given.digest, to, now, idleUntil, by: this.#host.process, client })) return;
    } catch (error) {
      // Whether it was replaced is not known: the client asks again.
      if (first) this.#answers.delete(given.digest);
      throw error;
    }
    // Somebody was faster: in the grace time the same client has the same pair.
    const present = await store.read(record.id);
    const same = present?.endedAt === null && present.refresh === to && present.client === client;
    if (first && present?.writtenBy !== this.#host.process) this.#answers.delete(given.digest);
    if (!same || settings.refreshGrace === 0) throw usedRefreshToken();
  }

  #draft(record: StoredSession, given: RefreshToken, at: number, store: () => Promise<void>): SessionDraft {
    const { secret, jwtid } = this.#successor(record, given);
    return {
      id: record.id,
      user: record.user,
      refreshToken: formatRefreshToken(record.id, secret, record.key),
      claims: { sid: record.id, iat: Math.floor(at / 1000) },
      jwtid,
      hasSecrets: (secrets) => !record.secrets || hasMarkedSecrets(secrets, record.key, record.secrets),
      store,
      answered: () => {
        this.#noteAnswered(record.id, given.digest);
      },
      lost: () => {
        if (this.#answers.get(given.digest) === 'pending') this.#answers.delete(given.digest);
      },
    };
  }

  #successor(record: StoredSession, given: RefreshToken): { readonly secret: string; readonly jwtid: string } {
    const secret = successorOf(given.secret, record.key, this.#host.serverKey());
    return { secret, jwtid: createHmac('sha256', secret).update('jti').digest('base64url').slice(0, 22) };
  }

  /** A store that fails now leaves the answer to be given again, to the same client alone. */
  #noteAnswered(session: string, digest: string): void {
    this.#note(digest, 'left');
    this.#host.store.noteAnswered(session, digest).catch(() => undefined);
  }

  #note(digest: string, state: 'pending' | 'left'): void {
    putBounded(this.#answers, digest, state, ANSWERS);
  }
}
