import type { Doc } from '../bson/values.ts';
import { saveCollection } from './catalogue.ts';
import type { Collection } from './collection.ts';
import type { IndexDefinition } from './index-definition.ts';
import { entryOf, numberKey } from './reader.ts';
import type { Store } from './store.ts';

/** The entries of documents in indexes; in a write only. */
export class IndexEntries {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Writes what an index has of a document in the place of what it had. */
  replace(collection: Collection, index: IndexDefinition, record: number, before: Doc | undefined, after: Doc | undefined): void {
    if (before && after && index.isUntouched(before, after) && this.#store.hasSaved(index.facts)) return;
    const { multikey, coarse } = index.facts;
    const old = before ? this.#entries(index, before, record) : [];
    const next = after ? this.#entries(index, after, record) : [];
    // Several coarse keys of a document may be one entry.
    const kept = new Set(old.length > 0 ? next.map((entry) => entry.toString('latin1')) : []);
    for (const entry of old) if (!kept.has(entry.toString('latin1'))) void this.#store.engine.indexes.remove(entry);
    const fresh = old.length > 0 ? next.filter((entry) => !old.some((other) => other.equals(entry))) : next;
    for (const entry of fresh) void this.#store.engine.indexes.put(entry, entryOf(record));
    const { facts } = index;
    if (facts.multikey !== multikey || facts.coarse !== coarse || !this.#store.hasSaved(facts)) this.#saveFacts(collection, index);
  }

  /** Facts may have been found out by work that did not write. */
  #saveFacts(collection: Collection, index: IndexDefinition): void {
    this.#store.noteSaved(index.facts);
    saveCollection(this.#store.engine, this.#store.newest.collection(collection.ns) ?? collection);
  }

  #entries(index: IndexDefinition, doc: Doc, record: number): Buffer[] {
    const prefix = numberKey(index.number);
    return index.keysOf(doc).map((values) => {
      const { bytes, coarse } = index.keyOf(values);
      return Buffer.concat(index.isId && !coarse ? [prefix, bytes] : [prefix, bytes, entryOf(record)]);
    });
  }
}
