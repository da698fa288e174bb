import type { Timestamp } from 'bson';
import { compare } from '../bson/compare.ts';
import { type Doc, isDocument } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Snapshot } from '../storage/snapshots.ts';
import type { Store } from '../storage/store.ts';

/** Milliseconds that a state can be read again. */
export const SNAPSHOT_LIFETIME = 60_000;
/** States that are kept at once. */
const MOST = 500;

/** Commands that read with the read concern `snapshot`. */
const READS: ReadonlySet<string> = new Set(['find', 'aggregate', 'distinct']);
/** Commands about cursors, which have a state already; drivers send the read concern of a session with them, too. */
const OF_CURSORS: ReadonlySet<string> = new Set(['getMore', 'killCursors']);

/** A state to read, and its time. */
export interface SnapshotRead {
  readonly time: Timestamp;
  readonly snapshot: Snapshot;
  lastUse: number;
}

/** Reads outside transactions that all see one state, as sessions with `snapshot: true` ask for them. */
export class SnapshotReads {
  readonly #store: Store;
  readonly #kept: SnapshotRead[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * The state that a command reads.
   *
   * @returns `undefined` for commands without the read concern `snapshot`, and for those about cursors
   * @throws DocDbError (72) for a command that reads no snapshots, (239) when the state is no longer there
   */
  of(name: string, { readConcern }: Doc): SnapshotRead | undefined {
    if (!isDocument(readConcern) || readConcern.level !== 'snapshot' || OF_CURSORS.has(name)) return undefined;
    if (!READS.has(name))
      throw new DocDbError(72, `The read concern level 'snapshot' is not supported by ${name} outside of a transaction`);
    const { atClusterTime } = readConcern;
    return atClusterTime === undefined ? this.#keep() : this.#at(atClusterTime as Timestamp);
  }

  /** Gives up states that were not read for a while. */
  sweep(now: number = Date.now()): void {
    while (this.#kept[0] && (now - this.#kept[0].lastUse > SNAPSHOT_LIFETIME || this.#kept.length > MOST))
      this.#kept.shift()?.snapshot.release();
  }

  #keep(): SnapshotRead {
    this.sweep();
    const snapshot = this.#store.read();
    const last = this.#kept.at(-1);
    if (last?.snapshot.reader.seq === snapshot.reader.seq) {
      snapshot.release();
      last.lastUse = Date.now();
      return last;
    }
    const kept = { time: snapshot.time, snapshot, lastUse: Date.now() };
    this.#kept.push(kept);
    return kept;
  }

  #at(time: Timestamp): SnapshotRead {
    const exact = this.#kept.find((kept) => compare(kept.time, time) === 0);
    if (exact) {
      exact.lastUse = Date.now();
      return exact;
    }
    // Of the states between only the newest one is there.
    const present = this.#keep();
    if (compare(present.time, time) <= 0) return present;
    throw new DocDbError(239, `Read timestamp ${String(time)} is older than the oldest available timestamp.`);
  }

  /** Gives up all states. */
  close(): void {
    for (const { snapshot } of this.#kept.splice(0)) snapshot.release();
  }
}
