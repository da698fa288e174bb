import { checkSize } from '../bson/encode.ts';
import { hashKey } from '../bson/hash-key.ts';
import { type Doc, Timestamp } from '../bson/values.ts';
import { DocDbError, writeConflict } from '../errors.ts';
import { Transaction, WaitFor } from '../transactions/transaction.ts';
import type { Change, LogEntry } from './change.ts';
import { Collection, duplicateKey, idKey, LATEST, type View } from './collection.ts';

/** Changes kept for change streams. */
const LOG_LENGTH = 50_000;

/** Keeps changes on disk. */
export interface ChangeSink {
  append(changes: readonly Change[]): void;
}

/** All collections, the clock of their commits, and the log of their changes. */
export class Store {
  readonly collections: Map<string, Collection> = new Map();
  readonly log: LogEntry[] = [];
  /** Told of each publication. */
  readonly listeners: Set<() => void> = new Set();
  sink: ChangeSink | undefined;
  // Later than all numbers of earlier runs, so that an old resume token is recognised as old.
  #seq: number = Date.now() * 1000;
  /** Sequence number before the oldest change in the log. */
  logStart: number = this.#seq;
  #increment = 0;
  #lastSecond = 0;
  readonly #open: Set<Transaction> = new Set();

  /** Sequence number of the last commit. */
  get seq(): number {
    return this.#seq;
  }

  /** Transactions that are open. */
  get openTransactions(): ReadonlySet<Transaction> {
    return this.#open;
  }

  /** @returns a new cluster time, later than all before */
  now(): Timestamp {
    const second = Math.max(this.#lastSecond, Math.floor(Date.now() / 1000));
    this.#increment = second === this.#lastSecond ? this.#increment + 1 : 1;
    this.#lastSecond = second;
    return new Timestamp({ t: second, i: this.#increment });
  }

  /** @returns the last cluster time that was given out */
  lastTime(): Timestamp {
    return this.#lastSecond === 0 ? this.now() : new Timestamp({ t: this.#lastSecond, i: this.#increment });
  }

  get(ns: string): Collection | undefined {
    return this.collections.get(ns);
  }

  /** @returns the collection; it is made when there is none */
  forWrite(ns: string, transaction?: Transaction): Collection {
    const known = this.collections.get(ns);
    if (known) return known;
    checkNamespace(ns);
    const collection = new Collection(ns);
    this.addCollection(collection, transaction);
    return collection;
  }

  /** Adds a collection and publishes it; in a transaction others see it in lists after the commit. */
  addCollection(collection: Collection, transaction?: Transaction): void {
    this.collections.set(collection.ns, collection);
    collection.madeBy = transaction;
    transaction?.created.add(collection);
    this.publish([{ kind: 'create', ns: collection.ns, details: { options: collection.options, uuid: collection.uuid } }]);
  }

  view(collection: Collection, transaction: Transaction | undefined): View {
    return transaction ? transaction.view(collection) : LATEST;
  }

  /**
   * @throws DocDbError (11000, 112), WaitFor
   */
  insert(collection: Collection, doc: Doc, transaction: Transaction | undefined): void {
    checkSize(doc);
    const key = idKey(doc._id);
    this.#claim(collection, key, transaction);
    if (collection.read(key, this.view(collection, transaction))) {
      const index = collection.indexes.get('_id_');
      if (index) throw duplicateKey(collection.ns, index, doc);
    }
    this.#claimUnique(collection, doc, key, transaction);
    this.#write(collection, key, doc, { kind: 'insert', ns: collection.ns, doc, id: doc._id }, transaction);
  }

  /**
   * Puts a document in the place of another with the same id.
   *
   * @throws DocDbError (11000, 112), WaitFor
   */
  replace(collection: Collection, before: Doc, doc: Doc, kind: 'update' | 'replace', transaction: Transaction | undefined): void {
    checkSize(doc);
    const key = idKey(before._id);
    this.#claim(collection, key, transaction);
    this.#claimUnique(collection, doc, key, transaction);
    this.#write(collection, key, doc, { kind, ns: collection.ns, doc, before, id: doc._id }, transaction);
  }

  /**
   * @throws DocDbError (112), WaitFor
   */
  remove(collection: Collection, doc: Doc, transaction: Transaction | undefined): void {
    const key = idKey(doc._id);
    this.#claim(collection, key, transaction);
    this.#write(collection, key, null, { kind: 'delete', ns: collection.ns, before: doc, id: doc._id }, transaction);
  }

  #write(collection: Collection, key: string, doc: Doc | null, change: Change, transaction: Transaction | undefined): void {
    if (transaction) {
      transaction.changesOf(collection).set(key, doc);
      transaction.log.push(change);
    } else {
      collection.apply(key, doc, ++this.#seq, this.#open.size > 0);
      this.publish([change]);
    }
  }

  /** First writer wins: a transaction fails, any other writer waits for the transaction. */
  #claim(collection: Collection, key: string, transaction: Transaction | undefined): void {
    const owner = collection.pending.get(key);
    if (owner && owner !== transaction) {
      if (transaction) throw writeConflict();
      throw new WaitFor(owner);
    }
    if (!transaction || owner) return;
    const record = collection.records.get(key);
    if (record && record.seq > transaction.seq) throw writeConflict();
    collection.pending.set(key, transaction);
    transaction.claims.push({ collection, key });
  }

  #claimUnique(collection: Collection, doc: Doc, key: string, transaction: Transaction | undefined): void {
    collection.checkUnique(doc, key, transaction?.changesOf(collection));
    if (!transaction && collection.pending.size === 0) return;
    for (const index of collection.indexes.values()) {
      if (!index.unique) continue;
      for (const values of index.keysOf(doc)) {
        const claim = `\0${index.name}\0${hashKey(values.map((value) => (typeof value === 'symbol' ? [] : value)))}`;
        const owner = collection.pending.get(claim);
        if (owner && owner !== transaction) {
          if (transaction) throw writeConflict();
          throw new WaitFor(owner);
        }
        if (transaction && !owner) {
          collection.pending.set(claim, transaction);
          transaction.claims.push({ collection, key: claim });
        }
      }
    }
  }

  /** Opens a transaction on the present state. */
  begin(number: bigint): Transaction {
    const transaction = new Transaction(number, this.#seq);
    this.#open.add(transaction);
    return transaction;
  }

  /** Makes all changes of a transaction visible at once. */
  commit(transaction: Transaction): void {
    const seq = ++this.#seq;
    const others = this.#open.size > 1;
    for (const [collection, changes] of transaction.changes) {
      for (const [key, doc] of changes) collection.apply(key, doc, seq, others);
    }
    for (const collection of transaction.created) collection.madeBy = undefined;
    const { log } = transaction;
    this.#close(transaction, 'committed');
    if (log.length > 0) this.publish(log);
  }

  /** Forgets all changes of a transaction. */
  abort(transaction: Transaction): void {
    if (transaction.state !== 'open') return;
    for (const collection of transaction.created) {
      if (collection.count === 0 && this.collections.get(collection.ns) === collection) this.dropCollection(collection.ns);
    }
    this.#close(transaction, 'aborted');
  }

  #close(transaction: Transaction, state: 'committed' | 'aborted'): void {
    this.#open.delete(transaction);
    transaction.finish(state);
    if (this.#open.size > 0) return;
    for (const collection of this.collections.values()) if (collection.changed.size > 0) collection.forgetHistory();
  }

  dropCollection(ns: string): boolean {
    const collection = this.collections.get(ns);
    if (!collection) return false;
    this.collections.delete(ns);
    this.publish([{ kind: 'drop', ns, details: { uuid: collection.uuid } }]);
    return true;
  }

  /**
   * Gives a collection another name.
   *
   * @param dropTarget identity of the collection that had the name before and was dropped for it
   */
  renameCollection(collection: Collection, to: string, dropTarget?: string): void {
    const from = collection.ns;
    this.collections.delete(from);
    collection.ns = to;
    this.collections.set(to, collection);
    const dot = to.indexOf('.');
    this.publish([
      {
        kind: 'rename',
        ns: from,
        details: { to: { db: to.slice(0, dot), coll: to.slice(dot + 1) }, ...(dropTarget === undefined ? {} : { dropTarget }) },
      },
    ]);
  }

  /** Publishes changes: to the journal as one unit, to the log, and to those who wait for changes. */
  publish(changes: readonly Change[]): void {
    this.sink?.append(changes);
    const wallTime = new Date();
    for (const change of changes) {
      const uuid = this.collections.get(change.ns)?.uuid ?? (change.details?.uuid as string | undefined);
      this.log.push({ ...change, uuid, seq: ++this.#seq, clusterTime: this.now(), wallTime });
    }
    if (this.log.length > LOG_LENGTH) this.logStart = this.log.splice(0, LOG_LENGTH >> 1).at(-1)?.seq ?? this.logStart;
    for (const listener of [...this.listeners]) listener();
  }
}

/** @throws DocDbError (73) for names that a collection can not have */
export function checkNamespace(ns: string): void {
  const dot = ns.indexOf('.');
  const database = ns.slice(0, dot);
  const name = ns.slice(dot + 1);
  if (dot <= 0 || name === '' || name.startsWith('.') || name.includes('\0') || name.includes('$') || /[ /\\"$\0]/.test(database)) {
    throw new DocDbError(73, `Invalid namespace specified '${ns}'`);
  }
  if (Buffer.byteLength(ns) > 255)
    throw new DocDbError(73, `Fully qualified namespace is too long. Namespace: ${ns.slice(0, 60)}… Max: 255`);
}
