import type { Timestamp } from '../bson/values.ts';
import type { Catalogue } from './catalogue.ts';
import { DocDbError } from '../errors.ts';
import { COUNTERS, lastTime, readCounters } from './clock.ts';
import type { Engine, ReadState } from './engine.ts';
import { MAX_READERS } from './reader-table.ts';
import { Reader, type TransactionView } from './reader.ts';

/** A state that is held until everybody who took it has given it back. */
export interface Snapshot {
  readonly reader: Reader;
  /** Cluster time of its last change. */
  readonly time: Timestamp;
  /** @returns a reader of the state with the changes of a transaction over it */
  readerFor(view: TransactionView): Reader;
  /** @returns gives it back, once; `undefined` where nobody holds it any more: what was given back may be gone */
  readonly retain: () => (() => void) | undefined;
  /** Gives it back for who took it. */
  readonly release: () => void;
}

/** States that are left for what reads the present one, and for copies of the folder. */
const RESERVED = 100;

/** States that are held, and the catalogues that belong to them. */
export class Snapshots {
  readonly #engine: Engine;
  readonly #released: () => void;
  /** Catalogues that a state may need, by version. */
  readonly #catalogues = new Map<number, Catalogue>();
  readonly #held = new Map<number, number>();
  /** How often each state is held: one that nothing was written behind is taken again. */
  readonly #states = new Map<ReadState, number>();
  readonly #most: number;

  /**
   * @param released is told of each state that nobody holds any more
   * @param most states that are held at once
   */
  constructor(engine: Engine, released: () => void, most: number = MAX_READERS - RESERVED) {
    this.#engine = engine;
    this.#released = released;
    this.#most = most;
  }

  /** Notes a catalogue that states from now on may name. */
  add(catalogue: Catalogue): void {
    this.#catalogues.set(catalogue.version, catalogue);
  }

  /**
   * @param newest the catalogue of a folder in which nothing was written yet
   * @returns the present state; to be released
   * @throws DocDbError (146) where more of them would be held than can be
   */
  take(newest: Catalogue): Snapshot {
    if (this.#states.size >= this.#most)
      throw new DocDbError(
        146,
        `${String(this.#most)} states of the data are held by cursors and transactions: read cursors to their end, or close them, before others are opened`,
      );
    const state = this.#engine.read();
    this.#states.set(state, (this.#states.get(state) ?? 0) + 1);
    const counters = readCounters(this.#engine.system.get(COUNTERS, { transaction: state }));
    const catalogue = this.#catalogues.get(counters.version) ?? newest;
    const { version } = catalogue;
    const { seq } = counters;
    this.#held.set(version, (this.#held.get(version) ?? 0) + 1);
    let holders = 0;
    const hold = (): (() => void) => {
      let holds = true;
      holders += 1;
      return () => {
        // LMDB would not forgive one too many.
        if (!holds) return;
        holds = false;
        holders -= 1;
        if (holders !== 0) return;
        this.#held.set(version, (this.#held.get(version) ?? 1) - 1);
        this.#letGo(state);
        this.#released();
      };
    };
    const release = hold();
    return {
      reader: new Reader(this.#engine, catalogue, seq, state),
      time: lastTime(counters),
      readerFor: (view) => new Reader(this.#engine, catalogue, seq, state, view),
      retain: () => (holders === 0 ? undefined : hold()),
      release,
    };
  }

  #letGo(state: ReadState): void {
    const holders = (this.#states.get(state) ?? 1) - 1;
    if (holders === 0) this.#states.delete(state);
    else this.#states.set(state, holders);
    state.done();
  }

  /** Forgets catalogues that no state can need. */
  prune(newest: Catalogue): void {
    if (this.#catalogues.size === 1) return;
    for (const version of this.#catalogues.keys()) {
      if (version === newest.version || (this.#held.get(version) ?? 0) > 0) continue;
      this.#catalogues.delete(version);
      this.#held.delete(version);
    }
  }
}
