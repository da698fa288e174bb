import { randomUUID } from 'node:crypto';
import { checkSize, encode } from '../bson/encode.ts';
import { type Doc, ObjectId, type Value } from '../bson/values.ts';
import { isDocument } from '../bson/values.ts';
import { DocDbError, noSuchTransaction, writeConflict } from '../errors.ts';
import type { Transaction } from '../transactions/transaction.ts';
import { forgetCollection, saveCollection } from './catalogue.ts';
import type { Change } from './change.ts';
import { checkNamespace, Collection, type CollectionChange, idIndexSpec } from './collection.ts';
import { IndexDefinition } from './index-definition.ts';
import { documentKey, entryOf, numberKey, type Reader, sizeKey } from './reader.ts';
import { HEADER, Stored } from './stored.ts';
import { behind } from './keys/index-key.ts';
import type { Store } from './store.ts';

/** Documents that are removed with their collection at once; more are removed behind its back. */
const FEW = 500;

/** A change of a document that is worked out: applying it can not fail. */
interface Prepared {
  readonly collection: Collection;
  readonly record: number;
  readonly before: Stored | undefined;
  readonly after: Doc | undefined;
  readonly bytes: Buffer | undefined;
}

/**
 * Writes documents and collections, within one work of {@link Store.write}. Each document is prepared first, and nothing of
 * it is written when something about it is wrong.
 */
export class Writer {
  readonly #store: Store;
  readonly #sizes = new Map<number, { count: number; bytes: number }>();
  /** Whether anything was written. */
  changed = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads the newest state, with everything that was written before. */
  get reader(): Reader {
    return this.#store.newest;
  }

  /**
   * @param transaction the transaction that writes; its changes are laid over what it reads
   * @param published whether change streams hear of it
   * @throws DocDbError (11000, 112, 171, 10334, …), WaitFor
   */
  insert(collection: Collection, doc: Doc, transaction: Transaction | undefined, published = true): void {
    this.#enter(collection, transaction);
    const record = this.#store.nextRecord(collection);
    if (transaction) this.#store.claims.take(documentClaim(collection, record), record, transaction);
    const prepared = this.#prepare(collection, record, undefined, doc);
    this.#checkUnique(prepared, transaction);
    if (published) this.#carryOut(prepared, 'insert', transaction);
    else this.#apply(prepared);
  }

  /**
   * Puts a document in the place of another with the same id.
   *
   * @param before the document as the writer has read it
   * @throws DocDbError (11000, 112, 171, 10334, …), WaitFor
   */
  replace(collection: Collection, before: Stored, doc: Doc, kind: 'update' | 'replace', transaction: Transaction | undefined): void {
    this.#claimDocument(collection, before, transaction);
    const prepared = this.#prepare(collection, before.record, before, doc);
    this.#checkUnique(prepared, transaction);
    this.#carryOut(prepared, kind, transaction);
  }

  /** @throws DocDbError (112), WaitFor */
  remove(collection: Collection, before: Stored, transaction: Transaction | undefined): void {
    this.#claimDocument(collection, before, transaction);
    this.#carryOut(this.#prepare(collection, before.record, before, undefined), 'delete', transaction);
  }

  /** A transaction works with a collection as it was when the transaction began. */
  #enter(collection: Collection, transaction: Transaction | undefined): void {
    if (!transaction) return;
    if (transaction.state !== 'open') throw noSuchTransaction(transaction.number);
    if (transaction.created.get(collection.ns) === collection) return;
    this.#store.touch(transaction, collection);
    if (this.reader.collection(collection.ns) !== collection) throw snapshotUnavailable(collection.ns);
  }

  #claimDocument(collection: Collection, before: Stored, transaction: Transaction | undefined): void {
    this.#enter(collection, transaction);
    const mine = this.#store.claims.take(documentClaim(collection, before.record), before.record, transaction);
    if (!transaction || mine.size > 0) return;
    if (this.reader.at(collection, before.record)?.version !== before.version) throw writeConflict();
  }

  #prepare(collection: Collection, record: number, before: Stored | undefined, after: Doc | undefined): Prepared {
    const bytes = after && encode(after);
    if (bytes) checkSize(bytes);
    return { collection, record, before, after, bytes };
  }

  /** Works out all keys, and that nobody else has those that are unique. */
  #checkUnique({ collection, record, after }: Prepared, transaction: Transaction | undefined): void {
    if (!after) return;
    for (const index of collection.indexes.values()) {
      const values = index.valuesOf(after);
      if (!index.refusesDuplicates) continue;
      for (const key of values) this.#checkKey(collection, index, key, record, after, transaction);
    }
  }

  #checkKey(
    collection: Collection,
    index: IndexDefinition,
    values: readonly Value[],
    record: number,
    doc: Doc,
    transaction: Transaction | undefined,
  ): void {
    const other = this.#holderOf(this.reader, collection, index, values, record, transaction);
    if (other !== undefined) {
      // Who has it may be about to give the key back.
      this.#store.claims.check(documentClaim(collection, other.record), transaction);
      if (!index.ready) this.#store.suspect(index, values);
      else if (transaction && other.version > transaction.reader.seq) throw writeConflict();
      else throw duplicateKey(collection.ns, index, doc);
    }
    // What the transaction still sees has given the key back since.
    if (transaction && this.#holderOf(transaction.reader, collection, index, values, record, transaction)) throw writeConflict();
    if (!transaction && this.#store.claims.empty) return;
    const claim = `u${String(index.number)}:${index.keyOf(values).bytes.toString('latin1')}`;
    for (const own of this.#store.claims.take(claim, record, transaction)) {
      const mine = own === record ? undefined : transaction?.overlayOf(collection)?.documents.get(own);
      if (mine && index.valuesOf(mine.doc).some((key) => index.sameKey(key, values))) throw duplicateKey(collection.ns, index, doc);
    }
  }

  /** @returns the other document that has a key of a unique index in a state, and that the transaction has not changed */
  #holderOf(
    reader: Reader,
    collection: Collection,
    index: IndexDefinition,
    values: readonly Value[],
    record: number,
    transaction: Transaction | undefined,
  ): Stored | undefined {
    const { bytes, coarse } = index.keyOf(values);
    const changed = transaction?.overlayOf(collection)?.documents;
    for (const other of reader.recordsWith(index, { start: bytes, end: behind(bytes) }, false)) {
      if (other === record || changed?.has(other) === true) continue;
      const stored = reader.at(collection, other);
      if (stored && (!coarse || index.valuesOf(stored.doc).some((key) => index.sameKey(key, values)))) return stored;
    }
    return undefined;
  }

  #carryOut(prepared: Prepared, kind: Change['kind'], transaction: Transaction | undefined): void {
    const { collection, before, after, bytes, record } = prepared;
    const id = (after ?? before?.doc)?._id;
    const change: Change = { kind, ns: collection.ns, uuid: collection.uuid, id, after: bytes, before: before?.bytes };
    if (!transaction) {
      this.#apply(prepared);
      this.publish(change);
      return;
    }
    const stored = after && bytes ? new Stored(record, before?.version ?? 0, bytes, after) : null;
    transaction.set(collection, record, stored, collection.ids.keyOf([id]).bytes.toString('latin1'), change);
  }

  #apply({ collection, record, before, after, bytes }: Prepared): void {
    this.changed = true;
    const key = documentKey(collection.number, record);
    const { documents } = this.#store.engine;
    if (bytes) {
      const value = Buffer.allocUnsafe(HEADER + bytes.length);
      value.writeDoubleBE(this.#store.nextVersion(), 0);
      value.set(bytes, HEADER);
      void documents.put(key, value);
    } else void documents.remove(key);
    for (const index of collection.indexes.values()) this.#reindex(collection, index, record, before?.doc, after);
    const size = this.#sizeOf(collection);
    size.count += (bytes ? 1 : 0) - (before ? 1 : 0);
    size.bytes += (bytes?.length ?? 0) - (before?.bytes.length ?? 0);
  }

  #reindex(collection: Collection, index: IndexDefinition, record: number, before: Doc | undefined, after: Doc | undefined): void {
    const { multikey, coarse } = index.facts;
    const old = before ? this.#entries(index, before, record) : [];
    const next = after ? this.#entries(index, after, record) : [];
    const kept = new Set(old.length > 0 ? next.map((entry) => entry.toString('latin1')) : []);
    for (const entry of old) if (!kept.delete(entry.toString('latin1'))) void this.#store.engine.indexes.remove(entry);
    const fresh = old.length > 0 ? next.filter((entry) => !old.some((other) => other.equals(entry))) : next;
    for (const entry of fresh) void this.#store.engine.indexes.put(entry, entryOf(record));
    const { facts } = index;
    if (facts.multikey !== multikey || facts.coarse !== coarse || !this.#store.hasSaved(facts)) this.#saveFacts(collection, index);
  }

  /** Facts may have been found out by work that did not write. */
  #saveFacts(collection: Collection, index: IndexDefinition): void {
    this.#store.noteSaved(index.facts);
    saveCollection(this.#store.engine, this.reader.collection(collection.ns) ?? collection);
  }

  #entries(index: IndexDefinition, doc: Doc, record: number): Buffer[] {
    const prefix = numberKey(index.number);
    return index.valuesOf(doc).map((values) => {
      const { bytes, coarse } = index.keyOf(values);
      return Buffer.concat(index.isId && !coarse ? [prefix, bytes] : [prefix, bytes, entryOf(record)]);
    });
  }

  /** Adds the entries of a document to an index that is built; those that break its uniqueness are looked at in the end. */
  addToIndex(collection: Collection, index: IndexDefinition, stored: Stored): void {
    for (const values of index.valuesOf(stored.doc)) {
      if (index.unique && this.#holderOf(this.reader, collection, index, values, stored.record, undefined))
        this.#store.suspect(index, values);
    }
    this.changed = true;
    this.#reindex(collection, index, stored.record, undefined, stored.doc);
  }

  /** @throws DocDbError (11000) when two documents have a key that was suspected while the index was built */
  checkSuspects(collection: Collection, index: IndexDefinition, suspects: readonly (readonly Value[])[]): void {
    for (const values of suspects) {
      const { bytes } = index.keyOf(values);
      const holders = [...this.reader.recordsWith(index, { start: bytes, end: behind(bytes) }, false)].flatMap((record) => {
        const stored = this.reader.at(collection, record);
        return stored && index.valuesOf(stored.doc).some((key) => index.sameKey(key, values)) ? [stored.doc] : [];
      });
      if (new Set(holders).size > 1) throw duplicateKey(collection.ns, index, holders[0] as Doc);
    }
  }

  #sizeOf(collection: Collection): { count: number; bytes: number } {
    const known = this.#sizes.get(collection.number);
    if (known) return known;
    const size = { ...this.reader.sizeOf(collection) };
    this.#sizes.set(collection.number, size);
    return size;
  }

  /** @returns how many documents a collection has now */
  countOf(collection: Collection): number {
    return (this.#sizes.get(collection.number) ?? this.reader.sizeOf(collection)).count;
  }

  /** @returns the bytes of the documents in a collection, as this write leaves them so far */
  bytesOf(collection: Collection): number {
    return (this.#sizes.get(collection.number) ?? this.reader.sizeOf(collection)).bytes;
  }

  /** Adds a change to the log. */
  publish(change: Change): void {
    this.changed = true;
    this.#store.append(change);
  }

  /** Keeps what a retry of a session's write is answered, together with what it writes. */
  keepReply(session: Buffer, record: Doc): void {
    this.changed = true;
    void this.#store.engine.retries.put(session, encode({ ...record, at: new Date() }));
  }

  forgetReply(session: Buffer): void {
    void this.#store.engine.retries.remove(session);
  }

  /**
   * The collection of a name; it is made when there is none.
   *
   * @throws DocDbError (73, 112, 246), WaitFor
   */
  collectionFor(ns: string, transaction: Transaction | undefined): Collection {
    const known = (transaction?.reader ?? this.reader).collection(ns);
    if (!known) return this.create(ns, {}, transaction);
    this.#enter(known, transaction);
    return known;
  }

  /**
   * Makes a collection.
   *
   * @throws DocDbError (73, 112), WaitFor
   */
  create(ns: string, options: Doc, transaction: Transaction | undefined, published = true): Collection {
    checkNamespace(ns);
    this.#store.claims.take(`c${ns}`, 0, transaction);
    // It was made since the transaction began.
    if (transaction && this.reader.collection(ns)) throw writeConflict();
    const ids = new IndexDefinition(this.#store.nextNumber(), idIndexSpec(options));
    const collection = new Collection(this.#store.nextNumber(), ns, randomUUID(), options, [ids]);
    const change: Change = { kind: 'create', ns, uuid: collection.uuid, details: { options } };
    if (transaction) {
      transaction.created.set(ns, collection);
      transaction.log.push(change);
    } else {
      this.#catalogue([], [collection]);
      if (published) this.publish(change);
    }
    return collection;
  }

  /**
   * Changes what a collection is.
   *
   * @throws WaitFor while a transaction uses it
   */
  modify(collection: Collection, change: Partial<CollectionChange>, published?: Change): Collection {
    this.#store.lock(collection);
    const next = collection.with(change);
    this.#catalogue([collection], [next]);
    if (published) this.publish(published);
    return next;
  }

  /** @throws WaitFor while a transaction uses it */
  drop(collection: Collection, published = true): void {
    this.#store.lock(collection);
    const count = this.countOf(collection);
    this.#catalogue([collection], []);
    this.#sizes.delete(collection.number);
    void this.#store.engine.system.remove(sizeKey(collection.number));
    this.#discard('documents', collection.number, count);
    for (const index of collection.indexes.values()) this.#discard('indexes', index.number, count);
    if (published) this.publish({ kind: 'drop', ns: collection.ns, uuid: collection.uuid });
  }

  /**
   * Gives a collection another name.
   *
   * @param target the collection that has the name; it is dropped
   * @throws WaitFor while a transaction uses one of them
   */
  rename(collection: Collection, ns: string, target: Collection | undefined): void {
    this.#store.lock(collection);
    if (target) this.drop(target);
    const dot = ns.indexOf('.');
    const to = { db: ns.slice(0, dot), coll: ns.slice(dot + 1) };
    const details = { to, ...(target ? { dropTarget: target.uuid } : {}) };
    this.modify(collection, { ns }, { kind: 'rename', ns: collection.ns, uuid: collection.uuid, details });
  }

  /** Removes the content of an index that no collection has any more. */
  discardIndex(collection: Collection, index: IndexDefinition): void {
    this.#discard('indexes', index.number, this.countOf(collection));
  }

  #discard(table: 'documents' | 'indexes', number: number, count: number): void {
    this.changed = true;
    if (count > FEW) this.#store.discardLater(table, number);
    else
      for (const key of [...this.#store.engine[table].getKeys({ start: numberKey(number), end: numberKey(number + 1) })])
        void this.#store.engine[table].remove(key);
  }

  #catalogue(removed: readonly Collection[], added: readonly Collection[]): void {
    this.changed = true;
    for (const collection of removed) forgetCollection(this.#store.engine, collection);
    for (const collection of added) saveCollection(this.#store.engine, collection);
    this.#store.changeCatalogue(removed, added);
  }

  /** Writes everything that a transaction has changed, at once. */
  commit(transaction: Transaction, lsid: Doc): void {
    const { created, log, number } = transaction;
    if (created.size > 0) this.#catalogue([], [...created.values()]);
    for (const { collection, documents } of transaction.changes()) {
      for (const [record, stored] of documents) {
        const before = created.has(collection.ns) ? undefined : this.reader.at(collection, record);
        if (before || stored) this.#apply({ collection, record, before, after: stored?.doc, bytes: stored?.bytes });
      }
    }
    for (const change of log) this.publish({ ...change, transaction: { lsid, number } });
  }

  /** Writes what belongs to everything that was written. */
  finish(): void {
    for (const [number, { count, bytes }] of this.#sizes) {
      const value = Buffer.allocUnsafe(16);
      value.writeDoubleBE(count, 0);
      value.writeDoubleBE(bytes, 8);
      void this.#store.engine.system.put(sizeKey(number), value);
    }
    if (this.changed) this.#store.saveCounters();
  }
}

function documentClaim(collection: Collection, record: number): string {
  return `d${String(collection.number)}:${String(record)}`;
}

function snapshotUnavailable(ns: string): DocDbError {
  return new DocDbError(
    246,
    `Unable to read from a snapshot due to pending collection catalog changes to collection '${ns}'; please retry the operation.`,
    { errorLabels: ['TransientTransactionError'] },
  );
}

/** @returns the error of a duplicate key, in MongoDB's words */
export function duplicateKey(ns: string, index: IndexDefinition, doc: Doc): DocDbError {
  const keyPattern = index.spec.key as Doc;
  const [key = []] = index.valuesOf(doc);
  const keyValue = Object.fromEntries(
    Object.keys(keyPattern).map((name, at) => [name, typeof key[at] === 'symbol' ? null : (key[at] ?? null)]),
  );
  const text = Object.entries(keyValue)
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join(', ');
  return new DocDbError(11000, `E11000 duplicate key error collection: ${ns} index: ${index.name} dup key: { ${text} }`, {
    keyPattern,
    keyValue,
  });
}

function shown(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${String(value.getTime())})`;
  return isDocument(value) || Array.isArray(value) ? '{ … }' : String(value);
}
