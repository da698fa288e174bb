import type { Doc } from '../bson/values.ts';
import type { Collection, Owner, View } from '../storage/collection.ts';
import type { Change } from '../storage/change.ts';

/** Milliseconds that a transaction may stay open. */
export const TRANSACTION_LIFETIME = 60_000;

/** Thrown where a write outside transactions meets an uncommitted change: the write is tried again afterwards. */
export class WaitFor {
  readonly transaction: Owner;

  constructor(transaction: Owner) {
    this.transaction = transaction;
  }
}

/** One multi-document transaction: a snapshot and the changes over it. */
export class Transaction implements Owner {
  readonly number: bigint;
  readonly seq: number;
  readonly started: number = Date.now();
  state: 'open' | 'committed' | 'aborted' = 'open';
  /** Changed documents of each collection. */
  readonly changes: Map<Collection, Map<string, Doc | null>> = new Map();
  /** What the commit publishes, in order. */
  readonly log: Change[] = [];
  /** Collections that this transaction made; an abort takes the empty ones away. */
  readonly created: Set<Collection> = new Set();
  /** Claims on documents and unique keys. */
  readonly claims: { readonly collection: Collection; readonly key: string }[] = [];
  /** Settles when the transaction ends. */
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;

  constructor(number: bigint, seq: number) {
    this.number = number;
    this.seq = seq;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** What the transaction sees of a collection. */
  view(collection: Collection): View {
    return { seq: this.seq, changes: this.changes.get(collection) };
  }

  /** The changes of a collection, to be added to. */
  changesOf(collection: Collection): Map<string, Doc | null> {
    const known = this.changes.get(collection);
    if (known) return known;
    const created = new Map<string, Doc | null>();
    this.changes.set(collection, created);
    return created;
  }

  /** Gives the claims back and lets the writers that wait go on. */
  finish(state: 'committed' | 'aborted'): void {
    this.state = state;
    for (const { collection, key } of this.claims) if (collection.pending.get(key) === this) collection.pending.delete(key);
    this.changes.clear();
    this.#end();
  }
}
