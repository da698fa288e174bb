import { Changes, type Change } from './changes.ts';
import { Epochs, epochKey } from './epoch.ts';
import type { EntitySecrets } from '../entity/secret-marks.ts';
import { KeepingUp } from './keeping-up.ts';
import { KnownRevocations } from './known-revocations.ts';
import { KnownSession } from './known-session.ts';
import { isOfScope, type SessionScope } from './session-scope.ts';
import { isFormerSession } from './refuse-session.ts';
import { isSessionOver } from './session-over.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionStore } from './session-store.ts';
import type { StoredSession } from './session-types.ts';
import { UnfinishedWork } from './unfinished-work.ts';
import { putBounded } from '../values.ts';

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
  readonly #revoked: KnownRevocations;
  readonly #listeners = new Set<EndListener>();
  readonly #unfinished = new UnfinishedWork();
  #generation = 0;
  readonly #upToDate = new KeepingUp({
    ask: () => this.#ask(),
    isListened: () => this.#listeners.size > 0 || !this.#unfinished.isEmpty,
  });

  constructor({ store, epochs, changes, scope, process, settings }: LiveSessionsOptions) {
    this.#store = store;
    this.#epochs = epochs;
    this.#changes = changes;
    this.#scope = scope;
    this.#process = process;
    this.#settings = settings;
    this.#revoked = new KnownRevocations(settings.cacheSize);
  }

  /**
   * Finds a session.
   *
   * @param user id of the entity that the token names
   * @returns the session when it lives; `ended` also for one that belongs elsewhere, `former` for one of an earlier version
   * @throws Unavailable (503) when the store can not be asked: never taken for a yes (security S46)
   */
  async find(session: string, user: string | undefined): Promise<StoredSession | 'ended' | 'former'> {
    await this.#upToDate.check();
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
    await this.#upToDate.check();
    const known = this.#revoked.get(token);
    if (known !== undefined) return known;
    const generation = this.#generation;
    const yes = await this.#store.isRevoked(token);
    if (this.#revoked.get(token) === true) return true;
    if (generation === this.#generation) this.#revoked.set(token, yes);
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
      this.#unfinished.add(later);
      this.#upToDate.poll();
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
    if (!this.#upToDate.hasHeard) this.#upToDate.ask().then(check, check);
    this.#upToDate.poll();
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Waits until every process has heard what was announced. */
  async heardEverywhere(): Promise<void> {
    await this.#upToDate.heardEverywhere();
  }

  /** Stops asking the store. */
  stop(): void {
    this.#upToDate.stop();
    this.#listeners.clear();
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
    putBounded(this.#known, session, found, this.#settings.cacheSize);
    return found;
  }

  #judge(record: StoredSession): KnownSession | 'ended' | 'former' {
    if (isFormerSession(record)) return 'former';
    if (record.endedAt !== null || !isOfScope(record, this.#scope)) return 'ended';
    return new KnownSession(record, epochKey(this.#scope, record.user));
  }

  async #ask(): Promise<void> {
    await this.#unfinished.finish();
    const news = await this.#changes.ask();
    if (news.kind === 'changes') for (const change of news.changes) this.#note(change);
    else this.#forget();
  }

  #note(change: Change): void {
    if (change.kind === 'session') putBounded(this.#known, change.id, 'ended', this.#settings.cacheSize);
    else if (change.kind === 'token') this.#revoked.set(change.id, true);
    else this.#noteEpoch(change.key, change.epoch);
    for (const listener of this.#listeners) listener(change);
  }

  #noteEpoch(key: string, epoch: number): void {
    putBounded(this.#newest, key, Math.max(epoch, this.#newest.get(key) ?? 0), this.#settings.cacheSize);
  }

  /** Too much has ended to be told one by one: everything is read again, and connections are asked for. */
  #forget(): void {
    this.#generation += 1;
    this.#known.clear();
    this.#newest.clear();
    this.#revoked.clear();
    for (const listener of this.#listeners) listener({ kind: 'lost' });
  }
}
