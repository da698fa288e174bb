import type { Ending, SessionStore } from './session-store.ts';

/** Oldest knowledge of what has ended that a check relies on, in milliseconds (security S19: one second). */
const FRESH = 900;
/** Time between two questions to the store while there is something to check, in milliseconds. */
const INTERVAL = 400;
/** Clocks of processes may differ by this many milliseconds. */
const CLOCK_DIFFERENCE = 10_000;
/** Time without checks after which the store is no longer asked, in milliseconds. */
const QUIET = 10_000;
/** Gap after which what was known is forgotten rather than brought up to date. */
const LONG_GAP = 60_000;

interface Known {
  readonly user: string;
  readonly authenticatedAt: number;
  readonly expiresAt: number;
}

/** Told of sessions that have ended. */
export type EndListener = (ended: (session: string, user: string, authenticatedAt: number) => boolean) => void;

/**
 * What one process knows of sessions. Each session is read from the store once; after that the store is asked a few times
 * in a second what has ended meanwhile, however many requests there are (decisions 0008).
 */
export class LiveSessions {
  readonly #store: SessionStore;
  readonly #capacity: number;
  readonly #known = new Map<string, Known | null>();
  readonly #endedAll = new Map<string, number>();
  readonly #listeners = new Set<EndListener>();
  #syncedAt = 0;
  #askedAt = 0;
  #watchers = 0;
  #syncing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: SessionStore, capacity: number) {
    this.#store = store;
    this.#capacity = capacity;
  }

  /**
   * Tells whether a session lives.
   *
   * @param user id of the entity that the token names
   * @throws Unavailable (503) when the store can not be asked: never taken for a yes (security S46)
   */
  async isAlive(session: string, user: string): Promise<boolean> {
    this.#askedAt = Date.now();
    if (this.#askedAt - this.#syncedAt > FRESH) await this.#sync();
    this.#poll();
    const known = this.#known.get(session);
    const current = known === undefined ? await this.#learn(session) : known;
    if (!current || current.user !== user || Date.now() >= current.expiresAt) return false;
    return (this.#endedAll.get(user) ?? (await this.#learnUser(user))) < current.authenticatedAt;
  }

  /** Remembers a session that this process has just begun. */
  add(session: string, known: Known): void {
    this.#remember(this.#known, session, known);
  }

  /** Takes note of an end at once, before other processes learn of it. */
  end(ending: Ending): void {
    if (ending.kind === 'session') {
      this.#remember(this.#known, ending.id, null);
      this.#tell((session) => session === ending.id);
    } else {
      this.#remember(this.#endedAll, ending.user, Math.max(ending.at, this.#endedAll.get(ending.user) ?? 0));
      this.#tell((_session, user, began) => user === ending.user && began <= ending.at);
    }
  }

  /** Calls a listener when sessions end, here or elsewhere, until the returned function is called. */
  watch(listener: EndListener): () => void {
    this.#listeners.add(listener);
    this.#watchers += 1;
    this.#poll();
    return () => {
      if (this.#listeners.delete(listener)) this.#watchers -= 1;
    };
  }

  /** Stops asking the store. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#listeners.clear();
    this.#watchers = 0;
  }

  async #learn(session: string): Promise<Known | null> {
    const found = await this.#store.read(session);
    const known = found?.endedAt === null ? found : null;
    if (known) await this.#learnUser(known.user);
    // What ended while it was read has been noted already.
    if (this.#known.get(session) === null) return null;
    this.#remember(this.#known, session, known && { user: known.user, authenticatedAt: known.authenticatedAt, expiresAt: known.expiresAt });
    return known;
  }

  async #learnUser(user: string): Promise<number> {
    const at = Math.max(await this.#store.endedAll(user), this.#endedAll.get(user) ?? 0);
    this.#remember(this.#endedAll, user, at);
    return at;
  }

  /** One question at a time; those who need the answer wait for the same one. */
  #sync(): Promise<void> {
    this.#syncing ??= this.#askStore().finally(() => {
      this.#syncing = undefined;
    });
    return this.#syncing;
  }

  async #askStore(): Promise<void> {
    const started = Date.now();
    if (started - this.#syncedAt > LONG_GAP) {
      this.#known.clear();
      this.#endedAll.clear();
    } else {
      for (const ending of await this.#store.endedSince(this.#syncedAt - CLOCK_DIFFERENCE)) this.#note(ending);
    }
    this.#syncedAt = started;
  }

  /** Ends come again in each answer for a while; listeners hear of them once. */
  #note(ending: Ending): void {
    const news = ending.kind === 'session' ? this.#known.get(ending.id) !== null : (this.#endedAll.get(ending.user) ?? -1) < ending.at;
    if (news) this.end(ending);
  }

  #poll(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#watchers === 0 && Date.now() - this.#askedAt > QUIET) return;
      // A store that fails is seen by the next check, which then asks for itself.
      this.#sync().catch(() => undefined);
      this.#poll();
    }, INTERVAL);
    this.#timer.unref();
  }

  #tell(ended: (session: string, user: string, authenticatedAt: number) => boolean): void {
    for (const listener of this.#listeners) listener(ended);
  }

  /** The one noted longest ago goes first. */
  #remember<V>(map: Map<string, V>, key: string, value: V): void {
    map.delete(key);
    if (map.size >= this.#capacity) map.delete(map.keys().next().value as string);
    map.set(key, value);
  }
}
