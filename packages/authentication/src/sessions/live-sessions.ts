import { Changes, type Change } from './changes.ts';
import { Epochs, epochKey } from './epoch.ts';
import type { EntitySecrets } from '../entity/secret-marks.ts';
import { KnownSession } from './known-session.ts';
import { isOfScope, type SessionScope } from './session-scope.ts';
import { isFormerSession } from './refuse-session.ts';
import { isSessionOver } from './session-over.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionStore } from './session-store.ts';
import type { StoredSession } from './session-types.ts';
import { putBounded } from '../values.ts';

/** Oldest knowledge of what has ended that a check relies on, in milliseconds (security S19: one second). */
const FRESH = 900;
/** Time between two questions to the store while there is something to check, in milliseconds. */
const INTERVAL = 400;
/** Time without checks after which the store is no longer asked, in milliseconds. */
const QUIET = 10_000;
/** Work that is done again once the store answers; what is beyond that is found when sessions are read again. */
const UNFINISHED = 10_000;
/** Time after which a token that was not revoked is asked for again, in milliseconds. */
const REREAD = 30_000;

/** What {@link LiveSessions} are made with. */
export interface LiveSessionsOptions {
  readonly store: SessionStore;
  readonly epochs: Epochs;
  readonly changes: Changes;
  readonly scope: SessionScope;
  /** Random name of this process. */
  readonly process: string;
  readonly settings: SessionSettings;
}

/** Told of what has ended; `lost` when it is so much that whoever listens must ask for what concerns it. */
export type EndListener = (change: Change | { readonly kind: 'lost' }) => void;

/**
 * What one process knows of sessions. Each session is read from the store once and again every half minute; in between the
 * store is asked a few times in a second what has ended, however many requests there are (decisions 0008). Times are those of
 * this process's own stopwatch.
 */
export class LiveSessions {
  readonly #store: SessionStore;
  readonly #epochs: Epochs;
  readonly #changes: Changes;
  readonly #scope: SessionScope;
  readonly #process: string;
  readonly #settings: SessionSettings;
  readonly #known = new Map<string, KnownSession | 'ended' | 'former'>();
  readonly #newest = new Map<string, number>();
  readonly #revoked = new Map<string, { readonly yes: boolean; readonly readAt: number }>();
  readonly #listeners = new Set<EndListener>();
  readonly #unfinished: (() => Promise<unknown>)[] = [];
  #generation = 0;
  #syncedAt = -Infinity;
  #askedAt = -Infinity;
  #syncing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ store, epochs, changes, scope, process, settings }: LiveSessionsOptions) {
    this.#store = store;
    this.#epochs = epochs;
    this.#changes = changes;
    this.#scope = scope;
    this.#process = process;
    this.#settings = settings;
  }

  /**
   * Finds a session.
   *
   * @param user id of the entity that the token names
   * @returns the session when it lives; `ended` also for one that belongs elsewhere, `former` for one of an earlier version
   * @throws Unavailable (503) when the store can not be asked: never taken for a yes (security S46)
   */
  async find(session: string, user: string | undefined): Promise<StoredSession | 'ended' | 'former'> {
    await this.#keepUp();
    const known = this.#known.get(session);
    const live = known === undefined || (typeof known === 'object' && !this.#counts(known)) ? await this.#learn(session) : known;
    if (typeof live === 'string') return live;
    const { record } = live;
    if (this.#isOver(record) || (user !== undefined && record.user !== user)) return 'ended';
    return (this.#newest.get(live.epochKey) ?? 0) <= record.epoch ? record : 'ended';
  }

  /**
   * Tells whether the user of a session that {@link find} has found still has the secrets that it began with.
   *
   * @throws Unavailable (503)
   */
  async hasSecrets(session: string, secrets: EntitySecrets): Promise<boolean> {
    const known = this.#known.get(session);
    if (known instanceof KnownSession && known.hasSecrets(secrets)) return true;
    // A renewed hash of the same password may have been noted since it was read.
    const read = known === 'ended' ? known : await this.#learn(session);
    return read instanceof KnownSession && read.hasSecrets(secrets);
  }

  /** Tells whether a single token was logged out. */
  async isRevoked(token: string): Promise<boolean> {
    await this.#keepUp();
    const known = this.#revoked.get(token);
    if (known && (known.yes || performance.now() - known.readAt <= REREAD)) return known.yes;
    const generation = this.#generation;
    const yes = await this.#store.isRevoked(token);
    if (this.#revoked.get(token)?.yes) return true;
    if (generation === this.#generation) this.#remember(this.#revoked, token, { yes, readAt: performance.now() });
    return yes;
  }

  /**
   * Ends something here at once, and tells the other processes.
   *
   * @param write writes the end to the store before; it may be called again
   * @throws Unavailable (503) when that is not possible now; it is done as soon as the store answers again
   */
  async announce(change: Change, write?: () => Promise<unknown>): Promise<void> {
    this.#note(change);
    await this.finish(async () => {
      await write?.();
      await this.#changes.announce(change);
    });
  }

  /**
   * Does work on the store, and does it again later when it fails: nobody knows whether it was done.
   *
   * @param work may be done twice
   * @param later what is done later, where that is something else
   */
  async finish<T>(work: () => Promise<T>, later: () => Promise<unknown> = work): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.#unfinished.length < UNFINISHED) this.#unfinished.push(later);
      this.#poll();
      throw error;
    }
  }

  /** Calls a listener when something ends, here or elsewhere, until the returned function is called. */
  watch(listener: EndListener): () => void {
    this.#listeners.add(listener);
    // The first question tells nothing of what ended before it.
    const check = (): void => {
      if (this.#listeners.has(listener)) listener({ kind: 'lost' });
    };
    if (this.#syncedAt === -Infinity) this.#sync().then(check, check);
    this.#poll();
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Waits until no process relies on what it knew before this: each then has heard what was announced, or answers 503. */
  async heardEverywhere(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, FRESH));
  }

  /** Stops asking the store. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
  }

  async #keepUp(): Promise<void> {
    const now = performance.now();
    this.#askedAt = now;
    // A question that is under way may have been asked too long ago.
    while (now - this.#syncedAt > FRESH) await this.#sync();
    this.#poll();
  }

  /** Another process may have refreshed what seems to be over. */
  #counts(known: KnownSession): boolean {
    return known.isFresh && this.#newest.has(known.epochKey) && !this.#isOver(known.record);
  }

  #isOver(record: StoredSession): boolean {
    return isSessionOver(record, this.#settings, this.#process);
  }

  async #learn(session: string): Promise<KnownSession | 'ended' | 'former'> {
    const generation = this.#generation;
    const record = await this.#store.read(session);
    // It is not remembered: anyone can name a key that there is not, and would fill the memory with them.
    if (!record) return 'ended';
    const found = this.#judge(record);
    if (typeof found === 'object') this.#noteEpoch(found.epochKey, await this.#epochs.read(found.epochKey));
    // What ended while it was read has been noted already.
    if (this.#known.get(session) === 'ended') return 'ended';
    if (generation !== this.#generation) return this.#learn(session);
    this.#remember(this.#known, session, found);
    return found;
  }

  #judge(record: StoredSession): KnownSession | 'ended' | 'former' {
    if (isFormerSession(record)) return 'former';
    if (record.endedAt !== null || !isOfScope(record, this.#scope)) return 'ended';
    return new KnownSession(record, epochKey(this.#scope, record.user));
  }

  /** One question at a time; those who need the answer wait for the same one. */
  #sync(): Promise<void> {
    this.#syncing ??= this.#ask().finally(() => {
      this.#syncing = undefined;
    });
    return this.#syncing;
  }

  async #ask(): Promise<void> {
    const started = performance.now();
    while (this.#unfinished[0]) {
      await this.#unfinished[0]();
      this.#unfinished.shift();
    }
    const news = await this.#changes.ask();
    if (news.kind === 'changes') for (const change of news.changes) this.#note(change);
    else this.#forget();
    this.#syncedAt = started;
  }

  #note(change: Change): void {
    if (change.kind === 'session') this.#remember(this.#known, change.id, 'ended');
    else if (change.kind === 'token') this.#remember(this.#revoked, change.id, { yes: true, readAt: performance.now() });
    else this.#noteEpoch(change.key, change.epoch);
    for (const listener of this.#listeners) listener(change);
  }

  #noteEpoch(key: string, epoch: number): void {
    this.#remember(this.#newest, key, Math.max(epoch, this.#newest.get(key) ?? 0));
  }

  /** Too much has ended to be told one by one: everything is read again, and connections are asked for. */
  #forget(): void {
    this.#generation += 1;
    this.#known.clear();
    this.#newest.clear();
    this.#revoked.clear();
    for (const listener of this.#listeners) listener({ kind: 'lost' });
  }

  #poll(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#listeners.size === 0 && this.#unfinished.length === 0 && performance.now() - this.#askedAt > QUIET) return;
      // A store that fails is seen by the next check, which then asks for itself.
      this.#sync().catch(() => undefined);
      this.#poll();
    }, INTERVAL);
    this.#timer.unref();
  }

  /** The one noted longest ago goes first. */
  #remember<V>(map: Map<string, V>, key: string, value: V): void {
    putBounded(map, key, value, this.#settings.cacheSize);
  }
}
