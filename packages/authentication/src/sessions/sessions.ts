import { NotAuthenticated } from '@framework/errors';
import { LiveSessions, type EndListener } from './live-sessions.ts';
import {
  digestOf,
  formatRefreshToken,
  isOwnRefreshToken,
  parseRefreshToken,
  randomId,
  randomSecret,
  type RefreshToken,
} from './refresh-token.ts';
import type { SessionSettings } from './session-settings.ts';
import { SessionStore, type StoredSession } from './session-store.ts';
import type { SessionStoreService } from './session-types.ts';

/** Milliseconds in which another process may still be answering the refresh that replaced a token. */
const OTHER_PROCESS = 2000;
/** Refreshes that are remembered as answered. */
const ANSWERED = 1000;
/** Longest description of a client that is kept. */
const TEXT_LENGTH = 200;

/** A session that was begun or refreshed. */
export interface IssuedSession {
  readonly id: string;
  readonly user: string;
  /** The new refresh token; `undefined` when there are none. */
  readonly refreshToken: string | undefined;
  /** When the session ends, in milliseconds. */
  readonly expiresAt: number;
}

/** What is known of a caller. */
export interface SessionClient {
  readonly address?: string | undefined;
  readonly agent?: string | undefined;
}

/** Told of a refresh token that was used twice. */
export type ReuseListener = (reuse: { readonly session: string; readonly user: string }) => void;

/** Logins that can be ended: for one client, for all of a user, in all processes within a second (security S19, S20). */
export class Sessions {
  readonly settings: SessionSettings;
  readonly #store: SessionStore;
  readonly #live: LiveSessions;
  readonly #reused: ReuseListener;
  /** Digests of replaced refresh tokens, with the time at which the answer was ready; `undefined` while it is not. */
  readonly #answers = new Map<string, number | undefined>();

  /**
   * @param service gives the service that stores sessions
   * @param reused told of refresh tokens that are used twice
   */
  constructor(settings: SessionSettings, service: () => SessionStoreService, reused: ReuseListener) {
    this.settings = settings;
    this.#store = new SessionStore(service);
    this.#live = new LiveSessions(this.#store, settings.cacheSize);
    this.#reused = reused;
  }

  /**
   * Begins a session.
   *
   * @param user id of the entity
   * @param authenticatedAt when the login began, in milliseconds: what ends all of a user's sessions meanwhile ends this too
   */
  async begin(user: string, authenticatedAt: number, client: SessionClient = {}): Promise<IssuedSession> {
    const [id, secret, key, now] = [randomId(), randomSecret(), randomSecret(), Date.now()];
    const refresh = this.settings.refresh === false ? null : digestOf(secret);
    const expiresAt = now + this.settings.maxAge;
    await this.#store.create(id, {
      user,
      authenticatedAt,
      usedAt: now,
      expiresAt,
      idleUntil: refresh === null ? expiresAt : Math.min(now + this.settings.idle, expiresAt),
      endedAt: null,
      refresh,
      previous: null,
      rotatedAt: null,
      key,
      address: client.address ?? null,
      agent: client.agent?.slice(0, TEXT_LENGTH) ?? null,
    });
    return { id, user, expiresAt, refreshToken: refresh === null ? undefined : formatRefreshToken(id, secret, key) };
  }

  /**
   * Replaces a refresh token: of all who use one token, exactly one gets the next. A token that was replaced before ends
   * its session.
   *
   * @throws NotAuthenticated (401)
   */
  async refresh(token: unknown): Promise<IssuedSession & { readonly replaced: string }> {
    const started = performance.now();
    const given = parseRefreshToken(token);
    if (!given || this.settings.refresh === false) throw invalid();
    const [secret, now] = [randomSecret(), Date.now()];
    const session = await this.#store.rotate(given.session, given.digest, digestOf(secret), now, now + this.settings.idle);
    if (!session) {
      await this.#refuse(given, started);
      throw invalid();
    }
    this.#noteAnswer(given.digest, undefined);
    if (!(await this.#live.isAlive(session.id, session.user))) throw invalid();
    return {
      id: session.id,
      user: session.user,
      expiresAt: session.expiresAt,
      refreshToken: formatRefreshToken(session.id, secret, session.key),
      replaced: given.digest,
    };
  }

  /** Notes that the answer to a refresh is ready: whoever uses the token from now on uses it a second time. */
  answered(replaced: string): void {
    this.#noteAnswer(replaced, performance.now());
  }

  /**
   * Checks the session of an access token, without a question to the store in most cases.
   *
   * @throws NotAuthenticated (401) when it has ended, Unavailable (503) when that can not be told
   */
  async check(session: unknown, user: unknown): Promise<void> {
    const alive = typeof session === 'string' && (await this.#live.isAlive(session, typeof user === 'string' ? user : ''));
    if (!alive) throw new NotAuthenticated('The session has ended', { name: 'SessionEnded' });
  }

  /** Ends one session. */
  async end(session: string): Promise<void> {
    await this.#store.end(session, Date.now());
    this.#live.end({ kind: 'session', id: session });
  }

  /**
   * Ends all sessions of a user: after a changed password, for a disabled or removed user, or because the user asks.
   *
   * @param user id of the entity
   */
  async endAll(user: string): Promise<void> {
    const at = Date.now();
    await this.#store.endAll(user, at, new Date(at + this.settings.maxAge + 24 * 3_600_000));
    this.#live.end({ kind: 'user', user, at });
  }

  /** @returns the sessions of a user that live */
  async list(user: string): Promise<StoredSession[]> {
    const [endedAll, found, now] = [await this.#store.endedAll(user), await this.#store.of(user), Date.now()];
    return found.filter((session) => session.authenticatedAt > endedAll && Math.min(session.expiresAt, session.idleUntil) > now);
  }

  /** Calls a listener when sessions end, in this process or another. */
  watch(listener: EndListener): () => void {
    return this.#live.watch(listener);
  }

  /** Stops asking the store. */
  stop(): void {
    this.#live.stop();
  }

  /** A token that was replaced ends its session, unless it was used at the same time as the one that won. */
  async #refuse(given: RefreshToken, started: number): Promise<void> {
    const session = await this.#store.read(given.session);
    if (!session || session.endedAt !== null || session.refresh === given.digest || !isOwnRefreshToken(given, session.key)) return;
    if (session.previous === given.digest && this.#isConcurrent(session, started)) return;
    await this.end(session.id);
    this.#reused({ session: session.id, user: session.user });
  }

  #isConcurrent({ rotatedAt, previous }: StoredSession, started: number): boolean {
    const age = Date.now() - (rotatedAt ?? 0);
    if (age <= this.settings.refreshGrace) return true;
    const digest = String(previous);
    if (!this.#answers.has(digest)) return age <= OTHER_PROCESS;
    return started <= (this.#answers.get(digest) ?? Infinity);
  }

  #noteAnswer(digest: string, at: number | undefined): void {
    this.#answers.delete(digest);
    if (this.#answers.size >= ANSWERED) this.#answers.delete(this.#answers.keys().next().value as string);
    this.#answers.set(digest, at);
  }
}

function invalid(): NotAuthenticated {
  return new NotAuthenticated('Invalid refresh token');
}
