import { unavailable } from '@framework/errors';
import { isNew, orNothing } from './store-call.ts';
import type { SessionStoreService } from './session-types.ts';

/** What has ended: a session, a single token, or everything of a user before an epoch. */
export type Change =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'token'; readonly id: string }
  | { readonly kind: 'user'; readonly key: string; readonly epoch: number };

/** What is new since the last question; `lost` when more has ended than the store remembers. */
export type News = { readonly kind: 'changes'; readonly changes: readonly Change[] } | { readonly kind: 'lost' };

/** Id of the one record. */
const ID = 'changes';
/** Changes that the record remembers. */
const KEPT = 256;
/** Tries against other processes that write at the same moment. */
const TRIES = 50;

interface ChangesRecord {
  readonly version: number;
  readonly recent: readonly Change[];
}

/**
 * The list of what has ended, in one record of the store: its version counts the changes, so that a process knows by a number,
 * and not by a clock, what it has not heard of yet.
 */
export class Changes {
  readonly #service: () => SessionStoreService;
  #heard: number | undefined;
  #waiting: Change[] = [];
  #writing: Promise<void> | undefined;

  /** @param service gives the service that stores sessions */
  constructor(service: () => SessionStoreService) {
    this.#service = service;
  }

  /**
   * Writes what has ended; changes of one process at one time go together.
   *
   * @throws Unavailable (503) when they can not be written
   */
  async announce(change: Change): Promise<void> {
    this.#waiting.push(change);
    const before = this.#writing;
    // The write under way may have begun without this one.
    await before?.catch(() => undefined);
    if (this.#writing === before || this.#writing === undefined) {
      const written = this.#waiting;
      this.#waiting = [];
      this.#writing = this.#append(written);
    }
    await this.#writing;
  }

  /** Asks what is new since the last time; nothing the first time. */
  async ask(): Promise<News> {
    const heard = this.#heard;
    if (heard === undefined) {
      this.#heard = (await this.#read())?.version ?? 0;
      return { kind: 'changes', changes: [] };
    }
    const query = { [this.#idName]: ID, version: { $ne: heard } };
    const [record] = ((await orNothing(this.#service().find({ query, paginate: false }))) ?? []) as unknown as ChangesRecord[];
    if (!record) return { kind: 'changes', changes: [] };
    this.#heard = record.version;
    const unheard = record.version - heard;
    // An earlier version is one of a store that was emptied and has begun to count anew.
    const isLost = unheard < 0 || unheard > record.recent.length;
    return isLost ? { kind: 'lost' } : { kind: 'changes', changes: record.recent.slice(-unheard) };
  }

  async #append(changes: readonly Change[]): Promise<void> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const record = await this.#read();
      const version = (record?.version ?? 0) + changes.length;
      const recent = [...(record?.recent ?? []), ...changes].slice(-KEPT);
      const service = this.#service();
      const done = record
        ? (await orNothing(service.patch(ID, { version, recent }, { query: { version: record.version } }))) !== undefined
        : await isNew(service.create({ [this.#idName]: ID, kind: 'changes', version, recent }));
      if (done) return;
    }
    throw unavailable('Sessions can not be ended at present: other processes end too many at once');
  }

  async #read(): Promise<ChangesRecord | undefined> {
    return (await orNothing(this.#service().get(ID))) as ChangesRecord | undefined;
  }

  get #idName(): string {
    return this.#service().id ?? 'id';
  }
}
