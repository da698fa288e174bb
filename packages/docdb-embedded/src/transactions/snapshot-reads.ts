import type { Timestamp } from 'bson';
import { compare } from '../bson/compare.ts';
import { type Doc, isDocument } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Store } from '../storage/store.ts';
import { Transaction } from './transaction.ts';

/** Milliseconds that a state can be read again. */
export const SNAPSHOT_LIFETIME = 60_000;

/** Commands that read with the read concern `snapshot`. */
const READS: ReadonlySet<string> = new Set(['find', 'aggregate', 'distinct']);

interface Kept {
  readonly time: Timestamp;
  /** Never committed; while it is open the store keeps the states that it sees. */
  readonly transaction: Transaction;
  lastUse: number;
}

/** A state to read, and its time. */
export interface SnapshotRead {
  readonly transaction: Transaction;
  readonly time: Timestamp;
}

/** Reads outside transactions that all see one state, as sessions with `snapshot: true` ask for them. */
export class SnapshotReads {
  readonly #store: Store;
  readonly #kept: Kept[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * The state that a command reads.
   *
   * @returns `undefined` for commands without the read concern `snapshot`
   * @throws DocDbError (239) when the state is no longer there
   */
  of(name: string, { readConcern }: Doc): SnapshotRead | undefined {
    if (!isDocument(readConcern) || readConcern.level !== 'snapshot' || !READS.has(name)) return undefined;
    const { atClusterTime } = readConcern;
    return atClusterTime === undefined ? this.#keep() : this.#at(atClusterTime as Timestamp);
  }

  /** Gives up states that were not read for a while. */
  sweep(now: number = Date.now()): void {
    while (this.#kept[0] && now - this.#kept[0].lastUse > SNAPSHOT_LIFETIME) {
      const [old] = this.#kept.splice(0, 1) as [Kept];
      this.#store.abort(old.transaction);
    }
  }

  #keep(): SnapshotRead {
    this.sweep();
    const last = this.#kept.at(-1);
    if (last?.transaction.seq === this.#store.seq) {
      last.lastUse = Date.now();
      return last;
    }
    const kept = { time: this.#store.lastTime(), transaction: this.#store.begin(-1n), lastUse: Date.now() };
    this.#kept.push(kept);
    return kept;
  }

  #at(time: Timestamp): SnapshotRead {
    const exact = this.#kept.find((kept) => compare(kept.time, time) === 0);
    if (exact) {
      exact.lastUse = Date.now();
      return exact;
    }
    const seq = this.#store.log.findLast((entry) => compare(entry.clusterTime, time) <= 0)?.seq ?? this.#store.logStart;
    if (seq === this.#store.seq) return this.#keep();
    // States since the oldest one that is kept are all there.
    if (this.#kept.some(({ transaction }) => transaction.seq <= seq)) return { time, transaction: new Transaction(-1n, seq) };
    throw new DocDbError(239, `Read timestamp ${String(time)} is older than the oldest available timestamp.`);
  }
}
