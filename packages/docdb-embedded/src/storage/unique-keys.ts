import type { Doc, Value } from '../bson/values.ts';
import { Outdated } from '../errors.ts';
import { documentClaim, type Transaction } from '../transactions/transaction.ts';
import type { Collection } from './collection.ts';
import { duplicateKey } from './duplicate-key.ts';
import type { IndexDefinition } from './index-definition.ts';
import { keyChange } from './key-change.ts';
import { behind } from './keys/index-key.ts';
import type { Reader } from './reader.ts';
import type { Store } from './store.ts';
import type { Stored } from './stored.ts';

/** A document that is about to be written. */
export interface Candidate {
  readonly collection: Collection;
  readonly record: number;
  readonly before: Stored | undefined;
  readonly after: Doc | undefined;
}

/** Whether a document may have the keys that it would get, as far as no two may have them. */
export class UniqueKeys {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Works out all keys, and that nobody else has those that are unique.
   *
   * @throws DocDbError (11000, 112, 171, 16766), WaitFor
   */
  check({ collection, record, before, after }: Candidate, transaction: Transaction | undefined): void {
    if (!after) return;
    for (const index of collection.indexes.values()) {
      // A key that the document had is its own already.
      const had = transaction || !index.ready ? undefined : before?.doc;
      if (had && index.isUntouched(had, after)) continue;
      index.admit(after);
      const values = had && index.isOfValues ? keyChange(index, had, after).come : index.valuesOf(after);
      if (!index.refusesDuplicates) continue;
      for (const key of values) this.#checkKey(collection, index, key, record, transaction);
    }
  }

  #checkKey(
    collection: Collection,
    index: IndexDefinition,
    values: readonly Value[],
    record: number,
    transaction: Transaction | undefined,
  ): void {
    const other = this.#holderOf(this.#store.newest, collection, index, values, record, transaction);
    if (other !== undefined) {
      // Who has it may be about to give the key back.
      this.#store.claims.check(documentClaim(collection, other.record), transaction);
      if (!index.ready) this.#store.suspects.note(index, values);
      else if (transaction && other.version > transaction.reader.seq) throw new Outdated();
      else throw duplicateKey(collection.ns, index, values, other.version);
    }
    // What the transaction still sees has given the key back since.
    if (transaction && this.#holderOf(transaction.reader, collection, index, values, record, transaction)) throw new Outdated();
    if (!transaction && this.#store.claims.empty) return;
    const claim = `u${String(index.number)}:${index.keyOf(values).bytes.toString('latin1')}`;
    for (const own of this.#store.claims.take(claim, record, transaction)) {
      const mine = own === record ? undefined : transaction?.overlayOf(collection)?.documents.get(own);
      if (mine && index.valuesOf(mine.doc).some((key) => index.sameKey(key, values))) throw duplicateKey(collection.ns, index, values);
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
    for (const other of reader.recordsOf(index, { bytes, coarse })) {
      if (other === record || changed?.has(other) === true) continue;
      const stored = reader.at(collection, other);
      if (stored && (!coarse || index.valuesOf(stored.doc).some((key) => index.sameKey(key, values)))) return stored;
    }
    return undefined;
  }

  /** Suspects the keys of a document that other documents have in an index which is built. */
  suspect(collection: Collection, index: IndexDefinition, stored: Stored): void {
    for (const values of index.valuesOf(stored.doc))
      if (this.#holderOf(this.#store.newest, collection, index, values, stored.record, undefined)) this.#store.suspects.note(index, values);
  }

  /** @throws DocDbError (11000) when two documents have a key that was suspected while the index was built */
  checkSuspects(collection: Collection, index: IndexDefinition, suspects: readonly (readonly Value[])[]): void {
    for (const values of suspects) {
      let holder: number | undefined;
      for (const record of this.#holdersOf(collection, index, values)) {
        // The others need not be looked at: all documents may have the key.
        if (holder !== undefined && holder !== record) throw duplicateKey(collection.ns, index, values);
        holder = record;
      }
    }
  }

  *#holdersOf(collection: Collection, index: IndexDefinition, values: readonly Value[]): Generator<number, void> {
    const { bytes } = index.keyOf(values);
    for (const record of this.#store.newest.recordsWith(index, { start: bytes, end: behind(bytes) }, false)) {
      const stored = this.#store.newest.at(collection, record);
      if (stored && index.valuesOf(stored.doc).some((key) => index.sameKey(key, values))) yield record;
    }
  }
}
