import { randomUUID } from 'node:crypto';
import { collatorFor, type Collator } from '../bson/collation.ts';
import { hashKey } from '../bson/hash-key.ts';
import { type Doc, isDocument, ObjectId, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import { CollectionIndex } from './collection-index.ts';
import { type StoredRecord, visibleAt } from './record.ts';

/** A transaction, as far as a collection must know it. */
export interface Owner {
  /** Sequence number of the snapshot that it reads. */
  readonly seq: number;
  /** Settles when it ends. */
  readonly ended: Promise<void>;
}

/** What a reader sees: the committed state at a moment, with the reader's own changes over it. */
export interface View {
  /** Sequence number of the snapshot; `Infinity` for the latest state. */
  readonly seq: number;
  /** Changed documents by hash key; `null` for deleted ones. */
  readonly changes: ReadonlyMap<string, Doc | null> | undefined;
}

/** The latest committed state. */
export const LATEST: View = Object.freeze({ seq: Infinity, changes: undefined });

/** A collection: its records in natural order, and its indexes. */
export class Collection {
  /** Full name; changes when the collection is renamed. */
  ns: string;
  readonly uuid: string;
  readonly options: Doc;
  readonly collator: Collator | undefined;
  readonly records: Map<string, StoredRecord> = new Map();
  readonly indexes: Map<string, CollectionIndex> = new Map();
  /** Transactions that hold uncommitted changes, by hash key of the document or of a unique key. */
  readonly pending: Map<string, Owner> = new Map();
  /** The transaction that made the collection and is still open: nobody else sees it in lists. */
  madeBy: Owner | undefined;
  /** Records that changed while a snapshot was open. */
  readonly changed: Set<StoredRecord> = new Set();
  #order = 0;
  #count = 0;

  constructor(ns: string, options: Doc = {}, uuid: string = randomUUID()) {
    this.ns = ns;
    this.uuid = uuid;
    this.options = options;
    this.collator = collatorFor(options.collation);
    this.indexes.set(
      '_id_',
      new CollectionIndex({ v: 2, key: { _id: 1 }, name: '_id_', ...(this.collator ? { collation: options.collation } : {}) }),
    );
  }

  /** Number of committed documents. */
  get count(): number {
    return this.#count;
  }

  /** @returns the document with an id as a reader sees it, `null` for none */
  read(key: string, view: View): Doc | null {
    const own = view.changes?.get(key);
    if (own !== undefined) return own;
    const record = this.records.get(key);
    return record ? visibleAt(record, view.seq) : null;
  }

  /** All documents that a reader sees, in natural order. */
  *scan(view: View): Generator<Doc, void> {
    const { changes } = view;
    for (const record of this.records.values()) {
      const own = changes?.get(record.key);
      const doc = own === undefined ? visibleAt(record, view.seq) : own;
      if (doc) yield doc;
    }
    if (!changes) return;
    for (const [key, doc] of changes) if (doc && !this.records.has(key)) yield doc;
  }

  /**
   * Commits one document.
   *
   * @param doc the new document; `null` deletes it
   * @param seq sequence number of the commit
   * @param keepHistory whether an open snapshot may need the old state
   */
  apply(key: string, doc: Doc | null, seq: number, keepHistory: boolean): void {
    const record = this.records.get(key);
    if (!record) {
      if (doc) this.#insert(key, doc, seq, keepHistory);
      return;
    }
    if (record.doc) for (const index of this.indexes.values()) index.remove(record, record.doc);
    this.#count += (doc ? 1 : 0) - (record.doc ? 1 : 0);
    if (keepHistory) {
      record.prev = { doc: record.doc, seq: record.seq, prev: record.prev };
      this.changed.add(record);
    }
    record.doc = doc;
    record.seq = seq;
    if (doc) for (const index of this.indexes.values()) index.add(record, doc);
    else if (!keepHistory) this.records.delete(key);
  }

  #insert(key: string, doc: Doc, seq: number, keepHistory: boolean): void {
    const record: StoredRecord = { key, order: this.#order++, doc, seq, prev: undefined };
    this.records.set(key, record);
    this.#count += 1;
    if (keepHistory) this.changed.add(record);
    for (const index of this.indexes.values()) index.add(record, doc);
  }

  /** Forgets old states once no snapshot is open. */
  forgetHistory(): void {
    for (const record of this.changed) {
      record.prev = undefined;
      if (record.doc === null && this.records.get(record.key) === record) this.records.delete(record.key);
    }
    this.changed.clear();
  }

  /**
   * Builds an index over the committed documents.
   *
   * @throws DocDbError (11000) when it is unique and the documents are not
   */
  buildIndex(spec: Doc): void {
    const index = new CollectionIndex(spec);
    for (const record of this.records.values()) {
      if (!record.doc) continue;
      if (index.unique) this.checkUniqueIn(index, record.doc, record.key, undefined);
      if (index.unique)
        for (const key of index.keysOf(record.doc)) if (!index.recordsWith(key).next().done) throw duplicateKey(this.ns, index, record.doc);
      index.add(record, record.doc);
    }
    this.indexes.set(index.name, index);
  }

  /**
   * Checks a document against the unique indexes.
   *
   * @param ownKey hash key of the document itself
   * @param changes uncommitted changes of the writer
   * @throws DocDbError (11000)
   */
  checkUnique(doc: Doc, ownKey: string, changes: ReadonlyMap<string, Doc | null> | undefined): void {
    for (const index of this.indexes.values())
      if (index.unique || index.spec.prepareUnique === true) this.checkUniqueIn(index, doc, ownKey, changes);
  }

  checkUniqueIn(index: CollectionIndex, doc: Doc, ownKey: string, changes: ReadonlyMap<string, Doc | null> | undefined): void {
    const keys = index.keysOf(doc);
    for (const key of keys) {
      for (const record of index.recordsWith(key)) {
        if (record.key !== ownKey && changes?.has(record.key) !== true) throw duplicateKey(this.ns, index, doc);
      }
    }
    if (!changes || keys.length === 0) return;
    for (const [otherKey, other] of changes) {
      if (!other || otherKey === ownKey) continue;
      const clash = index.keysOf(other).some((key) => keys.some((own) => index.compare(own, key, index.fields.length) === 0));
      if (clash) throw duplicateKey(this.ns, index, doc);
    }
  }

  /**
   * Checks a document against the collection's validator.
   *
   * @throws DocDbError (121)
   */
  validate(doc: Doc): void {
    const { validator, validationAction, validationLevel } = this.options;
    if (!isDocument(validator) || validationAction === 'warn' || validationLevel === 'off') return;
    if (compileFilter(validator, { collator: this.collator })(doc)) return;
    throw new DocDbError(121, 'Document failed validation', {
      errInfo: { failingDocumentId: doc._id, details: { operatorName: Object.keys(validator)[0] ?? '', schemaRulesNotSatisfied: [] } },
    });
  }
}

/** @returns the error of a duplicate key, in MongoDB's words */
export function duplicateKey(ns: string, index: CollectionIndex, doc: Doc): DocDbError {
  const keyPattern = index.spec.key as Doc;
  const [key = []] = index.keysOf(doc);
  const keyValue = Object.fromEntries(Object.keys(keyPattern).map((name, at) => [name, key[at] ?? null]));
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

/** @returns the hash key of a document's id; ids compare by the collection's collation */
export function idKey(id: Value): string {
  return hashKey(id);
}
