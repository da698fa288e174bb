import type { Doc, Value } from '../bson/values.ts';
import { saveCollection } from './catalogue.ts';
import type { Collection } from './collection.ts';
import type { IndexDefinition } from './index-definition.ts';
import { keyChange } from './key-change.ts';
import { numberKey } from './engine.ts';
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
    const { gone: old, come: next } = this.#change(index, before, after);
    const { engine } = this.#store;
    // Several coarse keys of a document may be one entry.
    const kept = old.length > 0 ? setOf(next) : NONE;
    const had = next.length > 0 ? setOf(old) : NONE;
    for (const key of old) if (!kept.has(textOf(key))) engine.memory.removeEntry(engine.pairs, engine.entries, key, record);
    for (const key of next) if (had.size === 0 || !had.has(textOf(key))) void engine.entries.put(key, record);
    const { facts } = index;
    if (facts.multikey !== multikey || facts.coarse !== coarse || !this.#store.hasSaved(facts)) this.#saveFacts(collection, index);
  }

  /** @returns the entries of a document that a change of it removes, as far as its indexes tell */
  removed(collection: Collection, before: Doc, after: Doc | undefined): Buffer[] {
    return [...collection.indexes.values()].flatMap((index) => {
      if (after && index.isUntouched(before, after)) return [];
      const { gone, come } = this.#change(index, before, after);
      const kept = setOf(come);
      return gone.filter((key) => !kept.has(textOf(key)));
    });
  }

  /** Facts may have been found out by work that did not write. */
  #saveFacts(collection: Collection, index: IndexDefinition): void {
    this.#store.noteSaved(index.facts);
    saveCollection(this.#store.engine, this.#store.newest.collection(collection.ns) ?? collection);
  }

  #change(index: IndexDefinition, before: Doc | undefined, after: Doc | undefined): { gone: Buffer[]; come: Buffer[] } {
    const prefix = numberKey(index.number);
    const bytesOf = (keys: readonly (readonly Value[])[]): Buffer[] => keys.map((key) => Buffer.concat([prefix, index.keyOf(key).bytes]));
    const { gone, come } =
      before && after ? keyChange(index, before, after) : { gone: before && index.keysOf(before), come: after && index.keysOf(after) };
    return { gone: bytesOf(gone ?? []), come: bytesOf(come ?? []) };
  }
}

const NONE: ReadonlySet<string> = new Set();

function setOf(keys: readonly Buffer[]): ReadonlySet<string> {
  return new Set(keys.map(textOf));
}

function textOf(key: Buffer): string {
  return key.toString('latin1');
}
