import { abortedTransaction, DocDbError, writeConflict } from '../errors.ts';
import type { Change } from '../storage/change.ts';
import type { Collection } from '../storage/collection.ts';
import { Reader, type Overlay, type TransactionView } from '../storage/reader.ts';
import type { Stored } from '../storage/stored.ts';
import type { Snapshot } from '../storage/snapshots.ts';

/** Milliseconds that a transaction may stay open. */
export const TRANSACTION_LIFETIME = 60_000;
/** Bytes of documents that a transaction may change. */
const MAX_BYTES: number = 256 * 1024 * 1024;

/** Thrown where a write outside transactions meets an uncommitted change: it goes on behind it. */
export class WaitFor {
  readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }
}

interface OwnChanges extends Overlay {
  readonly collection: Collection;
  readonly documents: Map<number, Stored | null>;
  readonly ids: Map<string, readonly number[]>;
}

/** One multi-document transaction: a state to read, and the changes over it. */
export class Transaction implements TransactionView {
  readonly number: bigint;
  readonly started: number = Date.now();
  readonly reader: Reader;
  /** What it reads; whoever reads beyond its end takes it. */
  readonly snapshot: Snapshot;
  state: 'open' | 'committed' | 'aborted' = 'open';
  /** What the commit publishes, in order. */
  readonly log: Change[] = [];
  readonly created: Map<string, Collection> = new Map();
  /** Keys of its claims. */
  readonly claims: string[] = [];
  /** Settles when the transaction ends. */
  readonly ended: Promise<void>;
  readonly #changes = new Map<number, OwnChanges>();
  readonly #touched = new Set<number>();
  /** By document, how many large values LMDB keeps in mind for its change. */
  readonly #kept = new Map<string, number>();
  #large = 0;
  /** Whether some of them were counted in a file that was not large yet, where not all are looked for. */
  isCountedRoughly = false;
  #bytes = 0;
  #end: () => void = () => undefined;

  constructor(number: bigint, snapshot: Snapshot) {
    this.number = number;
    this.snapshot = snapshot;
    this.reader = snapshot.readerFor(this);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  overlayOf(collection: Collection): Overlay | undefined {
    return this.#changes.get(collection.number);
  }

  /** Large values that LMDB will keep in mind for the changes. */
  get large(): number {
    return this.#large;
  }

  /** @param large how many of them it is for a document, with all changes of it */
  noteLarge(document: string, large: number): void {
    this.#large += large - (this.#kept.get(document) ?? 0);
    if (large > 0) this.#kept.set(document, large);
    else this.#kept.delete(document);
  }

  /** The changes, by collection. */
  changes(): Iterable<OwnChanges> {
    return this.#changes.values();
  }

  /** Notes that it has used a collection: nobody changes what the collection is until the transaction ends. */
  touch(collection: Collection): void {
    this.#touched.add(collection.number);
  }

  hasTouched(collection: Collection): boolean {
    return this.#touched.has(collection.number);
  }

  /**
   * Lays a document over what it reads.
   *
   * @param stored `null` for a deletion
   * @param idKey key of the document's id
   * @throws DocDbError (257) when it holds too much
   */
  set(collection: Collection, record: number, stored: Stored | null, idKey: string, change: Change): void {
    this.#bytes += stored?.bytes.length ?? 0;
    if (this.#bytes > MAX_BYTES)
      throw new DocDbError(257, `A transaction may change documents of ${String(MAX_BYTES)} bytes in all. Commit earlier`);
    const known = this.#changes.get(collection.number);
    const changes: OwnChanges = known ?? { collection, documents: new Map(), ids: new Map() };
    if (!known) this.#changes.set(collection.number, changes);
    changes.documents.set(record, stored);
    const others = changes.ids.get(idKey)?.filter((other) => other !== record) ?? [];
    changes.ids.set(idKey, [record, ...others]);
    this.log.push(change);
  }

  /** @throws DocDbError (251) when it has ended: its session may end at any time, and it may be open for too long */
  checkOpen(): void {
    if (this.state !== 'open') throw abortedTransaction(this.number);
  }

  /** Lets the writers that wait go on. */
  finish(state: 'committed' | 'aborted'): void {
    this.state = state;
    this.#changes.clear();
    this.#kept.clear();
    this.created.clear();
    this.snapshot.release();
    this.#end();
  }
}

interface Claim {
  readonly owner: Transaction;
  readonly records: Set<number>;
}

/** Documents and unique keys that open transactions have changed: the first writer has them. */
export class Claims {
  readonly #claims = new Map<string, Claim>();

  /**
   * Takes something for a transaction, or looks whether a write outside may go on.
   *
   * @returns the records for which the transaction has it already
   * @throws DocDbError (112) for a transaction, WaitFor for another writer, when somebody else has it
   */
  take(key: string, record: number, transaction: Transaction | undefined): ReadonlySet<number> {
    this.check(key, transaction);
    const claim = this.#claims.get(key);
    if (claim) {
      claim.records.add(record);
      return claim.records;
    }
    if (transaction) {
      this.#claims.set(key, { owner: transaction, records: new Set([record]) });
      transaction.claims.push(key);
    }
    return NONE;
  }

  /**
   * Looks whether somebody else has something.
   *
   * @throws DocDbError (112) for a transaction, WaitFor for another writer
   */
  check(key: string, transaction: Transaction | undefined): void {
    const owner = this.#claims.get(key)?.owner;
    if (!owner || owner === transaction) return;
    if (transaction) throw writeConflict();
    throw new WaitFor(owner);
  }

  /** @returns whether an open transaction has something */
  has(key: string): boolean {
    return this.#claims.has(key);
  }

  /** Whether nobody has anything. */
  get empty(): boolean {
    return this.#claims.size === 0;
  }

  /** Gives back what a transaction has. */
  release(transaction: Transaction): void {
    for (const key of transaction.claims) this.#claims.delete(key);
  }
}

const NONE: ReadonlySet<number> = new Set();

/** @returns what stands for a document among the claims */
export function documentClaim(collection: Collection, record: number): string {
  return `d${String(collection.number)}:${String(record)}`;
}
