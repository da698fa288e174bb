import type { Collection, Document, IndexDescription } from 'mongodb';
import type { CollectionSource } from './session-store.ts';

/** A collection with the indexes that a store needs, which are made with its first use. */
export class PreparedCollection<T extends Document> {
  readonly #source: CollectionSource;
  readonly #indexes: readonly IndexDescription[];
  #collection: Promise<Collection<T>> | undefined;

  constructor(source: CollectionSource, indexes: readonly IndexDescription[]) {
    this.#source = source;
    this.#indexes = indexes;
  }

  /** @throws what the source or the database throws; it is asked again the next time */
  async get(): Promise<Collection<T>> {
    this.#collection ??= this.#prepare();
    this.#collection.catch(() => (this.#collection = undefined));
    return this.#collection;
  }

  async #prepare(): Promise<Collection<T>> {
    const collection = await (typeof this.#source === 'function' ? this.#source() : this.#source);
    await collection.createIndexes([...this.#indexes]);
    return collection as unknown as Collection<T>;
  }
}

/** Two first writes of a key at once may both insert; the second then finds the record of the first. */
export async function retryDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 11000) return work();
    throw error;
  }
}
