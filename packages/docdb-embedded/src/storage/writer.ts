import { encode, encodeStored } from '../bson/encode.ts';
import type { Doc, Timestamp } from '../bson/values.ts';
import { DocDbError, Outdated } from '../errors.ts';
import { documentClaim, type Transaction } from '../transactions/transaction.ts';
import type { Change } from './change.ts';
import type { Collection } from './collection.ts';
import { CollectionWriter } from './collection-writer.ts';
import { CollectionSizes } from './collection-sizes.ts';
import type { IndexDefinition } from './index-definition.ts';
import { IndexEntries } from './index-entries.ts';
import { checkChanges, noteLarge, sizeOf } from './large-changes.ts';
import { documentKey, type Reader } from './reader.ts';
import { putReply, removeReply } from './replies.ts';
import type { Store } from './store.ts';
import { HEADER, Stored } from './stored.ts';
import { trimCapped } from './trim-capped.ts';
import { type Candidate, UniqueKeys } from './unique-keys.ts';

/** A change of a document that is worked out: applying it can not fail. */
interface Prepared extends Candidate {
  readonly bytes: Buffer | undefined;
}

/** What kind of change it is that puts a document in the place of another. */
interface Replacement {
  readonly kind: 'update' | 'replace';
  /** What may be different, where the operators of an update say it. */
  readonly paths?: readonly string[] | undefined;
}

/**
 * Writes documents, within one work of {@link Store.write}. Each document is prepared first, and nothing of
 * it is written when something about it is wrong.
 */
export class Writer {
  readonly #store: Store;
  readonly #sizes: CollectionSizes;
  readonly #entries: IndexEntries;
  readonly uniqueKeys: UniqueKeys;
  /** Makes, changes and drops collections. */
  readonly collections: CollectionWriter;
  /** Whether anything was written. */
  changed = false;

  /** Whether the commit has so much to keep in mind that what is left to do goes into the next one. */
  get isSpent(): boolean {
    return this.#store.engine.memory.isSpent;
  }

  constructor(store: Store) {
    this.#store = store;
    this.#sizes = new CollectionSizes(store);
    this.#entries = new IndexEntries(store);
    this.uniqueKeys = new UniqueKeys(store);
    const touched = (): void => {
      this.changed = true;
    };
    this.collections = new CollectionWriter(store, this.#sizes, touched, (change) => {
      this.publish(change);
    });
  }

  /** Reads the newest state, with everything that was written before. */
  get reader(): Reader {
    return this.#store.newest;
  }

  /**
   * Adds a document; a capped collection gives its oldest ones up for it.
   *
   * @param transaction the transaction that writes; its changes are laid over what it reads
   * @param published whether change streams hear of it
   * @throws DocDbError (11000, 112, 171, 10334, …), WaitFor
   */
  insert(collection: Collection, doc: Doc, transaction: Transaction | undefined, published = true): void {
    this.#enter(collection, transaction);
    const record = this.#store.records.next(this.reader, collection);
    if (transaction) this.#store.claims.take(documentClaim(collection, record), record, transaction);
    const prepared = this.#prepare(collection, record, undefined, doc);
    this.uniqueKeys.check(prepared, transaction);
    if (published) this.#carryOut(prepared, 'insert', transaction);
    else this.#apply(prepared);
    if (!transaction) trimCapped(this, collection, published);
  }

  /**
   * Puts a document in the place of another with the same id.
   *
   * @param before the document as the writer has read it
   * @param published whether change streams hear of it
   * @throws DocDbError (11000, 112, 171, 10334, …), WaitFor
   */
  replace(
    collection: Collection,
    before: Stored,
    doc: Doc,
    how: Replacement,
    transaction: Transaction | undefined,
    published = true,
  ): void {
    this.#claimDocument(collection, before, transaction);
    const prepared = this.#prepare(collection, before.record, before, doc);
    this.uniqueKeys.check(prepared, transaction);
    if (!published) this.#apply(prepared);
    else this.#carryOut(prepared, how.kind, transaction, how.paths && { paths: [...how.paths] });
  }

  /**
   * @param published whether change streams hear of it
   * @throws DocDbError (112), WaitFor
   */
  remove(collection: Collection, before: Stored, transaction: Transaction | undefined, published = true): void {
    this.#claimDocument(collection, before, transaction);
    const prepared = this.#prepare(collection, before.record, before, undefined);
    if (published) this.#carryOut(prepared, 'delete', transaction);
    else this.#apply(prepared);
  }

  /** A transaction works with a collection as it was when the transaction began. */
  #enter(collection: Collection, transaction: Transaction | undefined): void {
    if (!transaction) return;
    transaction.checkOpen();
    if (transaction.created.get(collection.ns) === collection) return;
    if (this.reader.collection(collection.ns) !== collection) throw snapshotUnavailable(collection.ns);
    this.#store.touch(transaction, collection);
  }

  #claimDocument(collection: Collection, before: Stored, transaction: Transaction | undefined): void {
    this.#enter(collection, transaction);
    const mine = this.#store.claims.take(documentClaim(collection, before.record), before.record, transaction);
    if (!transaction || mine.size > 0) return;
    if (this.reader.at(collection, before.record)?.version !== before.version) throw new Outdated();
  }

  #prepare(collection: Collection, record: number, before: Stored | undefined, after: Doc | undefined): Prepared {
    return { collection, record, before, after, bytes: after && encodeStored(after) };
  }

  #carryOut(prepared: Prepared, kind: Change['kind'], transaction: Transaction | undefined, details?: Doc): void {
    const { collection, before, after, bytes, record } = prepared;
    const id = (after ?? before?.doc)?._id;
    const images = collection.keepsImages ? { images: true } : {};
    const change: Change = { kind, ns: collection.ns, uuid: collection.uuid, id, after: bytes, before: before?.bytes, ...images, details };
    if (!transaction) {
      this.#apply(prepared);
      this.publish(change);
      return;
    }
    noteLarge(this.#store.engine, this.#entries, this.reader, prepared, transaction);
    const stored = after && bytes ? new Stored(record, before?.version ?? 0, bytes, after) : null;
    transaction.set(collection, record, stored, collection.ids.keyOf([id]).bytes.toString('latin1'), change);
  }

  #apply({ collection, record, before, after, bytes }: Prepared): void {
    this.changed = true;
    const key = documentKey(collection.number, record);
    const { engine } = this.#store;
    if (bytes) {
      const value = Buffer.allocUnsafe(HEADER + bytes.length);
      value.writeDoubleBE(this.#store.nextVersion(), 0);
      value.set(bytes, HEADER);
      engine.memory.gaveUp(sizeOf(before));
      void engine.documents.put(key, value);
    } else {
      // A transaction may still see it.
      this.#store.records.keep(this.reader, collection);
      engine.memory.removeDocument(engine.documents, key, sizeOf(before));
    }
    for (const index of collection.indexes.values()) this.#entries.replace(collection, index, record, before?.doc, after);
    const size = this.#sizes.of(collection);
    size.count += (bytes ? 1 : 0) - (before ? 1 : 0);
    size.bytes += (bytes?.length ?? 0) - (before?.bytes.length ?? 0);
  }

  /** Who builds a unique index does not see what a transaction has written before it commits. */
  #suspect(collection: Collection, stored: Stored): void {
    for (const index of collection.indexes.values()) if (index.unique && !index.ready) this.uniqueKeys.suspect(collection, index, stored);
  }

  /** Adds the entries of a document to an index that is built; those that break its uniqueness are looked at in the end. */
  addToIndex(collection: Collection, index: IndexDefinition, stored: Stored): void {
    index.admit(stored.doc);
    if (index.unique) this.uniqueKeys.suspect(collection, index, stored);
    this.enterInto(collection, index, stored);
  }

  /** Writes the entries of a document into an index that has none of it. */
  enterInto(collection: Collection, index: IndexDefinition, stored: Stored): void {
    this.changed = true;
    this.#entries.replace(collection, index, stored.record, undefined, stored.doc);
  }

  /**
   * Removes some of the entries of an index.
   *
   * @returns whether there may be more
   */
  clearIndex({ number }: IndexDefinition, limit: number): boolean {
    this.changed = true;
    return this.#store.engine.removeSome('indexes', number, limit);
  }

  /** @returns how many documents a collection has now */
  countOf(collection: Collection): number {
    return this.#sizes.of(collection).count;
  }

  /** @returns the bytes of the documents in a collection, as this write leaves them so far */
  bytesOf(collection: Collection): number {
    return this.#sizes.of(collection).bytes;
  }

  /**
   * Adds a change to the log.
   *
   * @param time when it was made, where that is not a time of its own
   */
  publish(change: Change, time?: Timestamp): void {
    this.changed = true;
    this.#store.append(change, time);
  }

  /**
   * Keeps what a retry of a session's write is answered, together with what it writes.
   *
   * @param part the number of a part that is added to what was kept before; 0 for what takes the place of that
   */
  keepReply(session: Buffer, record: Doc, part = 0): void {
    this.changed = true;
    // What it takes the place of may have been large.
    if (part === 0) this.#store.engine.memory.gaveUp(Infinity);
    putReply(this.#store.engine, session, record, part);
  }

  forgetReply(session: Buffer): void {
    removeReply(this.#store.engine, session);
  }

  keepUser(name: Buffer, user: Doc): void {
    void this.#store.engine.users.put(name, encode(user));
  }

  forgetUser(name: Buffer): void {
    void this.#store.engine.users.remove(name);
  }

  /**
   * The collection of a name; it is made when there is none.
   *
   * @throws DocDbError (73, 112, 246)
   */
  collectionFor(ns: string, transaction: Transaction | undefined): Collection {
    const known = (transaction?.reader ?? this.reader).collection(ns);
    if (known) {
      this.#enter(known, transaction);
      return known;
    }
    // It was made since the transaction began.
    if (transaction && this.reader.collection(ns)) throw new Outdated();
    return this.collections.create(ns, {}, transaction);
  }

  /** @returns whether somebody else has made a collection of a name that a transaction gives one, too */
  isOvertaken({ created }: Transaction): boolean {
    return [...created.keys()].some((ns) => this.reader.collection(ns));
  }

  /** Writes everything that a transaction has changed, at once. */
  commit(transaction: Transaction, lsid: Doc): void {
    const { created, log, number } = transaction;
    checkChanges(this.#store.engine, this.#entries, this.reader, transaction);
    if (created.size > 0) this.collections.change([], [...created.values()]);
    for (const { collection, documents } of transaction.changes()) {
      for (const [record, stored] of documents) {
        const before = created.has(collection.ns) ? undefined : this.reader.at(collection, record);
        if (stored) this.#suspect(collection, stored);
        if (before || stored) this.#apply({ collection, record, before, after: stored?.doc, bytes: stored?.bytes });
      }
    }
    const time = this.#store.nextTime();
    for (const change of log) this.publish({ ...change, transaction: { lsid, number } }, time);
  }

  /** Writes what belongs to everything that was written. */
  finish(): void {
    this.#sizes.save();
    if (this.changed) this.#store.saveCounters();
  }
}

function snapshotUnavailable(ns: string): DocDbError {
  return new Outdated(
    246,
    `Unable to read from a snapshot due to pending collection catalog changes to collection '${ns}'; please retry the operation.`,
  );
}
