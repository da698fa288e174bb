import type { Doc, Timestamp } from '../bson/values.ts';
import { Outdated } from '../errors.ts';
import { Claims, Transaction, WaitFor } from '../transactions/transaction.ts';
import { loadCatalogue } from './catalogue.ts';
import type { Change } from './change.ts';
import { ChangeLog } from './change-log.ts';
import { COUNTERS, type Counters, lastTime, nextTime, readCounters, writeCounters } from './clock.ts';
import type { Collection } from './collection.ts';
import { Discarded } from './discarded.ts';
import type { Engine, NumberedTable } from './engine.ts';
import { IndexDefinition, type IndexFacts } from './index-definition.ts';
import { Reader } from './reader.ts';
import { RecordNumbers } from './record-numbers.ts';
import { type Snapshot, Snapshots } from './snapshots.ts';
import { Suspects } from './suspects.ts';
import type { Waiting } from './write-lock.ts';
import { Writer } from './writer.ts';

/** All collections: states to read, one way to write, and the transactions that are open. */
export class Store {
  readonly engine: Engine;
  readonly claims: Claims = new Claims();
  readonly log: ChangeLog;
  readonly records: RecordNumbers = new RecordNumbers();
  readonly suspects: Suspects = new Suspects();
  /** Told of each commit that published changes. */
  readonly listeners: Set<() => void> = new Set();
  #counters: Counters;
  #newest: Reader;
  readonly #snapshots: Snapshots;
  readonly #discarded: Discarded;
  readonly #open = new Set<Transaction>();
  readonly #saved = new WeakSet<IndexFacts>();
  /** Changes of collections that are under way, or wait for transactions. */
  readonly #waiting = new Map<number, Set<Promise<unknown>>>();
  #writes = 0;
  #acknowledged: number;

  constructor(engine: Engine) {
    this.engine = engine;
    this.log = new ChangeLog(engine);
    this.#discarded = new Discarded(engine);
    this.#snapshots = new Snapshots(engine, () => {
      this.#prune();
    });
    this.#counters = readCounters(engine.system.get(COUNTERS));
    this.#newest = this.#load();
    this.#acknowledged = this.seq;
  }

  /** Readers within a write see the newest state. */
  get newest(): Reader {
    return this.#newest;
  }

  /** Number of the last change. */
  get seq(): number {
    return this.#counters.seq;
  }

  /** Number of the last change whose writer has been told: what is behind it is on its way, or was refused by the disk. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Number of the last change that the log has given up. */
  get logStart(): number {
    return this.#counters.logStart;
  }

  /** Whether the log has given up changes. */
  get isTrimmed(): boolean {
    return this.#counters.logStart > this.#counters.logFirst;
  }

  /** Transactions that are open. */
  get openTransactions(): ReadonlySet<Transaction> {
    return this.#open;
  }

  /** @returns the last cluster time that was given out */
  lastTime(): Timestamp {
    return this.#counters.second === 0 ? nextTime(this.#counters) : lastTime(this.#counters);
  }

  #load(): Reader {
    const catalogue = loadCatalogue(this.engine, this.#counters.version);
    this.#snapshots.add(catalogue);
    return new Reader(this.engine, catalogue, this.#counters.seq);
  }

  /**
   * Writes. What one work writes is there as a whole, or not at all after a crash.
   *
   * @param work reads and writes, and does not wait; a WaitFor that it throws comes to the caller
   * @param frees whether it gives room back
   * @param waiting who waits while writers are kept out; others wait for any time
   * @returns what the work gives, once it is on the disk
   * @throws DocDbError (14031, 8000) when nothing can be written
   */
  async write<T>(work: (writer: Writer) => T, frees = false, waiting?: Waiting): Promise<T> {
    this.#writes += 1;
    let changed = false;
    let last = 0;
    try {
      return await this.engine.write(
        () => {
          const writer = new Writer(this);
          try {
            return work(writer);
          } finally {
            // What was written before an error stays.
            writer.finish();
            changed = writer.changed;
            last = this.seq;
          }
        },
        frees,
        waiting,
      );
    } catch (error) {
      if (this.engine.failure) {
        this.#forget();
        last = 0;
      }
      throw error;
    } finally {
      this.#writes -= 1;
      this.#acknowledged = Math.max(this.#acknowledged, last);
      this.#prune();
      if (changed) for (const listener of [...this.listeners]) listener();
    }
  }

  /** What was in memory of a commit that failed is not true. */
  #forget(): void {
    this.#counters = readCounters(this.engine.system.get(COUNTERS));
    this.#newest = this.#load();
  }

  /**
   * Writes when nobody is in the way: waits for the transactions that hold what the work needs, too.
   *
   * @param frees whether it gives room back
   */
  async patiently<T>(waiting: Waiting, work: (writer: Writer) => T, frees = false): Promise<T> {
    for (;;) {
      try {
        return await this.write(work, frees, waiting);
      } catch (error) {
        if (!(error instanceof WaitFor)) throw error;
        await waiting.until(error.transaction.ended);
      }
    }
  }

  /** @returns the present state; to be released */
  read(): Snapshot {
    return this.#snapshots.take(this.#newest.catalogue);
  }

  /** What is written may name a catalogue that only its work knows. */
  #prune(): void {
    if (this.#writes === 0) this.#snapshots.prune(this.#newest.catalogue);
  }

  /** Opens a transaction on the present state. */
  begin(number: bigint): Transaction {
    const transaction = new Transaction(number, this.read());
    this.#open.add(transaction);
    return transaction;
  }

  /** Notes that a transaction uses a collection. */
  touch(transaction: Transaction, collection: Collection): void {
    const waiting = this.#waiting.get(collection.number);
    if (waiting && !transaction.hasTouched(collection))
      throw new Outdated(
        24,
        `Unable to acquire a lock on '${collection.ns}' within 5ms: it is being changed`,
        Promise.allSettled([...waiting]),
      );
    transaction.touch(collection);
  }

  /** Ends a transaction; its changes were written, or are forgotten. */
  end(transaction: Transaction, state: 'committed' | 'aborted'): void {
    if (transaction.state !== 'open') return;
    this.#open.delete(transaction);
    this.claims.release(transaction);
    transaction.finish(state);
  }

  /** @throws WaitFor while a transaction uses a collection */
  lock(collection: Collection): void {
    for (const transaction of this.#open) if (transaction.hasTouched(collection)) throw new WaitFor(transaction);
  }

  /** Carries out a change of a collection that no new transaction may get ahead of. */
  async ahead<T>(collection: Collection | undefined, work: () => Promise<T>): Promise<T> {
    if (!collection) return work();
    const { number } = collection;
    const waiting = this.#waiting.get(number) ?? new Set();
    this.#waiting.set(number, waiting);
    const change = (async (): Promise<T> => work())();
    waiting.add(change);
    try {
      return await change;
    } finally {
      waiting.delete(change);
      if (waiting.size === 0) this.#waiting.delete(number);
    }
  }

  /** @returns a number for a collection or index that no other one has had */
  nextNumber(): number {
    return this.#counters.next++;
  }

  /** @returns an index that no collection has yet */
  newIndex(spec: Doc, ready = true): IndexDefinition {
    return new IndexDefinition(this.nextNumber(), spec, ready);
  }

  /** @returns the version of a document that is written now: later than all before */
  nextVersion(): number {
    this.#counters.seq += 1;
    return this.#counters.seq;
  }

  /** @returns a time that nothing has been written at */
  nextTime(): Timestamp {
    return nextTime(this.#counters);
  }

  append(change: Change, time: Timestamp = this.nextTime()): void {
    this.#counters.logBytes += this.log.append(change, this.nextVersion(), time);
  }

  saveCounters(): void {
    const { bytes, start } = this.log.trim(this.#counters.logBytes, this.#counters.logStart);
    this.#counters.logBytes = bytes;
    this.#counters.logStart = start;
    void this.engine.system.put(COUNTERS, writeCounters(this.#counters));
  }

  changeCatalogue(removed: readonly Collection[], added: readonly Collection[]): void {
    const catalogue = this.#newest.catalogue.with(removed, added);
    this.#counters.version = catalogue.version;
    this.#snapshots.add(catalogue);
    this.#newest = new Reader(this.engine, catalogue, Infinity);
  }

  hasSaved(facts: IndexFacts): boolean {
    return (!facts.multikey && !facts.coarse) || this.#saved.has(facts);
  }

  noteSaved(facts: IndexFacts): void {
    this.#saved.add(facts);
  }

  /** Notes that entries are to be removed behind the back of others; in a write only. */
  discardLater(table: NumberedTable, number: number): void {
    this.#discarded.add(table, number);
  }

  /** Takes away what a crash has left half built; called once, before anything else. */
  async recover(): Promise<void> {
    const unfinished = [...this.#newest.catalogue.collections.values()].filter(
      (collection) => collection.isTemporary || [...collection.indexes.values()].some((index) => !index.ready),
    );
    await this.write((writer) => {
      // Every state on disk names its catalogue, from the first one on.
      writer.changed = true;
      for (const collection of unfinished) {
        if (collection.isTemporary) {
          writer.collections.drop(collection);
          continue;
        }
        const indexes = [...collection.indexes.values()];
        for (const index of indexes) if (!index.ready) writer.collections.discardIndex(collection, index);
        writer.collections.modify(collection, { indexes: indexes.filter((index) => index.ready) });
      }
    }, true);
    this.#discarded.sweep();
  }

  /** Ends everything that is open and gives the files back. */
  async close(): Promise<void> {
    for (const transaction of [...this.#open]) this.end(transaction, 'aborted');
    await this.#discarded.stop();
    await this.engine.close();
  }
}
