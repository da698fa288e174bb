import type { Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { RangeOptions } from 'lmdb';
import type { Catalogue } from './catalogue.ts';
import type { Collection } from './collection.ts';
import { type Engine, numberKey, type ReadState, type Table } from './engine.ts';
import type { IndexDefinition } from './index-definition.ts';
import { behind, type ByteRange, indexKey, type IndexKey } from './keys/index-key.ts';
import { CurrentDocument, type DocumentView, HEADER, Stored } from './stored.ts';

/** Uncommitted changes of a collection, as the transaction that made them sees it. */
export interface Overlay {
  /** Changed documents by record; `null` for deleted ones. */
  readonly documents: ReadonlyMap<number, Stored | null>;
  /** Records of the ids of changed documents, by key; the last one that an exact key was given to is the first. */
  readonly ids: ReadonlyMap<string, readonly number[]>;
}

const NONE: readonly number[] = [];
/** Length of a document's key: collection and record. */
const KEY = 12;
/** @returns the key of a document */
export function documentKey(collection: number, record: number): Buffer {
  const key = Buffer.allocUnsafe(KEY);
  key.writeUInt32BE(collection, 0);
  key.writeDoubleBE(record, 4);
  return key;
}

/** What a transaction lays over the state that it reads. */
export interface TransactionView {
  /** Collections that it made. */
  readonly created: ReadonlyMap<string, Collection>;
  overlayOf(collection: Collection): Overlay | undefined;
}

/** Reads one state of all collections. */
export class Reader {
  readonly catalogue: Catalogue;
  /** Number of the last change that it sees. */
  readonly seq: number;
  readonly #engine: Engine;
  readonly #state: { readonly transaction: ReadState } | undefined;
  readonly #view: TransactionView | undefined;

  /**
   * @param state the state; `undefined` for the newest one, within a write
   * @param view the transaction that reads it
   */
  constructor(engine: Engine, catalogue: Catalogue, seq: number, state?: ReadState, view?: TransactionView) {
    this.#engine = engine;
    this.catalogue = catalogue;
    this.seq = seq;
    this.#state = state && { transaction: state };
    this.#view = view;
  }

  /** @returns the collection of a name */
  collection(ns: string): Collection | undefined {
    return this.#view?.created.get(ns) ?? this.catalogue.collections.get(ns);
  }

  /** @returns the collection of an identity, whatever it is called */
  withIdentity(uuid: string | undefined): Collection | undefined {
    return this.collections().find((collection) => collection.uuid === uuid);
  }

  /** All collections, in the order of their names' first use. */
  collections(): Collection[] {
    return [...this.catalogue.collections.values(), ...(this.#view?.created.values() ?? [])];
  }

  /** Counts documents that a search has looked at. */
  noteExamined(documents: number): void {
    this.#engine.examined += documents;
  }

  /** @returns the uncommitted changes that it sees of a collection */
  overlayOf(collection: Collection): Overlay | undefined {
    const overlay = this.#view?.overlayOf(collection);
    return overlay && overlay.documents.size > 0 ? overlay : undefined;
  }

  #get(table: Table, key: Buffer): Buffer | undefined {
    if (!this.#state || !this.#engine.writing) return table.get(key, this.#state);
    // Within a write LMDB reads the newest state by key, and an older one by range only.
    for (const { key: found, value } of table.getRange({ start: key, limit: 1, ...this.#state })) if (found.equals(key)) return value;
    return undefined;
  }

  /** @returns the document of a record */
  at(collection: Collection, record: number): Stored | undefined {
    const own = this.overlayOf(collection)?.documents.get(record);
    if (own !== undefined) return own ?? undefined;
    if (this.#state && this.#engine.writing) {
      const value = this.#get(this.#engine.documents, documentKey(collection.number, record));
      return value && new Stored(record, value.readDoubleBE(0), value.subarray(HEADER));
    }
    const found = this.#engine.passing.get(documentKey(collection.number, record), this.#state);
    return found && new CurrentDocument().at(record, found.bytes, found.size).kept();
  }

  /**
   * Looks at documents of a collection that an index leads to, at one at a time.
   *
   * @returns the document of a record; `undefined` for one that uncommitted changes have taken away
   * @throws DocDbError (413) for a record that there is not
   */
  lookAt(collection: Collection, { name }: IndexDefinition): (record: number) => DocumentView | undefined {
    const overlay = this.overlayOf(collection)?.documents;
    const checkTaken = (record: number): void => {
      if (overlay?.has(record) !== true) throw lost(collection, name);
    };
    // Within a write an older state is read by ranges.
    if (this.#state && this.#engine.writing)
      return (record) => {
        const found = this.at(collection, record);
        if (!found) checkTaken(record);
        return found;
      };
    const current = new CurrentDocument();
    return (record) => {
      const own = overlay?.get(record);
      if (own !== undefined) return own ?? undefined;
      const found = this.#engine.passing.get(documentKey(collection.number, record), this.#state);
      if (!found) checkTaken(record);
      return found && current.at(record, found.bytes, found.size);
    };
  }

  /** @returns the record of an id, if there is one */
  recordOf(collection: Collection, id: Value): number | undefined {
    const { ids } = collection;
    // What is asked for makes nothing known of what the index holds.
    const key = indexKey([id], ids);
    const isHolder = (record: number): boolean => {
      const stored = this.at(collection, record);
      return stored !== undefined && ids.sameKey([stored.doc._id], [id]);
    };
    const own = this.overlayOf(collection)?.ids.get(key.bytes.toString('latin1')) ?? NONE;
    // Several ids may have one coarse key.
    for (const record of own) if (!key.coarse || isHolder(record)) return record;
    for (const record of this.recordsOf(ids, key)) if (!key.coarse || isHolder(record)) return record;
    return undefined;
  }

  /** The records of a key of an index in their order; of a coarse one also others. */
  *recordsOf(index: IndexDefinition, { bytes }: IndexKey): Generator<number, void> {
    const first = this.#firstOf(Buffer.concat([numberKey(index.number), bytes]));
    if (first === undefined) return;
    yield first;
    for (const record of this.recordsWith(index, { start: bytes, end: behind(bytes) }, false)) if (record !== first) yield record;
  }

  /** The keys of an index, and the documents that they lead to, in its order; of committed documents. */
  *entriesOf(index: IndexDefinition): Generator<{ readonly key: Buffer; readonly record: number }, void> {
    const prefix = numberKey(index.number);
    for (const { key, value } of this.#engine.pairs.getRange({ start: prefix, end: behind(prefix), ...this.#state }))
      yield { key: key.subarray(prefix.length), record: value.readDoubleBE(0) };
  }

  /**
   * A state keeps pages in memory that this has looked at, until it is released, and can keep only so many: few thousand are asked of one.
   *
   * @returns whether a key of an index leads to a record; not within a write
   */
  leadsTo(index: IndexDefinition, { bytes }: IndexKey, record: number): boolean {
    return this.#engine.entries.doesExist(Buffer.concat([numberKey(index.number), bytes]), record, this.#state);
  }

  #firstOf(key: Buffer): number | undefined {
    if (!this.#state || !this.#engine.writing) return this.#engine.entries.get(key, this.#state);
    for (const record of this.#engine.entries.getRange({ start: key, end: behind(key), limit: 1, ...this.#state })) return record.value;
    return undefined;
  }

  /** The records of a range of an index in its order; of committed documents, some may come more than once. */
  *recordsWith(index: IndexDefinition, range: ByteRange, reverse: boolean): Generator<number, void> {
    const prefix = numberKey(index.number);
    const start = Buffer.concat([prefix, range.start]);
    const end = range.end.length > 0 ? Buffer.concat([prefix, range.end]) : behind(prefix);
    for (const { value } of this.#engine.entries.getRange({ ...boundsOf(start, end, reverse), ...this.#state })) yield value;
  }

  /**
   * All documents in natural order, each to be looked at until the next one comes.
   *
   * @param after a record that it begins behind
   */
  *scan(collection: Collection, reverse: boolean, after?: number): Generator<DocumentView, void> {
    const overlay = this.overlayOf(collection);
    const added = overlay ? [...overlay.documents].sort(([a], [b]) => a - b) : [];
    const last = added.length > 0 ? this.lastRecord(collection) : 0;
    // Documents of the overlay have later records than all that were there.
    const behindAll = added.flatMap(([record, stored]) => (stored && record > last ? [stored] : []));
    if (reverse) yield* behindAll.reverse();
    const prefix = numberKey(collection.number);
    const start = after === undefined ? prefix : documentKey(collection.number, after + 1);
    const range = { ...boundsOf(start, behind(prefix), reverse), ...this.#state };
    const current = new CurrentDocument();
    for (const { key, value } of this.#engine.passing.getRange(range)) {
      const record = key as number;
      const own = overlay?.documents.get(record);
      if (own === undefined) yield current.at(record, value.bytes, value.size);
      else if (own) yield own;
    }
    if (!reverse) yield* behindAll;
  }

  /** The records of committed documents behind one, in their order; nothing is read of the documents. */
  *recordsBehind(collection: Collection, record: number): Generator<number, void> {
    const range = { start: documentKey(collection.number, record + 1), end: behind(numberKey(collection.number)), ...this.#state };
    for (const found of this.#engine.passing.getKeys(range)) yield found as number;
  }

  /** @returns the latest committed document of a collection; 0 where there is none */
  lastRecord(collection: Collection): number {
    const prefix = numberKey(collection.number);
    const range = { ...boundsOf(prefix, behind(prefix), true), ...this.#state };
    for (const record of this.#engine.passing.getKeys(range)) return record as number;
    return 0;
  }

  /** @returns how many documents of a collection it sees */
  countOf(collection: Collection): number {
    let { count } = this.sizeOf(collection);
    for (const [record, stored] of this.overlayOf(collection)?.documents ?? []) {
      const before = this.#get(this.#engine.documents, documentKey(collection.number, record));
      count += (stored ? 1 : 0) - (before ? 1 : 0);
    }
    return count;
  }

  /** Number and bytes of the committed documents of a collection. */
  sizeOf(collection: Collection): CollectionSize {
    const value = this.#get(this.#engine.system, sizeKey(collection.number));
    return value ? { count: value.readDoubleBE(0), bytes: value.readDoubleBE(8) } : { count: 0, bytes: 0 };
  }
}

function lost({ ns }: Collection, index: string): DocDbError {
  const mending = 'The command validate says what is, and making the index anew mends it where the index is wrong';
  return new DocDbError(413, `The index ${index} of ${ns} leads to a document that is not there: the data is damaged. ${mending}`);
}

function boundsOf(start: Buffer, end: Buffer, reverse: boolean): RangeOptions {
  return reverse ? { start: end, end: start, reverse, exclusiveStart: true, inclusiveEnd: true } : { start, end };
}

/** How much a collection holds. */
export interface CollectionSize {
  readonly count: number;
  readonly bytes: number;
}

/** @returns where the size of a collection is kept */
export function sizeKey(collection: number): Buffer {
  return Buffer.concat([Buffer.from('n'), numberKey(collection)]);
}
