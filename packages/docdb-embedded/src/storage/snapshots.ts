import type { Timestamp } from '../bson/values.ts';
import type { Catalogue } from './catalogue.ts';
import { COUNTERS, lastTime, readCounters } from './clock.ts';
import type { Engine } from './engine.ts';
import { Reader, type TransactionView } from './reader.ts';

/** A state that is held until it is released as often as it was taken. */
export interface Snapshot {
  readonly reader: Reader;
  /** Cluster time of its last change. */
  readonly time: Timestamp;
  /** @returns a reader of the state with the changes of a transaction over it */
  readerFor(view: TransactionView): Reader;
  /** Takes it once more. */
  readonly retain: () => void;
  readonly release: () => void;
}

/** States that are held, and the catalogues that belong to them. */
export class Snapshots {
  readonly #engine: Engine;
  readonly #released: () => void;
  /** Catalogues that a state may need, by version. */
  readonly #catalogues = new Map<number, Catalogue>();
  readonly #held = new Map<number, number>();

  /** @param released is told of each state that nobody holds any more */
  constructor(engine: Engine, released: () => void) {
    this.#engine = engine;
    this.#released = released;
  }

  /** Notes a catalogue that states from now on may name. */
  add(catalogue: Catalogue): void {
    this.#catalogues.set(catalogue.version, catalogue);
  }

  /**
   * @param newest the catalogue of a folder in which nothing was written yet
   * @returns the present state; to be released
   */
  take(newest: Catalogue): Snapshot {
    const state = this.#engine.read();
    const counters = readCounters(this.#engine.system.get(COUNTERS, { transaction: state }));
    const catalogue = this.#catalogues.get(counters.version) ?? newest;
    const { version } = catalogue;
    const { seq } = counters;
    this.#held.set(version, (this.#held.get(version) ?? 0) + 1);
    let holders = 1;
    return {
      reader: new Reader(this.#engine, catalogue, seq, state),
      time: lastTime(counters),
      readerFor: (view) => new Reader(this.#engine, catalogue, seq, state, view),
      retain: () => {
        holders += 1;
      },
      release: () => {
        holders -= 1;
        // LMDB would not forgive one too many.
        if (holders !== 0) return;
        this.#held.set(version, (this.#held.get(version) ?? 1) - 1);
        state.done();
        this.#released();
      },
    };
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
