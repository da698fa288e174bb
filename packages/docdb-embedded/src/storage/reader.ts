import { decode } from '../bson/decode.ts';
import type { Doc, Value } from '../bson/values.ts';
import type { Catalogue } from './catalogue.ts';
import type { Collection } from './collection.ts';
import type { DocumentCache } from './document-cache.ts';
import type { Engine, ReadState, Table } from './engine.ts';
import type { IndexDefinition } from './index-definition.ts';
import { behind, type ByteRange } from './keys/index-key.ts';

/** A stored document. */
export interface Stored {
  /** Its number in the collection; grows in the natural order. */
  readonly record: number;
  readonly doc: Doc;
  /** Its BSON. */
  readonly bytes: Buffer;
  /** Number of the change that wrote it. */
  readonly version: number;
}

/** Uncommitted changes of a collection, as the transaction that made them sees it. */
export interface Overlay {
  /** Changed documents by record; `null` for deleted ones. */
  readonly documents: ReadonlyMap<number, Stored | null>;
  /** Records of the ids of changed documents, by key. */
  readonly ids: ReadonlyMap<string, number>;
}

/** Length of a document's key: collection and record. */
const KEY = 12;
/** Bytes before a stored document: its version. */
export const HEADER = 8;

/** @returns the key of a document */
export function documentKey(collection: number, record: number): Buffer {
  const key = Buffer.allocUnsafe(KEY);
  key.writeUInt32BE(collection, 0);
  key.writeDoubleBE(record, 4);
  return key;
}

/** @returns the bytes that begin the keys of a collection or of an index */
export function numberKey(number: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(number);
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
  readonly #cache: DocumentCache;
  readonly #state: { readonly transaction: ReadState } | undefined;
  readonly #view: TransactionView | undefined;

  /**
   * @param state the state; `undefined` for the newest one, within a write
   * @param view the transaction that reads it
   */
  constructor(
    source: { readonly engine: Engine; readonly cache: DocumentCache },
    catalogue: Catalogue,
    seq: number,
    state?: ReadState,
    view?: TransactionView,
  ) {
    this.#engine = source.engine;
    this.#cache = source.cache;
    this.catalogue = catalogue;
    this.seq = seq;
    this.#state = state && { transaction: state };
    this.#view = view;
  }

  /** @returns the collection of a name */
  collection(ns: string): Collection | undefined {
    return this.#view?.created.get(ns) ?? this.catalogue.collections.get(ns);
  }

  /** All collections, in the order of their names' first use. */
  collections(): Collection[] {
    return [...this.catalogue.collections.values(), ...(this.#view?.created.values() ?? [])];
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
    const value = this.#get(this.#engine.documents, documentKey(collection.number, record));
    return value && this.#stored(collection, record, value);
  }

  #stored(collection: Collection, record: number, value: Buffer): Stored {
    const version = value.readDoubleBE(0);
    const bytes = value.subarray(HEADER);
    const key = `${String(collection.number)}:${String(record)}`;
    let doc = this.#cache.get(key, version);
    if (!doc) {
      doc = decode(bytes);
      this.#cache.set(key, version, doc, bytes.length);
    }
    return { record, doc, bytes, version };
  }

  /** @returns the record of an id, if there is one */
  recordOf(collection: Collection, id: Value): number | undefined {
    const { ids } = collection;
    const key = ids.keyOf([id]);
    const own = this.overlayOf(collection)?.ids.get(key.bytes.toString('latin1'));
    if (own !== undefined) return own;
    if (!key.coarse) return recordOfEntry(this.#get(this.#engine.indexes, Buffer.concat([numberKey(ids.number), key.bytes])));
    for (const record of this.recordsWith(ids, { start: key.bytes, end: behind(key.bytes) }, false)) {
      const stored = this.at(collection, record);
      if (stored && ids.sameKey([stored.doc._id], [id])) return record;
    }
    return undefined;
  }

  /** The records of a range of an index in its order; of committed documents, some may come more than once. */
  *recordsWith(index: IndexDefinition, range: ByteRange, reverse: boolean): Generator<number, void> {
    const prefix = numberKey(index.number);
    const start = Buffer.concat([prefix, range.start]);
    const end = range.end.length > 0 ? Buffer.concat([prefix, range.end]) : behind(prefix);
    for (const { value } of this.#range(this.#engine.indexes, start, end, reverse)) yield recordOfEntry(value) as number;
  }

  /** All documents in natural order. */
  *scan(collection: Collection, reverse: boolean): Generator<Stored, void> {
    const overlay = this.overlayOf(collection);
    const added = overlay ? [...overlay.documents].sort(([a], [b]) => a - b) : [];
    const last = added.length > 0 ? this.#lastRecord(collection) : 0;
    // Documents of the overlay have later records than all that were there.
    const behindAll = added.flatMap(([record, stored]) => (stored && record > last ? [stored] : []));
    if (reverse) yield* behindAll.reverse();
    const prefix = numberKey(collection.number);
    for (const { key, value } of this.#range(this.#engine.documents, prefix, behind(prefix), reverse)) {
      const record = key.readDoubleBE(4);
      const own = overlay?.documents.get(record);
      if (own === undefined) yield this.#stored(collection, record, value);
      else if (own) yield own;
    }
    if (!reverse) yield* behindAll;
  }

  #lastRecord(collection: Collection): number {
    const prefix = numberKey(collection.number);
    for (const { key } of this.#range(this.#engine.documents, prefix, behind(prefix), true)) return key.readDoubleBE(4);
    return 0;
  }

  #range(table: Table, start: Buffer, end: Buffer, reverse: boolean): Iterable<{ readonly key: Buffer; readonly value: Buffer }> {
    const bounds = reverse ? { start: end, end: start, reverse, exclusiveStart: true, inclusiveEnd: true } : { start, end };
    return table.getRange({ ...bounds, ...this.#state });
  }

  /** Number and bytes of the committed documents of a collection. */
  sizeOf(collection: Collection): CollectionSize {
    const value = this.#get(this.#engine.system, sizeKey(collection.number));
    return value ? { count: value.readDoubleBE(0), bytes: value.readDoubleBE(8) } : { count: 0, bytes: 0 };
  }
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

/** @returns the value of an entry of an index */
export function entryOf(record: number): Buffer {
  const value = Buffer.allocUnsafe(8);
  value.writeDoubleBE(record);
  return value;
}

function recordOfEntry(value: Buffer | undefined): number | undefined {
  return value?.readDoubleBE(0);
}
